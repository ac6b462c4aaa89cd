// `npm test`: everything, with one closing line that counts it all, after what failed and what passed only the second
// time. `npm run check` is its first part alone: format, lint, types, unused code, and the unit and architecture tests.
// With `--full` (`npm run test:full`) properties are tried as often as they are promised to hold.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { installOracles } from './oracles.js'
import { playwrightOutcomes, vitestOutcomes } from './outcomes.js'
import { findExtensionBrowser, findTools } from './tools.js'

const root = join(import.meta.dirname, '../..')
const results = join(root, 'tests/.results')
const onlyCheck = process.argv.includes('--check')
const env = { ...process.env, FORCE_COLOR: '0' }
if (process.argv.includes('--full')) env.EARMARK_TEST_FULL = '1'
installOracles()
// Some tests of units ask for the keyring too.
env.CHROMIUM_PATH = findTools()
env.EXTENSION_CHROMIUM_PATH = (!onlyCheck && findExtensionBrowser()) || ''
if (!onlyCheck && !env.EXTENSION_CHROMIUM_PATH) {
  console.log('No Chromium that loads extensions: the tests of the browser extension are skipped. On Debian: chromium')
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

let passed = 0
let skipped = 0
/** What failed, and what passed only the second time, with the first error of each. */
const failures = []
const unsteady = []

// Each of these is busy on one core only.
const steps = Promise.all(['types', 'lint', 'unused', ...(onlyCheck ? [] : ['build'])].map(script))
if (onlyCheck) await Promise.all([steps, vitest(['unit'])])
else {
  await steps
  if (failures.length === 0) await vitest(['unit', 'built'])
  if (failures.length === 0) await playwright()
}

for (const one of unsteady) console.log(`\nPassed only the second time: ${one}`)
for (const one of failures) console.log(`\nFailed: ${one}`)
const second = unsteady.length > 0 ? ` (${unsteady.length} only the second time)` : ''
const seconds = Math.round(performance.now() / 1000)
console.log(`\n${passed} passed${second}, ${failures.length} failed, ${skipped} skipped, in ${seconds} s`)
process.exit(failures.length > 0 ? 1 : 0)

/** @param {string} name one of package.json's that only succeeds or fails */
async function script(name) {
  if (await step(['npm', 'run', '-s', name], { quiet: true })) passed += 1
  else failures.push(`npm run ${name}`)
}

/** @param {string[]} projects */
async function vitest(projects) {
  const run = async (/** @type {string} */ report, /** @type {string[]} */ files) => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}/${report}.json`]
    const chosen = projects.flatMap((name) => ['--project', name])
    const well = await step(['vitest', 'run', ...chosen, ...reporters, ...files], { quiet: onlyCheck })
    return { well, outcomes: readReport(report, vitestOutcomes) }
  }
  const { well, outcomes } = await run('vitest', [])
  const crashed = outcomes.filter(({ state }) => state === 'crashed')
  tally(outcomes)
  if (crashed.length === 0) return endedWell('vitest', well, outcomes)
  // Once more, in a process of their own: one that dies takes its file's tests along, whatever they are.
  const again = await run(
    'vitest-again',
    crashed.map(({ name }) => name)
  )
  for (const { name } of crashed) unsteady.push(`${name}, whose process died the first time`)
  tally(again.outcomes.map((one) => (one.state === 'crashed' ? { ...one, state: 'failed' } : one)))
  endedWell('vitest', again.well, again.outcomes)
}

async function playwright() {
  env.PLAYWRIGHT_JSON_OUTPUT_FILE = `${results}/playwright.json`
  const well = await step(['playwright', 'test', '-c', 'tests/playwright.config.ts', '--reporter=line,json'])
  const outcomes = readReport('playwright', playwrightOutcomes)
  tally(outcomes)
  endedWell('playwright', well, outcomes)
}

/**
 * Runs a program on the path npm scripts have. What a quiet one writes, beside others, is shown only where it failed.
 *
 * @param {string[]} command
 * @param {{ quiet?: boolean }} options
 * @returns {Promise<boolean>} whether it ended well
 */
async function step([name = '', ...args], { quiet = false } = {}) {
  const title = `\n> ${[name, ...args].join(' ')}`
  if (!quiet) console.log(title)
  const stdio = /** @type {const} */ (quiet ? 'pipe' : 'inherit')
  const child = spawn(name, args, { cwd: root, env, stdio, shell: process.platform === 'win32' })
  const ended = new Promise((resolve) => child.once('error', resolve).once('close', resolve))
  const written = await Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
  const code = await ended
  if (quiet) console.log(code === 0 ? `${title}: well` : `${title}\n${written.join('')}`)
  if (code instanceof Error) console.error(code.message)
  return code === 0
}

/**
 * @param {string} name
 * @param {(report: any) => import('./outcomes.js').Outcome[]} read
 * @returns {import('./outcomes.js').Outcome[]}
 */
function readReport(name, read) {
  try {
    return read(JSON.parse(readFileSync(join(results, `${name}.json`), 'utf8')))
  } catch (error) {
    return [{ name, state: 'failed', error: `left no report: ${error}` }]
  }
}

/** @param {import('./outcomes.js').Outcome[]} outcomes */
function tally(outcomes) {
  for (const { name, state, error } of outcomes) {
    if (state === 'skipped') skipped += 1
    else if (state === 'failed') failures.push(`${name}\n${error}`)
    else if (state === 'passed') passed += 1
    if (state === 'passed' && error) unsteady.push(`${name}\n${error}`)
  }
}

/**
 * A runner that ended badly without a failed test to show for it failed all the same: it left something behind.
 *
 * @param {string} name
 * @param {boolean} well
 * @param {import('./outcomes.js').Outcome[]} outcomes
 */
function endedWell(name, well, outcomes) {
  if (!well && outcomes.every(({ state }) => state !== 'failed')) failures.push(`${name} ended badly; see above`)
}
