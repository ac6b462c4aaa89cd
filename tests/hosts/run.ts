/**
 * `npm run test:hosts [-- NAME…]`: the command-line hosts themselves, each as npm has it, with a stand-in for its model
 * and exactly what `earmark connect` and the dashboard's snippets wrote into an empty home. Prints host by check, and ends
 * with 1 where one fails. The hosts are installed once, into node_modules/.cache.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkHost } from './check-host.ts'
import { HOST_PROGRAMS, type HostProgram } from './hosts.ts'
import { startModelServer } from './model-server.ts'

const root = join(import.meta.dirname, '../..')
const cache = process.env.EARMARK_HOSTS ?? join(root, 'node_modules/.cache/earmark-hosts')

const wanted = process.argv.slice(2)
const hosts = HOST_PROGRAMS.filter(({ id }) => wanted.length === 0 || wanted.includes(id))
install(hosts)
const model = await startModelServer()
const table: Record<string, Record<string, string>> = {}
for (const host of hosts) {
  const checks = await checkHost(host, join(cache, 'node_modules/.bin', host.bin), model)
  table[host.name] = checks
  for (const [check, outcome] of Object.entries(checks)) console.log(`${host.name}: ${check}: ${outcome}`)
}
model.close()
console.table(table)
const missed = Object.values(table).flatMap((checks) => Object.values(checks).filter((outcome) => outcome !== 'ok'))
console.log(
  missed.length === 0 ? 'All hosts can search, save and say what is wrong.' : `${missed.length} checks failed.`
)
process.exitCode = missed.length === 0 ? 0 : 1

function install(programs: HostProgram[]): void {
  const missing = programs.filter(({ bin }) => !existsSync(join(cache, 'node_modules/.bin', bin)))
  if (missing.length === 0) return
  console.log(`Installing ${missing.map((host) => host.package).join(', ')}`)
  mkdirSync(cache, { recursive: true })
  if (!existsSync(join(cache, 'package.json'))) writeFileSync(join(cache, 'package.json'), '{"private":true}\n')
  const packages = missing.map((host) => host.package)
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...packages], {
    cwd: cache,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  if (status !== 0) throw new Error('The hosts could not be installed.')
}
