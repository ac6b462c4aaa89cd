import { readdirSync } from 'node:fs'
import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

const folder = 'src-renderer/locales'

// `npm run texts` updates the catalogs. Line numbers would change them with every edit.
export default defineConfig({
  sourceLocale: 'en',
  locales: readdirSync(folder).flatMap((name) => (name.endsWith('.po') ? [name.slice(0, -'.po'.length)] : [])),
  catalogs: [{ path: `${folder}/{locale}`, include: ['src-renderer'] }],
  format: formatter({ lineNumbers: false })
})
