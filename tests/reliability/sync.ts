/**
 * Two services with the same bookmarks: both save, both synchronize, and one or both are killed in the middle, again and
 * again. At the end both export the same, and hold every page that either acknowledged.
 *
 * The planted fault is a folder that loses the newest segment of a device before the other has read it.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { randomFrom } from '../support/random.ts'
import { below, call, env, kept, makeKey, options, program, report, run, start, tempFolder, tried } from './support.ts'

const KILLS = options.n(100)
const BOTH = [0, 1] as const

const folder = tempFolder()
const machines = BOTH.map(() => {
  const data = tempFolder()
  return { data, key: makeKey(data) }
})
const next = randomFrom(options.seed)
const acknowledged = new Set<string>()

const { code } = run(dataOf(0), ['sync', 'folder', folder, '--name', 'one']) as { code: string }
run(dataOf(0), ['sync', 'now'])
run(dataOf(1), ['sync', 'folder', folder, '--name', 'two', '--code', code])

for (let round = 0; round < KILLS; round++) {
  const services = await Promise.all(machines.map(({ data }) => start(data)))
  const saving = BOTH.map((at) => insert(services[at]?.url ?? '', at, round))
  const syncing = BOTH.map((at) => syncNow(dataOf(at)))
  await acknowledgedMore()
  await setTimeout(next() * 500)
  const first = next() < 0.5 ? 0 : 1
  await services[first]?.end('SIGKILL')
  await services[1 - first]?.end(next() < 0.5 ? 'SIGKILL' : 'SIGTERM')
  await Promise.all([...saving, ...syncing])
}

const last = 'https://sync-last.example/'
run(dataOf(0), ['add', last])
acknowledged.add(last)
for (const at of [0, 1, 0] as const) {
  if (options.plant && at === 1) loseNewest()
  run(dataOf(at), ['sync', 'now'])
}
const exported = BOTH.map((at) => exportOf(dataOf(at)))
const [one = [], two = []] = exported
const texts = exported.map((lines) => lines.join('\n'))
const lost = [...acknowledged].filter((url) => texts.some((text) => !text.includes(`"${url}"`))).length
const differ = one.filter((line) => !two.includes(line)).length + two.filter((line) => !one.includes(line)).length

report('sync', [
  tried('kills', KILLS, 1),
  tried('acknowledged inserts', acknowledged.size, KILLS),
  kept(lost),
  { what: 'records that differ at the end', value: String(differ), target: '0', met: differ === 0 },
  below('a saved page shows on the other', await shownAfter(), 15, 's')
])

function dataOf(at: 0 | 1): string {
  return machines[at]?.data ?? ''
}

/** Saves pages of which the two know some before each other. */
async function insert(url: string, at: 0 | 1, round: number): Promise<void> {
  const key = machines[at]?.key ?? ''
  for (let number = 0; number < 40; number++) {
    const address = `https://sync-${round}.example/${number % 4 === 0 ? 'both' : at}/${number}`
    const answer = await call(url, key, 'bookmarks.insert', { urls: address }).catch(() => undefined)
    if (!answer) return
    if (answer.payload.saved === 1) acknowledged.add(address)
  }
}

/** Waits for an insert to be acknowledged, a while at most: the report says how many were. */
async function acknowledgedMore(): Promise<void> {
  const before = acknowledged.size
  for (const end = Date.now() + 10_000; acknowledged.size === before && Date.now() < end; ) await setTimeout(5)
}

/** It may fail, or be killed with its service. */
async function syncNow(data: string): Promise<void> {
  await promisify(execFile)(process.execPath, [program, 'sync', 'now', '--json', '--data', data], { env }).catch(
    () => {}
  )
}

/** All records of an export, in an order of its own. */
function exportOf(data: string): string[] {
  const file = join(tempFolder(), 'all.jsonl')
  run(data, ['export', file])
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"bookmark"'))
    .sort()
}

/** Until a page that one saves is found on the other, in seconds, while both run and nobody says anything. */
async function shownAfter(): Promise<number> {
  const services = await Promise.all(machines.map(({ data }) => start(data)))
  const [here, there] = services
  await call(here?.url ?? '', machines[0]?.key ?? '', 'bookmarks.insert', { urls: 'https://shown.example/' })
  const begun = performance.now()
  for (let shown = false; !shown && performance.now() - begun < 30_000; await setTimeout(200)) {
    const query = { search: 'site:shown.example' }
    const { payload } = await call(there?.url ?? '', machines[1]?.key ?? '', 'bookmarks.search', query)
    shown = payload.total === 1
  }
  const seconds = (performance.now() - begun) / 1000
  for (const service of services) await service.end('SIGTERM')
  return seconds
}

function loseNewest(): void {
  const ours = join(folder, 'earmark-sync')
  for (const device of readdirSync(ours).filter((name) => name.length === 32)) {
    const newest = readdirSync(join(ours, device)).sort().at(-1)
    if (newest) rmSync(join(ours, device, newest))
  }
}
