/**
 * Two services with the same bookmarks: both save, both synchronize, and both are ended in the middle, at least one of them
 * by a kill, again and again. At the end both export the same, and have every page that either acknowledged.
 *
 * The planted fault is a folder that loses the newest segment of a machine before the other has read it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { runJson } from '../support/earmark.ts'
import { figure, options, random, report, tempFolder } from './harness.ts'
import { comparisonFigures, Group, loseNewest } from './machines.ts'

const KILLS = options.n(100)
const folder = tempFolder()
const group = await Group.create([folder, folder])
const { one, two } = group

for (let round = 0; round < KILLS; round++) {
  await group.start()
  const working = group.machines.flatMap((machine) => [
    machine.savePages(round),
    // May fail, or be killed with its service.
    machine.syncCommand().catch(() => {})
  ])
  await group.anotherPage()
  await sleep(random.share() * 500)
  const [first, second] = random.share() < 0.5 ? [one, two] : [two, one]
  await first.end('SIGKILL')
  await second.end(random.share() < 0.5 ? 'SIGKILL' : 'SIGTERM')
  await Promise.all(working)
}

const lastPage = 'https://sync-last.example/'
await runJson(one.data, ['add', lastPage])
group.acknowledged.add(lastPage)
await one.syncCommand()
if (options.plant) loseNewest(folder)
for (const machine of [two, one]) await machine.syncCommand()
const comparison = await group.compare()
const { size } = group.acknowledged

await group.start()
const arrival = await group.timeToArrive()
await group.end('SIGTERM')

report([
  figure.atLeast('kills', KILLS, 1),
  figure.atLeast('acknowledged inserts', size, KILLS),
  ...comparisonFigures(comparison),
  figure.atMost('a saved page shows on the other', arrival, 15, 's')
])
