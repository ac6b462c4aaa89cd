/**
 * Fills a small disk to the last byte under a service that saves: refusals say why, searches still work, the service starts
 * on the full disk after a kill, nothing that was acknowledged is missing, and saving works again with free space. Then two
 * machines synchronize through a folder, and into a library, on a full disk.
 *
 * The planted fault is a row that was never acknowledged and is expected all the same.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { callTool, makeKey } from '../support/earmark.ts'
import {
  type Ask,
  askAsOwner,
  type Figure,
  figure,
  options,
  report,
  skip,
  start,
  tempFolder,
  total,
  until
} from './harness.ts'
import { comparisonFigures, Group, type Machine } from './machines.ts'

const ROUNDS = options.n(5)
/** Bookmarks that are changed at once. */
const MANY = 2000
/** Pages that are saved at once, each with 4 kB that cannot be compressed: a segment of 200 kB. */
const PAGES = 50
/** A log of SQLite that has grown takes some more even on a full disk. */
const MAX_TRIES = 40

const count = { unclear: 0, deaf: 0, lost: 0, acknowledged: 0, refused: 0, recovered: 0, untrue: 0, cutShort: 0 }
const disk = mountSmallDisk(12)
for (let round = 0; round < ROUNDS; round++) await fillWhileSaving(round)

report([
  figure.atLeast('acknowledged inserts', count.acknowledged, ROUNDS),
  figure.atLeast('refused', count.refused, ROUNDS),
  figure.zero('refused without saying why', count.unclear),
  figure.zero('searches that failed, or a start at 0 bytes', count.deaf),
  figure.zero('acknowledged rows lost', count.lost),
  figure.atLeast('changes of many that were cut short', count.cutShort, 1),
  figure.zero('changes of many, or undoings, that are told falsely', count.untrue),
  figure.all('recovered', count.recovered, ROUNDS),
  ...(await synchronizeOnFullDisks())
])

async function fillWhileSaving(round: number): Promise<void> {
  const data = join(disk.folder, `data-${round}`)
  mkdirSync(data, { mode: 0o700 })
  const key = await makeKey(data)
  let service = await start(data)
  const insert = (urls: string) => callTool(service.url, key, 'bookmarks.insert', { urls })
  const search = () => callTool(service.url, key, 'bookmarks.search', { limit: 1 })
  const urls: string[] = []
  const filledAfter = 20 + round * 3
  for (let number = 0, isFull = false; !isFull && number <= 5000; number++) {
    if (number === filledAfter) disk.fill()
    const url = `https://full-${round}.example/${number}/${'x'.repeat(3000)}`
    const { isError, payload } = await insert(url)
    if (!isError && payload.saved === 1) urls.push(url)
    if (isError) count.refused += 1
    if (isError && !JSON.stringify(payload).includes('disk-full')) count.unclear += 1
    isFull = number >= filledAfter && isError
  }
  if ((await search()).isError) count.deaf += 1
  await service.end('SIGKILL')
  disk.fill()
  service = await start(data)
  const answer = await search()
  if (answer.isError || Number(answer.payload.total) < urls.length) count.deaf += 1
  disk.free()
  if ((await insert(`https://after-${round}.example/`)).payload.saved === 1) count.recovered += 1
  if (options.plant) urls.push('https://never-saved.example/')
  // A page that is saved again was lost.
  for (const url of urls) count.lost += Number((await insert(url)).payload.saved ?? 1)
  count.acknowledged += urls.length
  const many = Array.from({ length: MANY }, (_, index) => `https://many.example/${index}`)
  await (await askAsOwner(service))('/imports?name=many', many.join('\n'))
  // A service that ends moves its log into the library. After that only the free space counts.
  await service.end('SIGTERM')
  service = await start(data)
  await changeMany(await askAsOwner(service), (round + 7) * 100_000)
  await service.end('SIGTERM')
  rmSync(data, { recursive: true })
}

/**
 * Tags all bookmarks on a disk with this much free space, in bytes. The reported number of changed bookmarks must be true,
 * also in a refusal. Undoing on the full disk must report the truth too, and with free space leave no tag.
 */
