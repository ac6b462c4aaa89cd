// How the dashboard writes dates, numbers, addresses, titles, colors and messages.
import { globSync, readFileSync } from 'node:fs'
import { domainToASCII } from 'node:url'
import { expect, test } from 'vitest'
import { compileTexts, textsIn } from '../../packaging/compile-texts.ts'
import { namedFilters } from '../../src-main/actions/bookmarks/search-bookmarks.ts'
import type { BookmarkFilter } from '../../src-main/contract/bookmark.ts'
import { parseAddress } from '../../src-main/core/address.ts'
import { colorForms } from '../../src-renderer/features/bookmarks/color-forms.ts'
import { agentName, justSavedBy } from '../../src-renderer/lib/agents.ts'
import { dateGroup, dateInGroup, listDate } from '../../src-renderer/lib/dates.ts'
import { addressInLetters, besideTitle, repositoryOf, siteInLetters, titleOf } from '../../src-renderer/lib/labels.ts'
import { fileSize, inSystemRegion, list, locale, percent } from '../../src-renderer/lib/locale.ts'
import { foldText } from '../../src-renderer/lib/match-names.ts'
import { fieldText, hintText } from '../../src-renderer/lib/problem-text.ts'

/** A Thursday morning in the time zone of the test. */
const THURSDAY = new Date(2026, 9, 15, 8, 30)

test.for([
  ['earlier this morning', new Date(2026, 9, 15, 0, 1), 'Today'],
  ['later today', new Date(2026, 9, 15, 23, 59), 'Today'],
  ['last night', new Date(2026, 9, 14, 23, 59), 'Yesterday'],
  ['the day before', new Date(2026, 9, 13, 23, 59), 'Last 7 days'],
  ['a week ago', new Date(2026, 9, 8, 0, 0), 'Last 7 days'],
  ['eight days ago', new Date(2026, 9, 7, 23, 59), 'October'],
  ['in the summer', new Date(2026, 6, 1), 'July'],
  ['the same month of another year', new Date(2025, 9, 15), 'October 2025'],
  ['a future day, saved with a wrong clock', new Date(2027, 0, 2), 'January 2027']
] as const)('%s is in its group', ([, date, group]) => {
  expect(dateGroup(date.toISOString(), THURSDAY)).toBe(group)
})

test.for([
  ['earlier this morning', new Date(2026, 9, 15, 0, 1), '12:01 AM', '12:01 AM'],
  ['last night', new Date(2026, 9, 14, 23, 59), '11:59 PM', 'Oct 14'],
  ['some days ago', new Date(2026, 9, 11), 'Sun', 'Oct 11'],
  ['in the summer', new Date(2026, 6, 1), 'Jul 1', 'Jul 1'],
  ['another year', new Date(2025, 9, 15), 'Oct 15', 'Oct 15, 2025']
] as const)('%s is short below the heading of its group, and complete elsewhere', ([, date, short, complete]) => {
  expect(dateInGroup(date.toISOString(), THURSDAY).replace(/\s/, ' ')).toBe(short)
  expect(listDate(date.toISOString(), THURSDAY).replace(/\s/, ' ')).toBe(complete)
})

test('numbers and dates follow the system’s region in the language of the texts', () => {
  expect(inSystemRegion('en', 'de')).toBe('en-DE')
  expect(inSystemRegion('en', 'pt-BR')).toBe('en-001')
  expect(locale).toBe(inSystemRegion('en', new Intl.DateTimeFormat().resolvedOptions().locale))
  const day = Date.UTC(2026, 10, 24)
  const dates = ['en-US', 'de', 'ar-EG'].map((system) =>
    new Intl.DateTimeFormat(inSystemRegion('en', system), { dateStyle: 'medium', timeZone: 'UTC' }).format(day)
  )
  expect(dates).toEqual(['Nov 24, 2026', '24 Nov 2026', '24 Nov 2026'])
  expect((1234.5).toLocaleString(inSystemRegion('en', 'de'))).toBe('1.234,5')
})

