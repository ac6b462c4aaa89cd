// `npm run check`, `npm test` and `npm run test:all`: what each runs, side by side where nothing waits for another, with
// one closing line that counts it all. `npm run test:all -- rest` runs what `npm test` leaves out, `npm run test:all -- full`
// the long form of every property. CONTRIBUTING.md says which is for whom.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { requireNode } from '../../src-main/serve/node-version.js'
import { installOracles } from './oracles.js'
import { playwrightOutcomes, vitestOutcomes } from './outcomes.js'

requireNode()
const { buildPrograms } = await import('./build-programs.js')
const { findTools } = await import('./tools.ts')

const root = join(import.meta.dirname, '../..')
const results = join(root, 'tests/.results')
const [, , kind = 'test', part = ''] = process.argv
if (part !== '' && !['rest', 'full'].includes(part)) {
  console.error(`There is no ${part}: npm run test:all -- rest, or npm run test:all -- full`)
  process.exit(2)
}
const env = { ...process.env, FORCE_COLOR: '0' }
if (part === 'full') env.EARMARK_TEST_FULL = '1'

let passed = 0
let skipped = 0
/** What failed, and what passed only the second time, with the first error of each. */
const failures = []
const unsteady = []
/** @type {import('./tools.ts').Tools['missing']} */
const missing = []

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
if (kind === 'all') installOracles()
if (kind === 'check') await Promise.all([checks(), vitest('units', ['unit'])])
else {
  const finding = findTools({ extensions: kind !== 'test' })
  const building = script('build')
  // Runs side by side must not each build the programs that tests start.
  await buildPrograms()
  env.EARMARK_PROGRAMS_BUILT = '1'
  const units = part === 'rest' ? undefined : vitest('units', ['unit', 'slow', 'component'])
  const checked = part === 'rest' ? undefined : building.then(checks)
  if (kind === 'test') {
    await Promise.all([
      units.then(() => programs(['built', 'keyring'])),
      checked.then(() => browser(['--grep=@smoke']))
    ])
  } else {
    // These ask a lot of the machine: one after the other.
    await Promise.all([units, checked])
    await programs(part === 'rest' ? ['extended'] : ['built', 'keyring', 'extended'])
    await browser(part === 'rest' ? ['--grep-invert=@smoke'] : [])
  }

  /** Tests that start the built program, some with a keyring that may still have to be installed. */
  async function programs(projects) {
    const [, built] = await Promise.all([finding, building])
    if (built) await vitest('built', projects)
  }

  /** Playwright's tests, with a browser that may still have to be downloaded. */
  async function browser(args) {
    const [tools, built] = await Promise.all([finding, building])
    missing.push(...tools.missing)
    Object.assign(env, tools.env)
    if (built) await playwright(args, tools)
  }
}
close()

/**
 * What needs no build and starts no program. Types are compared by one checker: each of the four there are otherwise finds
 * out much of the same again, which takes twice the work on a machine that has units to run beside it.
 */
async function checks() {
  await script('types')
  await script('lint')
  await program('unused code', ['knip'])
}

function close() {
  for (const { name, help } of missing) {
    console.log(`\nSkipped, for want of a ${name}: the tests that need one. This installs it: ${help}`)
  }
  for (const one of unsteady) console.log(`\nPassed only the second time: ${one}`)
  for (const one of failures) console.log(`\nFailed: ${one}`)
  const second = unsteady.length > 0 ? `, ${unsteady.length} of them passed only the second time` : ''
  console.log(`\nIn ${Math.round(performance.now() / 1000)} s${second}:`)
  console.log(`${passed} passed, ${failures.length} failed, ${skipped} skipped`)
  // A test that needs a second try is a failing test; only `npm test`, on whatever machine, forgives it.
  const steady = unsteady.length === 0 || kind === 'test'
  // Where tests guard what is landed nothing may be left out.
  const whole = missing.length === 0 || !process.env.CI
  process.exitCode = failures.length === 0 && steady && whole ? 0 : 1
}

/**
 * @param {string} name one of package.json's that only succeeds or fails
 * @returns {Promise<boolean>} whether it succeeded
 */
function script(name) {
  return program(name, ['npm', 'run', '-s', name])
}

/**
 * @param {string} title
 * @param {string[]} command
 * @returns {Promise<boolean>} whether it succeeded
 */
async function program(title, command) {
  const { well } = await step(title, command)
  if (well) passed += 1
  else failures.push(command.join(' '))
  return well
}

/**
 * @param {string} name what this run is called
 * @param {string[]} projects of vitest.config.ts
 */
async function vitest(name, projects) {
  const run = async (/** @type {string} */ title, /** @type {string[]} */ files) => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}/${title}.json`]
    const chosen = projects.flatMap((project) => ['--project', project])
    const { well } = await step(title, ['vitest', 'run', ...chosen, ...reporters, ...files])
    return { well, outcomes: readReport(title, vitestOutcomes) }
  }
  const { well, outcomes } = await run(name, [])
  const crashed = outcomes.filter(({ state }) => state === 'crashed')
  tally(outcomes)
  if (crashed.length === 0) return endedWell(name, well, outcomes)
  // Once more, in a process of their own: one that dies takes its file's tests along, whatever they are.
  const files = crashed.map((one) => one.name)
  const again = await run(`${name}-again`, files)
  for (const file of files) unsteady.push(`${file}, whose process died the first time`)
  tally(again.outcomes.map((one) => (one.state === 'crashed' ? { ...one, state: 'failed' } : one)))
  endedWell(name, again.well, again.outcomes)
}

/**
 * @param {string[]} args
 * @param {import('./tools.ts').Tools} tools
 */
async function playwright(args, tools) {
  env.PLAYWRIGHT_JSON_OUTPUT_FILE = `${results}/browser.json`
  const noBrowser = tools.missing.some(({ name }) => name === 'browser')
  const list = noBrowser ? ['--list'] : []
  const command = ['playwright', 'test', '-c', 'tests/playwright.config.ts', '--reporter=line,json', ...args, ...list]
  const { well } = await step('browser', command)
  const outcomes = readReport('browser', playwrightOutcomes)
  tally(noBrowser ? outcomes.map((one) => ({ ...one, state: 'skipped' })) : outcomes)
  endedWell('playwright', well, outcomes)
}

/**
 * Runs a program on the path npm scripts have. What it writes is shown where it failed.
 *
 * @param {string} title
 * @param {string[]} command
 * @returns {Promise<{ well: boolean }>}
 */
async function step(title, [name = '', ...args]) {
  const begun = performance.now()
  const child = spawn(name, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32'
  })
  const ended = new Promise((resolve) => child.once('error', resolve).once('close', resolve))
  const written = await Promise.all([text(child.stdout), text(child.stderr)])
  const code = await ended
  const seconds = Math.round((performance.now() - begun) / 1000)
  if (code instanceof Error) written.push(code.message)
  console.log(code === 0 ? `${title}: well, in ${seconds} s` : `\n> ${[name, ...args].join(' ')}\n${written.join('')}`)
  return { well: code === 0 }
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
