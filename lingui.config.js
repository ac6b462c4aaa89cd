import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

// `npm run texts` updates the catalogs. Line numbers would change them with every edit.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [{ path: 'src-renderer/locales/{locale}', include: ['src-renderer'] }],
  format: formatter({ lineNumbers: false })
})
