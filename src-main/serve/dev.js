// `npm run dev`: the dashboard from Vite's development server, with `/api` answered by a headless service on a library
// of its own, `.dev-data`.
import { requireNode } from './node-version.js'

requireNode()
const { ensureBuilt } = await import('./build.js')
const { spawn } = await import('node:child_process')
const { join } = await import('node:path')
const { createServer } = await import('vite')
const { createInterface } = await import('node:readline')

ensureBuilt()
const root = join(import.meta.dirname, '../..')
const program = join(root, 'out/main/earmark.js')
const child = spawn(process.execPath, [program, 'serve', '--json', '--port', '0', '--data', join(root, '.dev-data')], {
  stdio: ['ignore', 'pipe', 'inherit']
})
child.on('exit', (code) => process.exit(code ?? 1))
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal))

for await (const line of createInterface(child.stdout)) {
  const { url, login } = JSON.parse(line)
  const { default: react } = await import('@vitejs/plugin-react')
  const server = await createServer({
    configFile: false,
    root: join(root, 'src-renderer'),
    plugins: [react()],
    server: {
      host: '127.0.0.1',
      // The gate lets in only its own origin.
      proxy: { '/api': { target: url, changeOrigin: true, headers: { origin: url } } }
    }
  })
  await server.listen()
  const address = server.resolvedUrls?.local[0] ?? ''
  console.log(`Dashboard: ${address}login${new URL(login).hash}`)
}
