// `npm run dev` serves the dashboard from Vite's development server. `/api` is answered by a service with a library of
// its own, `.dev-data`. If the Electron runtime is installed, the service is the desktop app, whose window shows the
// built dashboard. Otherwise it is the headless service.
import { ensureBuilt, requireNode } from './prepare.js'

requireNode()
const { join } = await import('node:path')
const { createServer } = await import('vite')
const { findRuntime, startService } = await import('./runtime.js')

ensureBuilt()
const root = join(import.meta.dirname, '../..')
const result = await findRuntime({ headless: process.argv.includes('--headless'), mayDownload: false })
if ('reason' in result) console.log(`No window: ${result.reason}.`)
const { child, login } = await startService('runtime' in result ? result.runtime : undefined, join(root, '.dev-data'))
child.on('exit', (code) => process.exit(code ?? 1))
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal))

const { port, hash } = new URL(login)
const origin = `http://127.0.0.1:${port}`
const { default: react } = await import('@vitejs/plugin-react')
const { compileTexts } = await import('../../packaging/compile-texts.ts')
const { pickIcons } = await import('../../packaging/pick-icons.ts')
const server = await createServer({
  configFile: false,
  root: join(root, 'src-renderer'),
  plugins: [compileTexts(), react(), pickIcons()],
  server: {
    host: '127.0.0.1',
    // The gate accepts only its own origin.
    proxy: { '/api': { target: origin, changeOrigin: true, headers: { origin } } }
  }
})
await server.listen()
console.log(`Dashboard: ${server.resolvedUrls?.local[0] ?? ''}login${hash}`)
