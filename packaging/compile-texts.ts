import { readdirSync } from 'node:fs'
import { transformAsync } from '@babel/core'
import macro from '@lingui/babel-plugin-lingui-macro'
import { makeConfig } from '@lingui/conf'
import { compileMessage } from '@lingui/message-utils/compileMessage'

/** The part of a bundler's plugin that is used here, which Rolldown and Vite share. */
interface TransformingPlugin {
  name: string
  enforce: 'pre'
  transform(code: string, id: string): Promise<{ code: string; map: string } | undefined>
}

/**
 * Replaces Lingui's macros, and compiles the English text of each beside its use. Lingui itself compiles a catalog, in
 * which the first page would load the texts of all pages; a text that is not compiled is not filled in outside of
 * development. The ids that a catalog has its translations under are 2 kB of the first page, and are left out while
 * English is the only language.
 */
export function compileTexts(): TransformingPlugin {
  return {
    name: 'compile-texts',
    enforce: 'pre',
    async transform(code, id) {
      const [file = '', sources] = /^(.*[\\/]src-renderer[\\/])[^?]*\.tsx?/.exec(id) ?? []
      if (!sources || !MACRO.test(code)) return undefined
      const result = await replaceMacros(code, file, sources)
      const isTranslated = readdirSync(`${sources}locales`).some((name) => name !== 'en.po')
      const compiled = (_: string, id: string, message: string) =>
        `{ ${isTranslated ? `id: "${id}", ` : ''}message: ${JSON.stringify(compileMessage(JSON.parse(message)))}`
      return { code: result.code.replace(DESCRIPTOR, compiled), map: JSON.stringify(result.map) }
    }
  }
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
