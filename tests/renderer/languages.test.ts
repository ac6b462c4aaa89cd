// The catalogs of each language: whole, in the right form, and used by the window and the extension.
import { readdirSync, readFileSync } from 'node:fs'
import { formatter } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'
import { compileCatalog } from '../../packaging/compile-texts.ts'
import { LANGUAGES } from '../../src-main/contract/languages.ts'
import { MENU_TEXTS } from '../../src-main/desktop/menu-texts.ts'

const TRANSLATED = Object.keys(LANGUAGES).filter((language) => language !== 'en')
const format = formatter({ lineNumbers: false })

const read = (language: string) => readFileSync(`src-renderer/locales/${language}.po`, 'utf8')
const parse = (po: string) => format.parse(po, { locale: undefined, sourceLocale: 'en', filename: '' })

test('each language has its catalogs', () => {
  const catalogs = readdirSync('src-renderer/locales').filter((name) => name.endsWith('.po'))
  expect(catalogs.toSorted()).toEqual(['en', ...TRANSLATED].map((language) => `${language}.po`).toSorted())
  const folders = readdirSync('src-extension/_locales').map((name) => name.replace('_', '-'))
  expect(folders.toSorted()).toEqual(['en', ...TRANSLATED].toSorted())
})

test.for(TRANSLATED)('%s translates every text, with the same placeholders and all plural forms', async (language) => {
  const [english, translated] = [await parse(read('en')), await parse(read(language))]
  expect(Object.keys(translated)).toEqual(Object.keys(english))
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const faults = Object.values(translated).flatMap(({ message = '', translation = '' }) => {
    const [original, text] = [partsOf(message), partsOf(translation)]
    const isWhole = pluralCategories.every((category) => text.plurals.every((forms) => forms.includes(category)))
    const isSame = original.names === text.names && (original.plurals.length === 0 || text.plurals.length > 0)
    return translation && isWhole && isSame ? [] : [`${message} → ${translation}`]
  })
  expect(faults).toEqual([])
})

test.for(TRANSLATED)('%s.po is written as `npm run texts` writes it', async (language) => {
  const po = read(language)
  const context = { locale: language, sourceLocale: 'en', filename: '', existing: po }
  expect(await format.serialize(await parse(po), context)).toBe(po)
})

test.for(TRANSLATED)('%s.po was never read in another encoding', (language) => {
  // UTF-8 that was read as Latin-1 has these control characters, which no text has.
  expect(read(language)).not.toMatch(/[\u0080-\u009f]/)
})

test.for(TRANSLATED)('the extension and the menus in %s have every text, with the same placeholders', (language) => {
  const [english, translated] = [extensionTexts('en'), extensionTexts(language)]
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const counted = ['found', 'words'].flatMap((name) => pluralCategories.map((category) => `${name}_${category}`))
  const others = Object.keys(english).filter((key) => !/_(one|other)$/.test(key))
  expect(Object.keys(translated).toSorted()).toEqual([...others, ...counted].toSorted())
  for (const key of others) expect([key, namesIn(translated[key])]).toEqual([key, namesIn(english[key])])
  const menus = MENU_TEXTS[language as keyof typeof MENU_TEXTS]
  expect(Object.keys(menus)).toEqual(Object.keys(MENU_TEXTS.en))
  expect(menus.notAvailable).toContain('{keys}')
})

test('a catalog is compiled by English text, and by id where a text has a context', async () => {
  const po = `msgid ""\nmsgstr ""\n\nmsgid "Open {name}"\nmsgstr "{name} öffnen"\n\nmsgctxt "verb"\nmsgid "Archive"\nmsgstr "Archivieren"\n\nmsgid "Save"\nmsgstr ""\n`
  expect(await compileCatalog(po)).toEqual({
    '["Open ",["name"]]': [['name'], ' öffnen'],
    [Object.keys(await parse(po))[1] ?? '']: ['Archivieren']
  })
})

/** Returns the names of placeholders and tags, each once, and the forms of each plural. */
function partsOf(message: string): { names: string; plurals: string[][] } {
  const names = new Set(message.match(/<\/?\w+\/?>/g))
  const plurals: string[][] = []
  const visit = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return
    for (const [name, kind, forms] of tokens.filter(Array.isArray)) {
      names.add(name)
      if (kind === 'plural') plurals.push(Object.keys(forms).filter((form) => form !== 'offset'))
      if (forms && typeof forms === 'object') Object.values(forms).forEach(visit)
    }
  }
  visit(compileMessage(message))
  return { names: [...names].sort().join(), plurals }
}

function extensionTexts(language: string): Record<string, string> {
  const file = `src-extension/_locales/${language.replace('-', '_')}/messages.json`
  const messages = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { message: string }>
  return Object.fromEntries(Object.entries(messages).map(([key, { message }]) => [key, message]))
}

function namesIn(message = ''): string {
  return (message.match(/\$\d/g) ?? []).sort().join()
}
