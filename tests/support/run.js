// `npm test`: everything, in the order that fails fastest, with one closing line that counts it all, after what failed
// and what passed only the second time. With `--full` (`npm run test:full`) properties are tried as often as they are
// promised to hold.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { findTools } from './tools.js'

const root = join(import.meta.dirname, '../..')
const results = join(root, 'tests/.results')
// Every library opened starts threads, which would compile the same sources hundreds of times.
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/earmark-tests')
const env = { ...process.env, CHROMIUM_PATH: findTools(), FORCE_COLOR: '0', NODE_COMPILE_CACHE }
if (process.argv.includes('--full')) env.EARMARK_TEST_FULL = '1'

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

let passed = 0
let skipped = 0
/** What failed, and what passed only the second time, with the first error of each. */
const failures = []
const unsteady = []

// Each of these is busy on one core only.
await Promise.all(
  ['types', 'lint', 'unused', 'build'].map(async (script) => {
    if (await quietStep(['npm', 'run', '-s', script])) passed += 1
    else failures.push(`npm run ${script}`)
  })
)
if (failures.length === 0) {
  const vitest = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}/vitest.json`]
  tally('vitest', step(['vitest', 'run', ...vitest]), vitestOutcomes)
  env.PLAYWRIGHT_JSON_OUTPUT_FILE = `${results}/playwright.json`
  const playwright = ['-c', 'tests/playwright.config.ts', '--reporter=line,json']
  tally('playwright', step(['playwright', 'test', ...playwright]), playwrightOutcomes)
}

for (const one of unsteady) console.log(`\nPassed only the second time: ${one}`)
for (const one of failures) console.log(`\nFailed: ${one}`)
const second = unsteady.length > 0 ? ` (${unsteady.length} only the second time)` : ''
console.log(`\n${passed} passed${second}, ${failures.length} failed, ${skipped} skipped`)
process.exit(failures.length > 0 ? 1 : 0)

/**
 * @param {string[]} command a program on the path npm scripts have, and its arguments
 * @returns {boolean} whether it ended well
 */
function step([name = '', ...args]) {
  console.log(`\n> ${[name, ...args].join(' ')}`)
  const { status, error } = spawnSync(name, args, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32'
  })
  if (error) console.error(error.message)
  return status === 0
}

/**
 * The same beside others: what it writes is shown once it has ended.
 *
 * @param {string[]} command
 * @returns {Promise<boolean>}
 */
async function quietStep([name = '', ...args]) {
  const child = spawn(name, args, { cwd: root, env, shell: process.platform === 'win32' })
  const ended = new Promise((resolve) => child.once('error', resolve).once('close', resolve))
  const [code, ...written] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  console.log(`\n> ${[name, ...args].join(' ')}\n${written.join('')}`.trimEnd())
  if (code instanceof Error) console.error(code.message)
  return code === 0
}

/**
 * Counts what a runner reports. One that ended badly without a failed test to show for it counts as one failure.
 *
 * @param {string} runner its report is `<runner>.json`
 * @param {boolean} well
 * @param {(report: any) => Outcome[]} read
 */
function tally(runner, well, read) {
  const before = failures.length
  try {
    for (const { name, state, error } of read(JSON.parse(readFileSync(join(results, `${runner}.json`), 'utf8')))) {
      if (state === 'skipped') skipped += 1
      else if (state === 'failed') failures.push(`${name}\n${error}`)
      else passed += 1
      if (state === 'passed' && error) unsteady.push(`${name}\n${error}`)
    }
  } catch (error) {
    failures.push(`${runner} left no report: ${error}`)
  }
  if (!well && failures.length === before) failures.push(`${runner} ended badly; see above`)
}

/**
 * @typedef {{ name: string, state: 'passed' | 'failed' | 'skipped', error: string | undefined }} Outcome one test, and
 *   why it failed the first time
 */

/**
 * @param {any} report
 * @returns {Outcome[]}
 */
function vitestOutcomes({ testResults }) {
  return testResults.flatMap((/** @type {any} */ file) => {
    const name = relative(root, file.name)
    // A file that could not be run has no tests.
    if (file.status === 'failed' && file.assertionResults.length === 0)
      return [{ name, state: 'failed', error: firstLines(file.message) }]
    return file.assertionResults.map((/** @type {any} */ test) => ({
      name: `${name} › ${test.fullName}`,
      state: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
      error: firstLines(test.failureMessages[0])
    }))
  })
}

/**
 * @param {any} report
 * @returns {Outcome[]}
 */
function playwrightOutcomes({ suites }) {
  const specs = (/** @type {any} */ suite) => [...suite.specs, ...(suite.suites ?? []).flatMap(specs)]
  return suites.flatMap(specs).flatMap((/** @type {any} */ spec) =>
    spec.tests.map((/** @type {any} */ test) => ({
      name: `tests/e2e/${spec.file}:${spec.line} › ${spec.title}`,
      state: test.status === 'skipped' ? 'skipped' : test.status === 'unexpected' ? 'failed' : 'passed',
      error: firstLines(test.results.find((/** @type {any} */ result) => result.error)?.error.message)
    }))
  )
}

/** @param {string | undefined} text */
function firstLines(text) {
  return text && stripVTControlCharacters(text).split('\n').slice(0, 8).join('\n')
}
