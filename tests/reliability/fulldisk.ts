/**
 * Fills a small disk to the last byte under a service that saves: what is refused is refused in words, searches go on,
 * the service starts on the full disk after a kill, nothing that was acknowledged is missing, and saving works again
 * once there is space. Then two machines synchronize through a folder, and into a library, on a full disk.
 *
 * The planted fault is a row that was never acknowledged and is looked for all the same.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { synchronizeOnFullDisks } from './fulldisk-sync.ts'
import { mountSmallDisk } from './small-disk.ts'
import { askAsOwner, call, kept, makeKey, options, report, type Service, start, tried } from './support.ts'
import { none, total } from './sync-machines.ts'

const ROUNDS = options.n(5)

/** Bookmarks that are changed at once. */
const MANY = 2000

const disk = mountSmallDisk('fulldisk', 12)

let unclear = 0
let deaf = 0
let lost = 0
let acknowledged = 0
let refused = 0
let recovered = 0
let untrue = 0
let cutShort = 0

for (let round = 0; round < ROUNDS; round++) {
  const data = join(disk.folder, `data-${round}`)
  mkdirSync(data, { mode: 0o700 })
  const key = makeKey(data)
  const urls: string[] = []
  let service = await start(data)
  for (let number = 0, full = false; !full; number++) {
    if (number === 20 + round * 3) disk.fill()
    const url = `https://full-${round}.example/${number}/${'x'.repeat(3000)}`
    const answer = await call(service.url, key, 'bookmarks.insert', { urls: url })
    if (!answer.isError && answer.payload.saved === 1) urls.push(url)
    full = number >= 20 + round * 3 && answer.isError
    if (answer.isError) refused += 1
    if (answer.isError && !JSON.stringify(answer.payload).includes('disk-full')) unclear += 1
    if (number > 5000) break
  }
  if ((await call(service.url, key, 'bookmarks.search', { limit: 1 })).isError) deaf += 1
  await service.end('SIGKILL')
  disk.fill()
  service = await start(data)
  const found = await call(service.url, key, 'bookmarks.search', { limit: 1 })
  if (found.isError || Number(found.payload.total) < urls.length) deaf += 1
  disk.free()
  const again = await call(service.url, key, 'bookmarks.insert', { urls: `https://after-${round}.example/` })
  if (again.payload.saved === 1) recovered += 1
  if (options.plant) urls.push('https://never-saved.example/')
  for (const url of urls) {
    const { payload } = await call(service.url, key, 'bookmarks.insert', { urls: url })
    lost += Number(payload.saved ?? 1)
  }
  acknowledged += urls.length
  await importMany(service)
  // A service that ends moves its log into the library: then only the room that is left counts.
  await service.end('SIGTERM')
  service = await start(data)
  await changesAreToldTruly(service, (round + 7) * 100_000)
  await service.end('SIGTERM')
  rmSync(data, { recursive: true })
}

const synchronized = await synchronizeOnFullDisks(ROUNDS)
report('fulldisk', [
  tried('acknowledged inserts', acknowledged, ROUNDS),
  tried('refused', refused, ROUNDS),
  none('refused without saying why', unclear),
  none('searches that failed, or a start at 0 bytes', deaf),
  kept(lost),
  tried('changes of many that were cut short', cutShort, 1),
  none('changes of many, or undoings, that are told falsely', untrue),
  { what: 'recovered', value: `${recovered} of ${ROUNDS}`, target: 'all', met: recovered === ROUNDS },
  ...synchronized
])

async function importMany(service: Service): Promise<void> {
  const ask = await askAsOwner(service)
  await ask(
    '/imports?name=many',
    Array.from({ length: MANY }, (_, index) => `https://many.example/${index}`).join('\n')
  )
}

/**
 * Tags all bookmarks on a disk with so much room left, in bytes. What is said to be changed is, whether it is said with an answer or a
 * refusal, and undoing it, which meets the full disk too, leaves nothing of it.
 */
async function changesAreToldTruly(service: Service, room: number): Promise<void> {
  const ask = await askAsOwner(service)
  const tagged = () => total(ask, 'tag=full')
  disk.fill(room)
  const change = { all: {}, except: [], change: { kind: 'tags', add: ['full'], remove: [] } }
  const { changed = 0, undo } = (await ask('/bookmarks/changes', change)) as { changed?: number; undo?: number | null }
  if ((await tagged()) !== changed) untrue += 1
  if (changed > 0 && changed < MANY) cutShort += 1
  if (typeof undo === 'number') {
    const before = changed
    const { undone = 0 } = (await ask(`/undo/${undo}`, {})) as { undone?: number }
    if ((await tagged()) !== before - undone) untrue += 1
    disk.free()
    await ask(`/undo/${undo}`, {})
    if ((await tagged()) !== 0) untrue += 1
  } else disk.free()
}
