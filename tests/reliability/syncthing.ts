/**
 * Services of several machines, each with a folder that a Syncthing of its own copies to and from the others. Services and
 * Syncthings are killed while all save, and one Syncthing is stopped for a whole round now and then, so that its machine
 * saves apart. At the end all export the same, and hold every page that any of them acknowledged.
 *
 * The planted fault is the newest segment of each machine, which goes before the others have read it.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { randomFrom } from '../support/random.ts'
import { findProgram } from '../support/tools.ts'
import { below, options, report, skip, tempFolder, tried } from './support.ts'
import {
  beginSync,
  compare,
  exportOf,
  figuresOf,
  filesIn,
  joinSync,
  loseNewest,
  none,
  PAGES,
  type Running,
  savePage,
  savePages,
  shownAfter,
  startMachine,
  tells,
  until
} from './sync-machines.ts'
import { prepareSyncthings } from './syncthing-processes.ts'

const ROUNDS = options.n(10)
const MACHINES = 3
/** Between two pages that a machine saves, so that there is time to copy them. */
const PAUSE_MS = 100

/** All is copied and read sooner, once everything runs, also on a busy machine. */
const SETTLED_MS = options.plant ? 15_000 : 120_000

const program = await findProgram('syncthing')
if (!program) skip('syncthing', 'Syncthing is not installed: sudo apt-get install syncthing')

const next = randomFrom(options.seed)
const acknowledged = new Set<string>()
const folders = Array.from({ length: MACHINES }, tempFolder)
const syncthings = await prepareSyncthings(program, folders)
for (const syncthing of syncthings) syncthing.start()
const libraries = await makeLibraries()
const services: (Running | undefined)[] = []
let kills = 0

for (let round = 0; round < ROUNDS; round++) {
  const apart = round % 3 === 0 ? anyMachine() : undefined
  if (apart !== undefined) await syncthings[apart]?.end('SIGTERM')
  for (const [at, syncthing] of syncthings.entries()) if (at !== apart) syncthing.start()
  const machines = await startServices()
  const saving = machines.map(({ ask }, at) => savePages(ask, at, round, acknowledged, PAUSE_MS))
  const killing = [...killSome(endService), ...killSome(async (at) => syncthings[at]?.end('SIGKILL') ?? false)]
  await Promise.all([...saving, ...killing])
}

const [one, two] = (await startServices()) as [Running, Running, Running]
if (options.plant) await loseLast(one)
for (const syncthing of syncthings) syncthing.start()
const begun = performance.now()
let ended = compare(libraries.map(exportOf), acknowledged)
await until(() => {
  ended = compare(libraries.map(exportOf), acknowledged)
  return ended.lost + ended.differ === 0
}, SETTLED_MS)
const settledAfter = (performance.now() - begun) / 1000
const shownAfters = [await shownAfter(one, two), await shownAfter(two, one)]
for (const at of services.keys()) await endService(at)

report('syncthing', [
  tried('kills', kills, ROUNDS),
  tried('acknowledged inserts', acknowledged.size, ROUNDS),
  ...figuresOf(ended),
  below('all have the same after', settledAfter, 60, 's'),
  below('a saved page shows on the other', Math.max(...shownAfters), 15, 's'),
  none('files in conflict', filesIn(folders).filter((file) => file.includes('.sync-conflict')).length),
  none('files that tell a title or an address', filesIn(folders).filter(tells).length)
])

async function makeLibraries(): Promise<string[]> {
  const [first = '', ...others] = folders
  const { data, code } = beginSync(first, 'machine 0')
  for (const folder of others) await until(() => existsSync(join(folder, 'earmark-sync/key-check')), 60_000)
  return [data, ...others.map((folder, index) => joinSync(folder, `machine ${index + 1}`, code))]
}

function anyMachine(): number {
  return Math.floor(next() * MACHINES)
}

/** Starts those that were killed. */
async function startServices(): Promise<Running[]> {
  return Promise.all(
    libraries.map(async (data, at) => {
      const machine = services[at] ?? (await startMachine(data))
      services[at] = machine
      return machine
    })
  )
}

/** Kills one. Returns whether it ran. */
async function endService(at: number): Promise<boolean> {
  const service = services[at]
  services[at] = undefined
  await service?.end('SIGKILL')
  return service !== undefined
}

/** Kills one machine's program, and others now and then, each at some moment while pages are saved. */
function killSome(kill: (at: number) => Promise<boolean>): Promise<void>[] {
  const sure = anyMachine()
  return libraries.map(async (_, at) => {
    const [isSpared, moment] = [at !== sure && next() > 0.3, next() * PAGES * PAUSE_MS]
    if (isSpared) return
    await setTimeout(moment)
    if (await kill(at)) kills += 1
  })
}

/** The planted fault. */
async function loseLast({ ask }: Running): Promise<void> {
  await syncthings[0]?.end('SIGTERM')
  const url = 'https://sync-last.example/'
  if (await savePage(ask, url)) acknowledged.add(url)
  await ask('/sync-now', {})
  loseNewest(folders[0] ?? '')
}
