// `npm start`: the desktop window where the Electron runtime is there or can be fetched, otherwise the same service in
// this terminal, with one line that says why. Where all goes well nothing is printed; `--verbose` says every step.
import { requireNode } from './node-version.js'

const USAGE = `Usage: npm start -- [options]

Opens Earmark's window, or serves in this terminal where there can be none.

  --headless      serve in this terminal
  --data <folder> the data folder (default: the platform’s application-data folder)
  --port <n>      the port; 0 takes any free one
  --no-fetch      never fetch the pages of bookmarks
  --hidden        start without showing the window
  --verbose       say every step
  --no-sandbox    run web pages without Chromium's sandbox, which is less safe`

requireNode()
const { ensureBuilt } = await import('./build.js')
const own = ['--headless', '--no-sandbox', '--verbose']
const args = process.argv.slice(2)
const [headless, noSandbox, verbose] = own.map((option) => args.includes(option))
if (args.includes('--help') || args.includes('-h')) {
  console.log(USAGE)
  process.exit(0)
}
const rest = args.filter((arg) => !own.includes(arg))
const report = verbose ? console.error : () => {}

report('Checking whether Earmark is built ...')
ensureBuilt()
report('Looking for the Electron runtime ...')
const { findRuntime, openWindow } = await import('./runtime.js')
const found = await findRuntime({ headless, sandbox: !noSandbox })
let reason
let opens = false
if ('runtime' in found) {
  report(`Starting ${found.runtime} ...`)
  if (noSandbox) console.error('The window runs without a sandbox, as asked.')
  const failure = await openWindow(found.runtime, noSandbox ? ['--no-sandbox', ...rest] : rest, { verbose })
  opens = true
  reason = `Electron did not start (${failure})`
} else {
  if (found.advice) console.error(found.advice)
  opens = found.advice !== undefined
  reason = found.reason
}
console.error(`No window: ${reason}. Serving in this terminal instead.`)
// Somebody sits at this screen and wanted a window.
if (opens && process.stdout.isTTY) rest.push('--open')
process.argv = [process.argv[0] ?? '', process.argv[1] ?? '', 'serve', ...rest]
await import(new URL('../../out/main/earmark.js', import.meta.url).href)
