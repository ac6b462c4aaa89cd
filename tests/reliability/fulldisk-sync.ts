import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { type Ask, type Figure, tempFolder, tried } from './support.ts'
import {
  beginSync,
  compare,
  exportOf,
  figuresOf,
  joinSync,
  none,
  savePage,
  startMachine,
  until
} from './sync-machines.ts'

/** Pages that are saved at once, each of 4 kB that cannot be packed: a segment of 200 kB. */
const PAGES = 50

/** A log of SQLite that has grown takes some more even on a full disk. */
const MOST_TRIES = 40

/**
 * Two machines synchronize: once through a folder on a full disk, which then takes no more from the first, and once with a
 * library on a full disk, which then receives no more. That service says so and is killed. With room again, all that was
 * acknowledged is on both.
 */
export async function synchronizeOnFullDisks(rounds: number): Promise<Figure[]> {
  const disk = mountSmallDisk('fulldisk', 64)
  const [folder, library] = ['folder', 'library'].map((name) => join(disk.folder, name)) as [string, string]
  for (const made of [folder, library]) mkdirSync(made, { mode: 0o700 })
  const sending = await synchronize(rounds, disk, folder, tempFolder(), 0)
  const receiving = await synchronize(rounds, disk, tempFolder(), library, 1)
  const lost = sending.lost + receiving.lost
  const differ = sending.differ + receiving.differ
  return [
    tried('rounds that a full folder stopped', sending.stopped, rounds),
    tried('rounds that a full library stopped', receiving.stopped, rounds),
    none('of these, that synchronization did not say', 2 * rounds - sending.told - receiving.told),
    none('parts in the folder that are not whole', sending.broken + receiving.broken),
    ...figuresOf({ lost, differ }).map((figure) => ({ ...figure, what: `${figure.what}, synchronized` }))
  ]
}

/** @param full the machine that meets the full disk: the first, which sends, or the second, which receives */
async function synchronize(rounds: number, disk: SmallDisk, folder: string, second: string, full: 0 | 1) {
  const acknowledged = new Set<string>()
  const { data: first, code } = beginSync(folder, 'first')
  joinSync(folder, 'second', code, second)
  const found = { stopped: 0, told: 0, broken: 0 }
  for (let round = 0; round < rounds; round++) {
    const machines = await Promise.all([startMachine(first), startMachine(second)])
    const both = async () => {
      const answers = []
      for (const { ask } of machines) answers.push(JSON.stringify(await ask('/sync-now', {})))
      if (answers[1]?.includes('not whole')) found.broken += 1
      return answers
    }
    for (const { ask } of machines) await save(ask, acknowledged)
    await both()
    disk.fill(round * 20_000)
    for (let number = 0, isStopped = false; !isStopped && number < MOST_TRIES; number++) {
      await save(machines[0].ask, acknowledged)
      isStopped = isFull((await both())[full])
      if (isStopped) found.stopped += 1
    }
    const { ask, end } = machines[full]
    if (await until(async () => isFull(JSON.stringify(await ask('/sync'))), 15_000)) found.told += 1
    await end('SIGKILL')
    disk.free()
    machines[full] = await startMachine([first, second][full] ?? '')
    await both()
    await both()
    for (const { end } of machines) await end('SIGTERM')
  }
  return { ...found, ...compare([first, second].map(exportOf), acknowledged) }
}

async function save(ask: Ask, acknowledged: Set<string>): Promise<void> {
  for (let number = 0; number < PAGES; number++) {
    const url = `https://full.example/${randomBytes(2000).toString('base64url')}`
    if (await savePage(ask, url)) acknowledged.add(url)
  }
}

const isFull = (answer = '') => /disk-full|no room|disk is full/.test(answer)
