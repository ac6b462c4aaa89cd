/**
 * `npm run test:hosts [-- NAME…] [-- --write]`: agent hosts and libraries themselves, each as npm has it, with a stand-in
 * for its model and exactly what `earmark connect` and the dashboard's snippets wrote into an empty home. Prints host by
 * check, and ends with 1 where one fails that is not known to. They are installed once, into node_modules/.cache, each into
 * a folder of its own. `--write` puts the table of all of them into docs/hosts.md.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CHECKS, checkHost, type Outcome } from './check-host.ts'
import { HOST_PROGRAMS, type HostProgram } from './hosts.ts'
import { startModelServer } from './model-server.ts'
import { judge, writeTable } from './table.ts'

const root = join(import.meta.dirname, '../..')
const cache = process.env.EARMARK_HOSTS ?? join(root, 'node_modules/.cache/earmark-hosts')
/** A package that takes longer is not had, in milliseconds. */
const INSTALL_MS = 600_000

const { values, positionals: wanted } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } })
const unknown = wanted.filter((id) => !HOST_PROGRAMS.some((host) => host.id === id))
if (unknown.length > 0) throw new Error(`There is no host ${unknown.join(', ')}.`)
if (values.write && wanted.length > 0) throw new Error('The table is of all hosts: give no name with --write.')

const hosts = HOST_PROGRAMS.filter(({ id }) => wanted.length === 0 || wanted.includes(id))
const model = await startModelServer()
const outcomes: Outcome[] = []
for (const host of hosts) {
  for (const transport of ['stdio', 'http'] as const) {
    const outcome = await check(host, transport)
    outcomes.push(outcome)
    for (const line of judge(outcome).lines) console.log(`${host.name} over ${transport}: ${line}`)
  }
}
model.close()
console.table(
  Object.fromEntries(outcomes.map((outcome) => [`${outcome.host.name}, ${outcome.transport}`, judge(outcome).cells]))
)
const missed = outcomes.flatMap((outcome) => judge(outcome).missed)
console.log(
  missed.length === 0 ? 'All hosts can search, save and say what is wrong.' : `${missed.length} checks failed.`
)
if (values.write) writeTable(join(root, 'docs/hosts.md'), outcomes)
process.exitCode = missed.length === 0 ? 0 : 1

async function check(host: HostProgram, transport: Outcome['transport']): Promise<Outcome> {
  const folder = join(cache, host.id)
  const problem = install(host, folder)
  if (problem !== undefined) {
    return { host, transport, checks: Object.fromEntries(CHECKS.map((name) => [name, problem])), tools: [] }
  }
  return checkHost(host, commandOf(host, folder), { model, transport })
}

/** A library's agent lies beside the library, where Node finds it. */
function commandOf(host: HostProgram, folder: string): string[] {
  if (host.bin !== undefined) return [join(folder, 'node_modules/.bin', host.bin)]
  const agent = join(folder, 'agent.mjs')
  copyFileSync(join(root, 'tests/hosts/agents', `${host.id}.js`), agent)
  return [process.execPath, agent]
}

/** Says why it cannot be had, if it cannot. */
function install({ packages }: HostProgram, folder: string): string | undefined {
  if (packages.every((wanted) => wanted === installed(folder, wanted))) return
  console.log(`Installing ${packages.join(', ')}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const args = ['install', '--no-audit', '--no-fund', '--save-exact', ...packages]
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, stdio: 'pipe', timeout: INSTALL_MS })
  if (status !== 0) return `could not be installed: ${String(stderr).trim().slice(-300)}`
}

/** The package in the version that is there. */
function installed(folder: string, wanted: string): string | undefined {
  const name = wanted.slice(0, wanted.lastIndexOf('@'))
  const file = join(folder, 'node_modules', name, 'package.json')
  return existsSync(file) ? `${name}@${JSON.parse(readFileSync(file, 'utf8')).version}` : undefined
}
