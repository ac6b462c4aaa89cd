import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformAsync } from '@babel/core'
import macro from '@lingui/babel-plugin-lingui-macro'
import { makeConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'

/** The part of a bundler's plugin that is used here, which Rolldown and Vite share. */
interface TextsPlugin {
  name: string
  enforce: 'pre'
  transform(code: string, id: string): Promise<{ code: string; map: string } | undefined>
}

/**
 * Replaces Lingui's macros, and compiles the English text of each beside its use. Lingui itself compiles a catalog, in
 * which the first page would load the texts of all pages; a text that is not compiled is not filled in outside of
 * development.
 */
export function compileTexts(): TextsPlugin {
  return {
    name: 'compile-texts',
    enforce: 'pre',
    async transform(code, id) {
      const [file = '', sources] = /^(.*[\\/]src-renderer[\\/])[^?]*\.tsx?/.exec(id) ?? []
      if (!sources || !MACRO.test(code)) return undefined
      const result = await replaceMacros(code, file, sources)
      const compiled = (_: string, id: string, quoted: string) => {
        const message = JSON.parse(quoted)
        const text = `message: ${JSON.stringify(compileMessage(message))}`
        // Only a text with a context has an id: see `translateWith`.
        return id === generateMessageId(message) ? `{ ${text}` : `{ id: "${id}", ${text}`
      }
      return { code: result.code.replace(DESCRIPTOR, compiled), map: JSON.stringify(result.map) }
    }
  }
}

interface CatalogsPlugin {
  name: string
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): void }): Promise<void>
}

/** Compiles the catalog of each other language into a file, which only its readers load. */
export function compileCatalogs(root: string): CatalogsPlugin {
  const locales = join(root, 'src-renderer/locales')
  return {
    name: 'compile-catalogs',
    async generateBundle() {
      for (const name of readdirSync(locales)) {
        const [, language] = /^(.+)\.po$/.exec(name) ?? []
        if (!language || language === 'en') continue
        const catalog = await compileCatalog(readFileSync(join(locales, name), 'utf8'))
        this.emitFile({ type: 'asset', fileName: `locales/${language}.json`, source: JSON.stringify(catalog) })
      }
    }
  }
}

/** Returns the compiled translations of a catalog by what the window looks them up by. */
export async function compileCatalog(po: string): Promise<Record<string, unknown>> {
  const messages = await formatter().parse(po, { locale: undefined, sourceLocale: 'en', filename: '' })
  const compiled = Object.entries(messages).flatMap(([id, { message = '', translation, context }]) =>
    translation ? [[context ? id : JSON.stringify(compileMessage(message)), compileMessage(translation)]] : []
  )
  return Object.fromEntries(compiled)
}

/** Returns the English texts of a source file. */
export async function textsIn(code: string, file: string): Promise<string[]> {
  if (!MACRO.test(code)) return []
  const result = await replaceMacros(code, file, '')
  return [...result.code.matchAll(DESCRIPTOR)].map(([, , message = '']) => JSON.parse(message))
}

const MACRO = /'@lingui\/\w+\/macro'/

/** What a macro becomes, as Babel prints it: an object with the text's id, and the text itself. */
const DESCRIPTOR = /\/\*\* i18n \*\/\s*\{\s*id: "([^"]+)",\s*message: ("(?:[^"\\]|\\.)*")/g

/** @param sources the folder of the window's sources, with the instance that words the texts */
async function replaceMacros(code: string, file: string, sources: string) {
  const linguiConfig = makeConfig(
    { locales: ['en'], runtimeConfigModule: { i18n: [`${sources}lib/locale.ts`, 'i18n'] } },
    { skipValidation: true }
  )
  const result = await transformAsync(code, {
    filename: file,
    configFile: false,
    babelrc: false,
    sourceMaps: true,
    parserOpts: { plugins: ['typescript', ...(file.endsWith('x') ? (['jsx'] as const) : [])] },
    generatorOpts: { jsescOption: { quotes: 'double', minimal: true }, retainLines: true },
    plugins: [[macro, { descriptorFields: 'message', linguiConfig }]]
  })
  return { code: result?.code ?? code, map: result?.map }
}
