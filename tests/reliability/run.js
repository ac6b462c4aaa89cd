// `npm run reliability -- NAME [--n N --seed S --plant]` runs one of the reliability tests on the built program; without a
// name it runs them all and writes their table into docs/develop/reliability.md.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../src-main/cli/prepare.js'
import { buildPrograms } from '../support/build-programs.js'

const ALL = 'crash powerloss fulldisk corrupt instance fuzz load leak clock ssrf sync syncthing webdav hostile'.split(
  ' '
)
/** Each full run replaces everything after this mark. */
const MARK = '<!-- written by npm run reliability -->'
const given = process.argv.slice(2)
const name = given[0] === undefined || given[0].startsWith('--') ? 'all' : given[0]
const args = name === given[0] ? given.slice(1) : given
if (name !== 'all' && !ALL.includes(name)) {
  console.error(`npm run reliability -- NAME, where NAME is ${ALL.join(', ')}; without a name, all of them`)
  process.exit(2)
}

ensureBuilt()
// It starts a program that only tests have.
if (name === 'all' || name === 'hostile') await buildPrograms()
process.exit(name === 'all' ? runAll() : run(name))

/**
 * @param {string} test
 * @param {NodeJS.ProcessEnv} env
 */
function run(test, env = process.env) {
  const file = join(import.meta.dirname, `${test}.ts`)
  return spawnSync(process.execPath, ['--no-warnings', file, ...args], { stdio: 'inherit', env }).status ?? 1
}

/** Runs every test, also after one failed. A skipped test is no success. */
function runAll() {
  const folder = mkdtempSync(join(tmpdir(), 'earmark-figures-'))
  const file = join(folder, 'figures.jsonl')
  writeFileSync(file, '')
  const codes = ALL.map((test) => run(test, { ...process.env, EARMARK_RELIABILITY_FIGURES: file }))
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  rmSync(folder, { recursive: true })
  writeTable(lines.map((line) => JSON.parse(line)))
  return codes.every((code) => code === 0) ? 0 : 1
}

/** @param {{ name: string, skipped?: string, figures: import('./harness.ts').Figure[] }[]} results */
function writeTable(results) {
  const page = join(import.meta.dirname, '../../docs/develop/reliability.md')
  const rows = results.flatMap(({ name: test, skipped, figures }) =>
    skipped === undefined
      ? figures.map((one) => `| ${test} | ${one.what} | ${one.value} | ${one.target} | ${one.met ? 'yes' : 'no'} |`)
      : [`| ${test} | skipped: ${skipped} | | | |`]
  )
  const processor = `${cpus().length} cores (${cpus()[0]?.model ?? arch()}), ${Math.round(totalmem() / 2 ** 30)} GB`
  const machine = `${processor}, ${type()} ${release()}, Node ${process.versions.node}`
  const lines = [
    `On ${new Date().toISOString().slice(0, 10)}, on ${machine}${args.length > 0 ? `, with \`${args.join(' ')}\`` : ''}:`,
    '',
    '| test | what | figure | target | met |',
    '| --- | --- | --- | --- | --- |',
    ...rows
  ]
  const [before = ''] = readFileSync(page, 'utf8').split(MARK)
  writeFileSync(page, `${before}${MARK}\n\n${lines.join('\n')}\n`)
}
