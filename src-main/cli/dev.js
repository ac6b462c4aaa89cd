// `npm run dev`: the dashboard from Vite's development server, with `/api` answered by a service on a library of its own,
// `.dev-data`. Where the Electron runtime is installed that service is the desktop app, whose window shows the built
// dashboard; otherwise it is the headless one.
import { requireNode } from './node-version.js'

requireNode()
const { ensureBuilt } = await import('./build.js')
const { join } = await import('node:path')
const { createServer } = await import('vite')
const { startService } = await import('./dev-service.js')
const { findRuntime } = await import('./runtime.js')

ensureBuilt()
const root = join(import.meta.dirname, '../..')
const found = await findRuntime({ headless: process.argv.includes('--headless'), mayDownload: false })
if ('reason' in found) console.log(`No window: ${found.reason}.`)
const { child, login } = await startService('runtime' in found ? found.runtime : undefined, join(root, '.dev-data'))
child.on('exit', (code) => process.exit(code ?? 1))
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal))

const { port, hash } = new URL(login)
const origin = `http://127.0.0.1:${port}`
const { default: react } = await import('@vitejs/plugin-react')
const { pickIcons } = await import('../../packaging/pick-icons.ts')
const server = await createServer({
  configFile: false,
  root: join(root, 'src-renderer'),
  plugins: [react(), pickIcons()],
  server: {
    host: '127.0.0.1',
    // The gate lets in only its own origin.
    proxy: { '/api': { target: origin, changeOrigin: true, headers: { origin } } }
  }
})
await server.listen()
console.log(`Dashboard: ${server.resolvedUrls?.local[0] ?? ''}login${hash}`)
