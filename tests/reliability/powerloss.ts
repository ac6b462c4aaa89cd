/**
 * Cuts the power. A library loaded into the service with LD_PRELOAD writes down every write, sync and rename in the data
 * folder; from that the disk is put together as a power cut may leave it: what was synced is there, and of what was not
 * some is missing, out of order or torn within a sector. In each such state the library must open whole and hold every
 * row that was acknowledged before the cut.
 *
 * The control is the same log as if nothing had ever been synced, which is what `synchronous = OFF` leaves: it must lose
 * rows. The planted fault puts it in the place of the real one.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { randomFrom } from '../support/random.ts'
import { compilePreload } from './preload.ts'
import { call, kept, makeKey, options, report, start, tempFolder, tried } from './support.ts'

const STATES = options.n(600)
const INSERTS = STATES < 600 ? 20 : 120
const SECTOR = 512
const next = randomFrom(options.seed)

const folder = tempFolder()
const shim = compilePreload('powerloss', 'disk-log.c')

interface Operation {
  kind: 'write' | 'sync' | 'truncate' | 'rename' | 'unlink'
  path: string
  offset: number
  bytes: Buffer
  to: string
  /** Where in the log it ends. */
  end: number
}

const data = join(folder, 'data')
const log = join(folder, 'log')
mkdirSync(data)
let base: Record<string, Buffer> = {}
const acknowledged: { url: string; at: number }[] = []
await record()
const operations = parse(readFileSync(log))

const { lost, broken } = judgeAll(STATES, !options.plant)
const withoutSyncs = judgeAll(10, false)
const control = withoutSyncs.lost + withoutSyncs.broken

report('powerloss', [
  tried('states', STATES, 1),
  tried('acknowledged inserts', acknowledged.length, INSERTS),
  tried('operations', operations.length, INSERTS * 2),
  kept(lost),
  { what: 'libraries that do not open whole', value: String(broken), target: '0', met: broken === 0 },
  { what: 'control without syncs, losses', value: String(control), target: '> 0', met: control > 0 }
])

/** Lets the service save, and notes how far the log was at each answer. */
async function record(): Promise<void> {
  const key = makeKey(data)
  const env = { LD_PRELOAD: shim, EARMARK_DISK_LOG: log, EARMARK_DISK_LOG_FOLDER: data }
  // What is there before the first operation is on disk.
  base = { 'library.sqlite': readFileSync(join(data, 'library.sqlite')) }
  const service = await start(data, { env })
  for (let number = 0; number < INSERTS; number++) {
    const urls = Array.from({ length: 1 + (number % 40) * 5 }, (_, index) => `https://power-${number}.example/${index}`)
    const { payload } = await call(service.url, key, 'bookmarks.insert', { urls })
    if (payload.saved !== urls.length) throw new Error(`saved ${JSON.stringify(payload)}`)
    acknowledged.push({ url: urls[0] ?? '', at: statSync(log).size })
  }
  await service.end('SIGKILL')
}

function parse(bytes: Buffer): Operation[] {
  const found: Operation[] = []
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf('\n', at)
    const [kind = '', path = '', offset = '', length = '', to = ''] = bytes.toString('utf8', at, line).split('\t')
    const size = kind === 'write' ? Number(length) : 0
    const end = line + 1 + size
    found.push({
      kind: kind as Operation['kind'],
      path: basename(path),
      offset: Number(offset),
      bytes: bytes.subarray(line + 1, end),
      to: basename(to),
      end
    })
    at = end
  }
  return found
}

/** @param syncs whether what was synced is on disk; otherwise nothing is but by chance */
function judgeAll(states: number, syncs: boolean): { lost: number; broken: number } {
  const cuts = Array.from({ length: states }, () => Math.floor(next() * operations.length)).sort((a, b) => a - b)
  const disk = new Map(Object.entries(base).map(([name, bytes]) => [name, Buffer.from(bytes)]))
  const pending = new Map<string, Operation[]>()
  const sum = { lost: 0, broken: 0 }
  let done = 0
  for (const cut of cuts) {
    for (; done <= cut; done++) go(disk, pending, operations[done] as Operation, syncs)
    const outcome = judge(left(disk, pending), cut)
    sum.lost += outcome.lost
    sum.broken += outcome.broken
  }
  return sum
}

/** What became of the library where the power went after so many operations. */
function judge(disk: Map<string, Buffer>, cut: number): { lost: number; broken: number } {
  const place = join(folder, 'state')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place)
  for (const [name, bytes] of disk) if (/^library\.sqlite(-wal)?$/.test(name)) writeFileSync(join(place, name), bytes)
  const until = operations[cut]?.end ?? 0
  const expected = acknowledged.filter(({ at }) => at < until).map(({ url }) => url)
  try {
    const db = new Sqlite(join(place, 'library.sqlite'), { fileMustExist: true })
    try {
      if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') return { lost: 0, broken: 1 }
      const has = db.prepare('SELECT 1 FROM bookmarks WHERE url = ?')
      return { lost: expected.filter((url) => !has.get(url)).length, broken: 0 }
    } finally {
      db.close()
    }
  } catch {
    return { lost: 0, broken: 1 }
  }
}

/** One operation further: what is synced is on disk from then on. */
function go(disk: Map<string, Buffer>, pending: Map<string, Operation[]>, operation: Operation, syncs: boolean): void {
  const { kind, path } = operation
  if (kind === 'write' || kind === 'truncate') note(pending, operation)
  if (kind !== 'sync' || !syncs) return
  for (const one of pending.get(path) ?? []) apply(disk, one)
  pending.delete(path)
}

function note(pending: Map<string, Operation[]>, operation: Operation): void {
  const waiting = pending.get(operation.path)
  if (waiting) waiting.push(operation)
  else pending.set(operation.path, [operation])
}

/** The files as they are on disk after a cut: all that was synced, and of the rest what chance would have it. */
function left(disk: Map<string, Buffer>, pending: Map<string, Operation[]>): Map<string, Buffer> {
  const files = new Map([...disk].map(([name, bytes]) => [name, Buffer.from(bytes)]))
  for (const waiting of pending.values()) for (const one of shuffled(waiting)) chance(files, one)
  return files
}

function apply(files: Map<string, Buffer>, { kind, path, offset, bytes }: Operation): void {
  const file = files.get(path) ?? Buffer.alloc(0)
  if (kind === 'truncate') {
    files.set(
      path,
      offset < file.length ? file.subarray(0, offset) : Buffer.concat([file, Buffer.alloc(offset - file.length)])
    )
    return
  }
  const needed = offset + bytes.length
  const room = needed <= file.length ? file : Buffer.concat([file, Buffer.alloc(needed - file.length)])
  bytes.copy(room, offset)
  files.set(path, room)
}

/** Lost, whole, or up to a sector of it. */
function chance(files: Map<string, Buffer>, operation: Operation): void {
  const luck = next()
  if (luck < 0.4) return
  const torn = Math.floor((next() * operation.bytes.length) / SECTOR) * SECTOR
  apply(
    files,
    luck < 0.7 || operation.kind === 'truncate' ? operation : { ...operation, bytes: operation.bytes.subarray(0, torn) }
  )
}

function shuffled<T>(all: T[]): T[] {
  return all
    .map((one) => ({ one, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