test('a text is compiled beside its use, with an id only if it has a context', async () => {
  const code = `import { t } from '@lingui/core/macro'
    export const open = () => t\`Open\`
    export const archive = () => t({ context: 'verb', message: 'Archive' })`
  const result = await compileTexts().transform(code, '/earmark/src-renderer/open.ts')
  expect(result?.code).toContain('{ message: ["Open"]')
  expect(result?.code).toMatch(/\{ id: "\S{6}", message: \["Archive"\]/)
})

test('locales/en.po has the texts of the code; if this fails: npm run texts', async () => {
  const files = globSync('src-renderer/**/*.{ts,tsx}')
  const messages = await Promise.all(files.map((file) => textsIn(readFileSync(file, 'utf8'), file)))
  const texts = readFileSync('src-renderer/locales/en.po', 'utf8').match(/(?<=^msgid )".+"$/gm) ?? []
  expect([...new Set(texts)].toSorted()).toEqual(
    [...new Set(messages.flat().map((text) => JSON.stringify(text)))].toSorted()
  )
})

test('file sizes have two digits or more; lists and percentages follow the region', () => {
  const decimal = (value: number) => value.toLocaleString(locale)
  const sizes = [812, 1340, 13_400, 134_000, 4_230_000, 42_300_000].map(fileSize)
  expect(sizes).toEqual(['812 B', `${decimal(1.3)} kB`, '13 kB', '134 kB', `${decimal(4.2)} MB`, '42 MB'])
  expect(list.format(['a', 'b', 'c'])).toBe('a, b, c')
  expect(percent(0.42)).toMatch(/^42\s?%$/)
})

test.for([
  'bücher.example',
  'straße.example',
  'пример.рф',
  '例え.テスト',
  'مثال.إختبار',
  'δοκιμή.example',
  'ü.example',
  'a-ü-b.example'
])('the site %s is shown in its own letters', (site) => {
  expect(siteInLetters(domainToASCII(site))).toBe(domainToASCII(site).includes('xn--') ? site : domainToASCII(site))
})

test.for(['xn--80ak6aa92e.com', 'xn--pple-43d.com', 'xn--!.example', 'xn--99999999999.example', 'plain.example'])(
  'the site %s is shown as it is: it is ASCII, invalid, or looks like another site',
  (site) => {
    expect(siteInLetters(site)).toBe(site)
  }
)

test.for([
  ['https://xn--bcher-kva.example/caf%C3%A9?q=%C3%BC#%26', 'https://bücher.example/café?q=ü#%26'],
  ['https://a.example/%2Fb%20c%E0%A4%A', 'https://a.example/%2Fb%20c%E0%A4%A'],
  ['data:text/plain,x', 'data:text/plain,x']
] as const)('the address %s is shown as %s: only letters are decoded', ([address, shown]) => {
  expect(addressInLetters(address)).toBe(shown)
})

test.for([
  ['CAFÉ Ünder', 'cafe under'],
  ['cafe\u0301', 'cafe\u0301'],
  ['İstanbul', 'istanbul'],
  ['ガ 한국', 'カ 한국'],
  ['a😀B', 'a😀b']
])('%s is compared as %s, with the same length', ([text = '', folded]) => {
  expect(foldText(text)).toBe(folded)
  expect(foldText(text)).toHaveLength(text.length)
})

test.for([
  [['url'], 'ftp: cannot be saved, only http and https', 'Address: ftp: cannot be saved, only http and https'],
  [['content'], 'not a valid CSS color', 'Not a valid CSS color'],
  [['tags', 0], 'too long', 'Tags: too long'],
  [['port'], 'too small', 'port: too small'],
  [[], 'There is no such change.', 'There is no such change.']
] as const)('the fault of %j, “%s”, is shown as “%s”', ([path, message, shown]) => {
  expect(fieldText({ path: [...path], message })).toBe(shown)
})

test.for([
  ['https://a.example/a b', 'an address has no spaces in it'],
  ['https://a.example/\u0001', 'it contains an invisible character'],
  ['https://a.example, https://b.example', 'these are several addresses'],
  ['see https://a.example', 'this is more than an address. Did you mean https://a.example?'],
  [`see https://a.example/${'x'.repeat(200)}`, 'this is more than an address'],
  ['localhost:3000/x', 'not a complete address. Did you mean http://localhost:3000/x?'],
  ['an address', 'not an address: it must start with http:// or https://'],
  ['http://[', 'not a valid address']
])('the address %j is refused with “%s”', ([text = '', shown]) => {
  const address = parseAddress(text)
  if (!('fault' in address)) throw new Error('It is not refused.')
  expect(fieldText({ path: ['url'], message: address.fault, address: address.why })).toBe(`Address: ${shown}`)
})

test.for([
  [
    { type: 'color' },
    '',
    'Nothing matches with type “color”; without it 3 match.',
    'Nothing matches with type Color; without it 3 match.'
  ],
  [{}, 'x visibility:public', 'Nothing matches with visibility “public”.', 'Nothing matches with visibility Public.'],
  [
    { is: ['broken'] },
    '',
    'Nothing matches with is:broken; without it 3 match.',
    'Nothing matches with “Broken links”; without it 3 match.'
  ],
  [{ untagged: true }, '', 'Nothing matches with is:untagged.', 'Nothing matches with “Without tags”.'],
  [{}, 'is:broken', 'Put is:broken in quotes.', 'Put is:broken in quotes.'],
  [{ before: 0 }, '', 'Nothing matches with before:1970-01-01.', 'Nothing matches with this date.'],
  [{ domain: 'a.example' }, '', 'No bookmark has the domain “a.example”.', 'No bookmark has the site “a.example”.']
] satisfies [BookmarkFilter, string, string, string][])(
  'with the filters %j and the words “%s” the hint “%s” is shown as “%s”',
  ([filters, words, hint, shown]) => {
    expect(hintText(hint, namedFilters(filters, words))).toBe(shown)
  }
)

test.each([
  ['A title', 'https://a.example/', 'text', 'A title'],
  ['', 'https://bücher.example/', '', 'https://bücher.example/'],
  ['', null, '#ff8800', '#ff8800'],
  ['', null, '\n  A thought\nin two lines', 'A thought'],
  ['', null, 'a'.repeat(300), 'a'.repeat(200)],
  ['', null, '', 'Untitled']
])('a bookmark with title “%s”, address %s and text “%s” is shown as “%s”', (title, url, content, shown) => {
  expect(titleOf({ title, url, content })).toBe(shown)
})

test.each([
  ['Add', 'Additional notes', 'Additional notes'],
  ['Add', ' Add\n', ''],
  ['', 'A thought\nin two lines', '\nin two lines'],
  ['A thought', 'A thought\nin two lines', '\nin two lines'],
  ['A long …', 'A long thought', 'thought'],
  ['', 'A thought', '']
])('next to the title “%s” the text “%s” is shown as “%s”', (title, content, rest) => {
  expect(besideTitle(content, { title, url: null, content })).toBe(rest)
})

test.for([
  ['claude-code 2.1.14', 'Claude Code'],
  ['Visual Studio Code 1.108.0', 'VS Code'],
  ['cursor-vscode 1.0.0', 'Cursor'],
  ['Zed 9', 'Zed'],
  ['my-script/1.2.3-beta', 'my-script'],
  ['agent v2', 'agent'],
  ['Agent 007 of many words', 'Agent 007 of many words'],
  ['', '']
] as const)('the client %j is shown as %j', ([client, name]) => {
  expect(agentName(client)).toBe(name)
})

test.for([
  ['an agent a moment ago', 100, { key: 'Laptop', client: 'claude-code 2.1' }, 'Claude Code'],
  ['an agent without a name', 100, { key: 'Laptop', client: null }, 'Laptop'],
  ['an agent nine seconds ago', 9000, { key: 'Laptop', client: 'claude-code 2.1' }, undefined],
  ['its owner', 100, null, undefined]
] as const)('a bookmark saved by %s is marked accordingly', ([, age, savedBy, mark]) => {
  const now = Date.parse('2026-01-01T12:00:00Z')
  expect(justSavedBy({ createdAt: new Date(now - age).toISOString(), savedBy }, now)).toBe(mark)
})

test.for([
  ['https://github.com/vitejs/vite', 'vitejs/vite'],
  ['https://www.github.com/vitejs/vite.git', 'vitejs/vite'],
  ['https://gitlab.com/a/b/-/issues/3?x=1', 'a/b'],
  ['https://github.com/vitejs', undefined],
  ['https://github.com/topics/rust', undefined],
  ['https://example.com/a/b', undefined],
  ['not an address', undefined],
  [null, undefined]
] as const)('%s is in the repository %s', ([url, repository]) => {
  expect(repositoryOf(url)).toBe(repository)
})

test.for([
  ['tomato', ['tomato', '#ff6347', 'rgb(255 99 71)', 'oklch(69.6% 0.196 32.3)']],
  ['oklch(70% 0.15 160)', ['#23ba7d', 'rgb(35 186 125)', 'oklch(70% 0.15 160)']],
  ['rgb(0 0 0 / 50%)', ['#00000080', 'rgb(0 0 0 / 0.5)', 'oklch(0% 0 0 / 0.5)']],
  ['#808080', ['gray', '#808080', 'rgb(128 128 128)', 'oklch(60% 0 0)']],
  ['white', ['white', '#ffffff', 'rgb(255 255 255)', 'oklch(100% 0 0)']],
  ['url(https://evil.example/)', []],
  ['', []]
] as const)('the color %s has the forms %j', ([color, forms]) => {
  expect(colorForms(color)).toEqual(forms)
})
