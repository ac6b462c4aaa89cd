// Runs the tests: `npm test`, and `npm run test:all` with everything. `npm run test:all -- rest` runs what `npm test` leaves
// out, `npm run test:all -- full` the long form of every property. The last line counts the results.
import { execSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import concurrently from 'concurrently'
import { requireNode } from '../src-main/cli/prepare.js'

requireNode()
const { buildPrograms } = await import('./support/build-programs.js')
const { installTools } = await import('./support/tools.ts')

const RESULTS = 'tests/.results'
const [, , kind = 'test', part = 'whole'] = process.argv
const parts = kind === 'all' ? ['whole', 'rest', 'full'] : ['whole']
if (!['test', 'all'].includes(kind) || !parts.includes(part)) {
  console.error('npm test, npm run test:all, npm run test:all -- rest, or npm run test:all -- full')
  process.exit(2)
}
const missing = await installTools()
const isBrowserMissing = missing.some((tool) => tool.startsWith('a browser'))

const types = { name: 'types', command: 'npm run -s types' }
const lint = { name: 'lint', command: 'npm run -s lint' }
const units = vitest('units', ['unit', 'slow', 'component'])
const commands = {
  test: [units, types, lint, browser('--grep=@smoke'), vitest('built', ['built', 'keyring'])],
  whole: [units, types, lint, vitest('built', ['built', 'keyring', 'extended']), browser('')],
  rest: [vitest('extended', ['extended']), browser('--grep-invert=@smoke')]
}[kind === 'test' ? 'test' : part === 'rest' ? 'rest' : 'whole']

rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })
if (part === 'full') process.env.EARMARK_TEST_FULL = '1'
if (kind === 'all') {
  // The conformance suite, the Inspector and older clients.
  execSync('npm ci --prefix tests --ignore-scripts --no-audit --no-fund --loglevel=error', { stdio: 'inherit' })
}
execSync('npm run -s build', { stdio: 'inherit' })
// Runs side by side must not each build the programs that tests start.
await buildPrograms()
process.env.EARMARK_PROGRAMS_BUILT = '1'

// Extended tests need the machine for themselves.
const { result } = concurrently(commands, { maxProcesses: kind === 'all' ? 1 : 2, prefixColors: 'auto' })
const events = await result.catch((/** @type {import('concurrently').CloseEvent[]} */ closed) => closed)

const total = { passed: 0, failed: 0, skipped: 0 }
for (const { command, exitCode } of events) {
  const { passed, failed, skipped } = readReport(command.name)
  total.passed += passed
  total.skipped += skipped
  // A linter, or a run that ended without a report or outside of any test, is one failure.
  total.failed += failed === 0 && exitCode !== 0 ? 1 : failed
  if (exitCode !== 0) console.log(`\nFailed: ${command.name} (${command.command})`)
}
for (const tool of missing) console.log(`\nSkipped the tests that need ${tool}`)
console.log(`\nIn ${Math.round(performance.now() / 1000)} s:`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
// In continuous integration nothing may be left out.
process.exitCode = total.failed > 0 || (missing.length > 0 && process.env.CI) ? 1 : 0

/**
 * @param {string} name of the run
 * @param {string[]} projects of vitest.config.ts
 */
function vitest(name, projects) {
  const chosen = projects.map((project) => `--project=${project}`).join(' ')
  const reporters = `--reporter=default --reporter=json --outputFile.json=${RESULTS}/${name}.json`
  return { name, command: `vitest run ${chosen} ${reporters}` }
}

/** @param {string} filter */
function browser(filter) {
  const list = isBrowserMissing ? '--list' : ''
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: `${RESULTS}/browser.json` }
  return { name: 'browser', command: `playwright test --reporter=line,json ${filter} ${list}`, env }
}

/** @param {string} name */
function readReport(name) {
  try {
    const report = JSON.parse(readFileSync(`${RESULTS}/${name}.json`, 'utf8'))
    const { stats } = report
    if (!stats) return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests }
    if (isBrowserMissing) return { passed: 0, failed: 0, skipped: countSpecs(report) }
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }
  }
}

/**
 * @param {any} suite of Playwright's report
 * @returns {number}
 */
function countSpecs({ specs = [], suites = [] }) {
  return suites.reduce((/** @type {number} */ sum, /** @type {any} */ suite) => sum + countSpecs(suite), specs.length)
}
