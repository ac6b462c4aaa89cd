// `npm start`: the desktop window where the Electron runtime is there or can be fetched, otherwise the same service in
// this terminal, with one line that says why.
import { requireNode } from './node-version.js'

requireNode()
const { ensureBuilt } = await import('./build.js')
ensureBuilt()
const { findRuntime, openWindow } = await import('./runtime.js')
const args = process.argv.slice(2)
const found = await findRuntime({ headless: args.includes('--headless') })
const rest = args.filter((arg) => arg !== '--headless')
if ('runtime' in found) {
  openWindow(found.runtime, rest)
} else {
  console.error(`No window: ${found.reason}. Serving in this terminal instead.`)
  process.argv = [process.argv[0] ?? '', process.argv[1] ?? '', 'serve', ...rest]
  await import(new URL('../../out/main/earmark.js', import.meta.url).href)
}
