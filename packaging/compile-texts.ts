import { readdirSync } from 'node:fs'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { extractMessages, transform } from '@lingui/native-tools'

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
      if (!sources || !/'@lingui\/\w+\/macro'/.test(code)) return undefined
      const runtimeModules = { i18n: [`${sources}lib/locale.ts`, 'i18n'] as const }
      const [{ messages }, result] = await Promise.all([
        extractMessages(code, file),
        transform(code, file, { macro: { descriptorFields: 'id-only', runtimeModules } })
      ])
      const texts = new Map(messages.map(({ id, message = '' }) => [id, JSON.stringify(compileMessage(message))]))
      const isTranslated = readdirSync(`${sources}locales`).some((name) => name !== 'en.po')
      const compiled = (_: string, id: string) => `{ ${isTranslated ? `id: "${id}", ` : ''}message: ${texts.get(id)}`
      return { code: result.code.replace(/\/\*i18n\*\/ \{\s*id: "([^"]+)"/g, compiled), map: result.map ?? '' }
    }
  }
}