async function changeMany(ask: Ask, room: number): Promise<void> {
  const countTagged = () => total(ask, 'tag=full')
  disk.fill(room)
  const change = { all: {}, except: [], change: { kind: 'tags', add: ['full'], remove: [] } }
  const { changed = 0, undo } = (await ask('/bookmarks/changes', change)) as { changed?: number; undo?: number | null }
  if ((await countTagged()) !== changed) count.untrue += 1
  if (changed > 0 && changed < MANY) count.cutShort += 1
  if (typeof undo === 'number') {
    const { undone = 0 } = (await ask(`/undo/${undo}`, {})) as { undone?: number }
    if ((await countTagged()) !== changed - undone) count.untrue += 1
    disk.free()
    await ask(`/undo/${undo}`, {})
    if ((await countTagged()) !== 0) count.untrue += 1
  } else disk.free()
}

/**
 * Two machines synchronize: once through a folder on a full disk, so that the first cannot send, and once with a library on
 * a full disk, so that the second cannot receive. That service must report it and is killed. With free space again, all that
 * was acknowledged is on both.
 */
async function synchronizeOnFullDisks(): Promise<Figure[]> {
  const disk = mountSmallDisk(64)
  const [folder, library] = ['folder', 'library'].map((name) => join(disk.folder, name)) as [string, string]
  for (const made of [folder, library]) mkdirSync(made, { mode: 0o700 })
  const sending = await synchronize(disk, folder, tempFolder(), 'one')
  const receiving = await synchronize(disk, tempFolder(), library, 'two')
  const comparison = { lost: sending.lost + receiving.lost, differ: sending.differ + receiving.differ }
  return [
    figure.atLeast('rounds that a full folder stopped', sending.stopped, ROUNDS),
    figure.atLeast('rounds that a full library stopped', receiving.stopped, ROUNDS),
    figure.zero('of these, that synchronization did not say', 2 * ROUNDS - sending.reported - receiving.reported),
    figure.zero('parts in the folder that are not whole', sending.broken + receiving.broken),
    ...comparisonFigures(comparison, ', synchronized')
  ]
}

/** @param full the machine with the full disk: the first, which sends, or the second, which receives */
async function synchronize(disk: SmallDisk, folder: string, library: string, full: 'one' | 'two') {
  const group = await Group.create([folder, folder], [tempFolder(), library])
  const { one, two } = group
  const onFullDisk = full === 'one' ? one : two
  const counted = { stopped: 0, reported: 0, broken: 0 }
  const syncBoth = async () => {
    const answers = []
    for (const { ask } of [one, two]) answers.push(JSON.stringify(await ask('/sync-now', {})))
    if (answers[1]?.includes('not whole')) counted.broken += 1
    return answers[full === 'one' ? 0 : 1]
  }
  for (let round = 0; round < ROUNDS; round++) {
    await group.start()
    for (const machine of [one, two]) await saveLargePages(machine)
    await syncBoth()
    disk.fill(round * 20_000)
    for (let tries = 0, isStopped = false; !isStopped && tries < MAX_TRIES; tries++) {
      await saveLargePages(one)
      isStopped = saysFull(await syncBoth())
      if (isStopped) counted.stopped += 1
    }
    const { ask } = onFullDisk
    if (await until(async () => saysFull(JSON.stringify(await ask('/sync'))), 15_000)) counted.reported += 1
    await onFullDisk.end('SIGKILL')
    disk.free()
    await onFullDisk.start()
    await syncBoth()
    await syncBoth()
    await group.end('SIGTERM')
  }
  return { ...counted, ...(await group.compare()) }
}

async function saveLargePages(machine: Machine): Promise<void> {
  for (let page = 0; page < PAGES; page++) {
    await machine.savePage(`https://full.example/${randomBytes(2000).toString('base64url')}`)
  }
}

function saysFull(answer = ''): boolean {
  return /disk-full|no room|disk is full/.test(answer)
}

interface SmallDisk {
  folder: string
  /** Fills the disk but for this many bytes. */
  fill(room?: number): void
  /** Frees what `fill` took. */
  free(): void
}

/** Mounts a disk in memory until this process ends. */
function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = tempFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  if (mounted.status !== 0) skip(`a disk of ${megabytes} MB cannot be mounted here without root`)
  process.prependListener('exit', () => spawnSync('umount', ['-l', folder]))
  const filler = join(folder, 'filler')
  return {
    folder,
    fill(room = 0) {
      for (const size of [65_536, 4096, 512, 1]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(size))
        } catch {
          // No space for another piece of this size.
        }
      }
      if (room > 0 && existsSync(filler)) truncateSync(filler, Math.max(0, statSync(filler).size - room))
      execFileSync('sync', ['-f', folder])
    },
    free: () => rmSync(filler, { force: true })
  }
}
