/**
 * Two services with the same bookmarks: both save, both synchronize, and both are ended in the middle, at least one of them
 * by a kill, again and again. At the end both export the same, and have every page that either acknowledged.
 *
 * The planted fault is a folder that loses the newest segment of a machine before the other has read it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { runJson } from '../support/earmark.ts'
import { atLeast, atMost, options, random, report, tempFolder } from './harness.ts'
import {
  anotherPage,
  compare,
  comparisonFigures,
  loseNewest,
  type Machine,
  makeMachines,
  timeToArrive
} from './machines.ts'

const KILLS = options.n(100)
const folder = tempFolder()
const machines = (await makeMachines([folder, folder], ['one', 'two'])) as [Machine, Machine]
const [one, two] = machines

for (let round = 0; round < KILLS; round++) {
  await Promise.all(machines.map((machine) => machine.start()))
  const working = machines.flatMap((machine) => [
    machine.savePages(round),
    // May fail, or be killed with its service.
    machine.syncCommand().catch(() => {})
  ])
  await anotherPage(one)
  await sleep(random() * 500)
  const [first, second] = random() < 0.5 ? [one, two] : [two, one]
  await first.end('SIGKILL')
  await second.end(random() < 0.5 ? 'SIGKILL' : 'SIGTERM')
  await Promise.all(working)
}

const lastPage = 'https://sync-last.example/'
await runJson(one.data, ['add', lastPage])
one.acknowledged.add(lastPage)
await one.syncCommand()
if (options.plant) loseNewest(folder)
for (const machine of [two, one]) await machine.syncCommand()
const comparison = await compare(machines)
const { size } = one.acknowledged

await Promise.all(machines.map((machine) => machine.start()))
const arrival = await timeToArrive(one, two)
for (const machine of machines) await machine.end('SIGTERM')

report([
  atLeast('kills', KILLS, 1),
  atLeast('acknowledged inserts', size, KILLS),
  ...comparisonFigures(comparison),
  atMost('a saved page shows on the other', arrival, 15, 's')
])
