/**
 * `npm run test:hosts [-- NAME…] [-- --write]`: real agent hosts and libraries from npm, with a stand-in for their model and exactly
 * what `earmark connect` and the dashboard's snippets write into an empty home. Prints a table of hosts and checks, and exits
 * with 1 if a check fails that is not known to fail. The hosts are installed once, into folders of node_modules/.cache.
 * `--write` puts the table of all hosts into docs/develop/hosts.md.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CHECKS, checkHost, type Outcome } from './check-host.ts'
import { HOST_PROGRAMS, type HostProgram } from './hosts.ts'
import { startModelServer } from './model-server.ts'

const root = join(import.meta.dirname, '../..')
const cache = process.env.EARMARK_HOSTS ?? join(root, 'node_modules/.cache/earmark-hosts')
const INSTALL_TIMEOUT_MS = 600_000
/** Each run with `--write` replaces everything after this mark. */
const MARK = '<!-- written by npm run test:hosts -- --write -->'

const { values, positionals: names } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } })
const unknown = names.filter((id) => !HOST_PROGRAMS.some((host) => host.id === id))
if (unknown.length > 0) throw new Error(`There is no host ${unknown.join(', ')}.`)
if (values.write && names.length > 0) throw new Error('The table is of all hosts: give no name with --write.')

const model = await startModelServer()
const outcomes: Outcome[] = []
for (const host of HOST_PROGRAMS.filter(({ id }) => names.length === 0 || names.includes(id))) {
  for (const transport of ['stdio', 'http'] as const) {
    const outcome = await check(host, transport)
    outcomes.push(outcome)
    const title = `${host.name} over ${transport}`
    for (const name of CHECKS) console.log(`${title}: ${name}: ${outcome.checks[name]} (${judge(outcome, name)})`)
    console.log(`${title}: names: ${outcome.tools.join(', ')}; with a dot: ${outcome.dotted ?? 'not tried'}`)
  }
}
model.close()
const rows = outcomes.map((outcome) => [
  `${outcome.host.name}, ${outcome.transport}`,
  Object.fromEntries(CHECKS.map((name) => [name, judge(outcome, name)]))
])
console.table(Object.fromEntries(rows))
const failures = outcomes.flatMap((outcome) => CHECKS.filter((name) => judge(outcome, name) === 'no'))
console.log(failures.length > 0 ? `${failures.length} checks failed.` : 'All hosts can search, save and report errors.')
if (values.write) writeTable(join(root, 'docs/develop/hosts.md'))
process.exitCode = failures.length > 0 ? 1 : 0

async function check(host: HostProgram, transport: Outcome['transport']): Promise<Outcome> {
  const folder = join(cache, host.id)
  const problem = install(host, folder)
  if (problem === undefined) return checkHost(host, commandOf(host, folder), { model, transport })
  return { host, transport, checks: Object.fromEntries(CHECKS.map((name) => [name, problem])), tools: [] }
}

/** A library's agent is copied beside the library, so that Node finds the library. */
function commandOf(host: HostProgram, folder: string): string[] {
  if (host.bin !== undefined) return [join(folder, 'node_modules/.bin', host.bin)]
  const agent = join(folder, 'agent.mjs')
  copyFileSync(join(root, 'tests/hosts/agents', `${host.id}.js`), agent)
  return [process.execPath, agent]
}

/** Installs a host's packages if they are missing. Returns the problem if that fails. */
function install({ packages }: HostProgram, folder: string): string | undefined {
  const isInstalled = (wanted: string) => {
    const [name, version] = [wanted.slice(0, wanted.lastIndexOf('@')), wanted.slice(wanted.lastIndexOf('@') + 1)]
    const file = join(folder, 'node_modules', name, 'package.json')
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version
  }
  if (packages.every(isInstalled)) return undefined
  console.log(`Installing ${packages.join(', ')}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const args = ['install', '--no-audit', '--no-fund', '--save-exact', ...packages]
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, stdio: 'pipe', timeout: INSTALL_TIMEOUT_MS })
  return status === 0 ? undefined : `could not be installed: ${String(stderr).trim().slice(-300)}`
}

/** Returns `known` for a check that is known to fail and does. One that unexpectedly works is a failure too. */
function judge({ host, transport, checks }: Outcome, name: string): 'yes' | 'no' | 'known' {
  const works = checks[name] === 'ok'
  if (host.misses?.[`${transport} ${name}`] === undefined) return works ? 'yes' : 'no'
  return works ? 'no' : 'known'
}

function writeTable(page: string): void {
  const rows = outcomes.map((outcome) => {
    const { host, transport, tools, dotted = '' } = outcome
    const [, name, result = ''] = /^(.*?): (.*)$/s.exec(dotted) ?? []
    const cells = [
      `${host.name} (\`${host.packages[0]}\`)`,
      transport,
      ...CHECKS.map((check) => judge(outcome, check)),
      tools.map((tool) => `\`${tool}\``).join(' '),
      name === undefined ? '' : `\`${name}\`: ${result.replaceAll('|', '/')}`
    ]
    return `| ${cells.join(' | ')} |`
  })
  const notes = outcomes.flatMap(({ host, transport, checks }) =>
    CHECKS.filter((name) => checks[name] !== 'ok').map((name) => {
      const reason = host.misses?.[`${transport} ${name}`] ?? `\`${checks[name]?.replaceAll('`', "'")}\``
      return `- ${host.name}, ${transport}, ${name}: ${reason}`
    })
  )
  const lines = [
    `On ${new Date().toISOString().slice(0, 10)}, with Node ${process.versions.node}:`,
    '',
    `| host | over | ${CHECKS.join(' | ')} | names its model is told | names with a dot |`,
    `|${' --- |'.repeat(CHECKS.length + 4)}`,
    ...rows,
    ...(notes.length > 0 ? ['', 'What does not work, and why:', '', ...notes] : [])
  ]
  const [before = ''] = readFileSync(page, 'utf8').split(MARK)
  writeFileSync(page, `${before}${MARK}\n\n${lines.join('\n')}\n`)
}
