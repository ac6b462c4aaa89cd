// `npm test`: everything, in the order that fails fastest, with one closing line that counts it all. With `--full`
// (`npm run test:full`) properties are tried as often as they are promised to hold.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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
let unsteady = 0
let failed = 0
let skipped = 0

for (const script of ['lint', 'types', 'unused', 'build'])
  count(step(['npm', 'run', '-s', script]) ? 'passed' : 'failed')
if (failed === 0) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}/vitest.json`]
  tally(step(['vitest', 'run', ...reporters]), `${results}/vitest.json`, (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests
  }))
  env.PLAYWRIGHT_JSON_OUTPUT_FILE = `${results}/playwright.json`
  tally(
    step(['playwright', 'test', '-c', 'tests/playwright.config.ts', '--reporter=line,json']),
    `${results}/playwright.json`,
    ({ stats }) => {
      unsteady += stats.flaky
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
    }
  )
}

const second = unsteady > 0 ? ` (${unsteady} only the second time)` : ''
console.log(`${passed} passed${second}, ${failed} failed, ${skipped} skipped`)
process.exit(failed > 0 ? 1 : 0)

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

/** @param {'passed' | 'failed'} outcome */
function count(outcome) {
  if (outcome === 'passed') passed += 1
  else failed += 1
}

/**
 * Adds a runner's own counts. A runner that ended badly without a failed test to show for it counts as one failure.
 *
 * @param {boolean} well
 * @param {string} file the runner's JSON report
 * @param {(report: any) => { passed: number, failed: number, skipped: number }} read
 */
function tally(well, file, read) {
  try {
    const counts = read(JSON.parse(readFileSync(file, 'utf8')))
    passed += counts.passed
    failed += counts.failed
    skipped += counts.skipped
    if (!well && counts.failed === 0) failed += 1
  } catch {
    failed += 1
  }
}
