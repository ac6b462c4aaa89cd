// `npm run reliability -- NAME [--n N --seed S --plant]` runs one of the reliability tests on the built program; without a
// name it runs them all and writes their table into docs/reliability.md.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../src-main/serve/build.js'
import { buildPrograms } from '../support/build-programs.js'

const ALL = [
  'crash',
  'powerloss',
  'fulldisk',
  'corrupt',
  'instance',
  'fuzz',
  'load',
  'leak',
  'clock',
  'ssrf',
  'timing',
  'sync',
  'syncthing',
  'webdav',
  'hostile'
]
/** What is behind it is written anew by each run. */
const MARK = '<!-- written by npm run reliability -->'
const root = join(import.meta.dirname, '../..')
const given = process.argv.slice(2)
const name = given[0] === undefined || given[0].startsWith('--') ? 'all' : given[0]
const args = name === given[0] ? given.slice(1) : given
if (name !== 'all' && !ALL.includes(name)) {
  console.error(`npm run reliability -- NAME, where NAME is ${ALL.join(', ')}; without a name, all of them`)
  process.exit(2)
}

ensureBuilt()
// One of them is a program of the tests' own.
if (name === 'all' || name === 'hostile') await buildPrograms()
if (name === 'all') runAll()
else process.exit(run(name))

/**
 * @param {string} test
 * @param {NodeJS.ProcessEnv} env
 */
function run(test, env = process.env) {
  const file = join(import.meta.dirname, `${test}.ts`)
  return spawnSync(process.execPath, ['--no-warnings', file, ...args], { stdio: 'inherit', env }).status ?? 1
}

/** Each of them, whatever becomes of those before. */
function runAll() {
  const folder = mkdtempSync(join(tmpdir(), 'earmark-figures-'))
  const file = join(folder, 'figures.jsonl')
  writeFileSync(file, '')
  const codes = ALL.map((test) => run(test, { ...process.env, EARMARK_RELIABILITY_FIGURES: file }))
  const found = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  rmSync(folder, { recursive: true })
  writeTable(found)
  // What could not be tried is said, and is no success of the whole.
  process.exit(codes.every((code) => code === 0) ? 0 : 1)
}

/** @param {{ name: string, skipped?: string, figures: { what: string, value: string, target: string, met: boolean }[] }[]} found */
function writeTable(found) {
  const page = join(root, 'docs/reliability.md')
  const rows = found.flatMap(({ name: test, skipped, figures }) =>
    skipped === undefined
      ? figures.map(
          ({ what, value, target, met }) => `| ${test} | ${what} | ${value} | ${target} | ${met ? 'yes' : 'no'} |`
        )
      : [`| ${test} | skipped: ${skipped} | | | |`]
  )
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? arch()}), ${gigabytes} GB, ${type()} ${release()}, Node ${process.versions.node}`
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
