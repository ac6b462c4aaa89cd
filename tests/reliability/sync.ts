/**
 * Two services with the same bookmarks: both save, both synchronize, and one or both are killed in the middle, again and
 * again. At the end both export the same, and hold every page that either acknowledged.
 *
 * The planted fault is a folder that loses the newest segment of a device before the other has read it.
 */
import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { randomFrom } from '../support/random.ts'
import { below, env, options, program, report, run, tempFolder, tried } from './support.ts'
import {
  acknowledgedMore,
  beginSync,
  compare,
  exportOf,
  figuresOf,
  joinSync,
  loseNewest,
  type Running,
  savePages,
  shownAfter,
  startMachine
} from './sync-machines.ts'

const KILLS = options.n(100)

const folder = tempFolder()
const next = randomFrom(options.seed)
const acknowledged = new Set<string>()

const { data: one, code } = beginSync(folder, 'one')
run(one, ['sync', 'now'])
const two = joinSync(folder, 'two', code)
const both = [one, two]

for (let round = 0; round < KILLS; round++) {
  const services = await Promise.all(both.map((data) => startMachine(data)))
  const saving = services.map(({ ask }, at) => savePages(ask, at, round, acknowledged))
  const syncing = both.map(syncNow)
  await acknowledgedMore(acknowledged)
  await setTimeout(next() * 500)
  const first = next() < 0.5 ? 0 : 1
  await services[first]?.end('SIGKILL')
  await services[1 - first]?.end(next() < 0.5 ? 'SIGKILL' : 'SIGTERM')
  await Promise.all([...saving, ...syncing])
}

const last = 'https://sync-last.example/'
run(one, ['add', last])
acknowledged.add(last)
run(one, ['sync', 'now'])
if (options.plant) loseNewest(folder)
for (const data of [two, one]) run(data, ['sync', 'now'])
const ended = compare(both.map(exportOf), acknowledged)

const [here, there] = (await Promise.all(both.map((data) => startMachine(data)))) as [Running, Running]
const shown = await shownAfter(here, there)
for (const service of [here, there]) await service.end('SIGTERM')

report('sync', [
  tried('kills', KILLS, 1),
  tried('acknowledged inserts', acknowledged.size, KILLS),
  ...figuresOf(ended),
  below('a saved page shows on the other', shown, 15, 's')
])

/** It may fail, or be killed with its service. */
async function syncNow(data: string): Promise<void> {
  await promisify(execFile)(process.execPath, [program, 'sync', 'now', '--json', '--data', data], { env }).catch(
    () => {}
  )
}
