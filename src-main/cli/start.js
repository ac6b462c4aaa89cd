// `npm start` opens the desktop window if the Electron runtime is installed or can be downloaded. Otherwise it serves
// in this terminal, and prints the reason in one line. Without `--verbose` it prints nothing else.
import { ensureBuilt, requireNode } from './prepare.js'

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
const OWN_OPTIONS = ['--headless', '--no-sandbox', '--verbose']
const args = process.argv.slice(2)
const [headless, noSandbox, verbose] = OWN_OPTIONS.map((option) => args.includes(option))
if (args.includes('--help') || args.includes('-h')) {
  console.log(USAGE)
  process.exit(0)
}
const rest = args.filter((arg) => !OWN_OPTIONS.includes(arg))
const report = verbose ? console.error : () => {}

report('Checking whether Earmark is built ...')
ensureBuilt()
report('Looking for the Electron runtime ...')
const { findRuntime, openWindow } = await import('./runtime.js')
const result = await findRuntime({ headless, sandbox: !noSandbox })
let reason
let opensBrowser = false
if ('runtime' in result) {
  report(`Starting ${result.runtime} ...`)
  if (noSandbox) console.error('The window runs without a sandbox, as asked.')
  const failure = await openWindow(result.runtime, noSandbox ? ['--no-sandbox', ...rest] : rest, { verbose })
  opensBrowser = true
  reason = `Electron did not start (${failure})`
} else {
  if (result.advice) console.error(result.advice)
  opensBrowser = result.advice !== undefined
  reason = result.reason
}
console.error(`No window: ${reason}. Serving in this terminal instead.`)
// A person at this screen wanted a window.
if (opensBrowser && process.stdout.isTTY) rest.push('--open')
process.argv = [process.argv[0] ?? '', process.argv[1] ?? '', 'serve', ...rest]
await import(new URL('../../out/main/earmark.js', import.meta.url).href)
