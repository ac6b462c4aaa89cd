/**
 * Cuts the power. A library loaded into the service with LD_PRELOAD records every write, sync and truncation in the data
 * folder. From that record the disk is put together as a power cut may leave it: what was synced is there, and of the rest
 * some is missing, out of order or torn within a sector. In each such state the library must open whole and have every row
 * that was acknowledged before the cut.
 *
 * The control is the same record as if nothing had ever been synced, which is what `synchronous = OFF` leaves: it must lose
 * rows. The planted fault judges that one in the place of the real one.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { callTool, makeKey } from '../support/earmark.ts'
import { compilePreload, figure, options, random, report, start, tempFolder } from './harness.ts'

const STATES = options.n(600)
const INSERTS = STATES < 600 ? 20 : 120
const SECTOR = 512

interface Operation {
  kind: 'write' | 'sync' | 'truncate' | 'rename' | 'unlink'
  path: string
  offset: number
  bytes: Buffer
  /** The offset of its end in the record. */
  end: number
}

type Disk = Map<string, Buffer>
/** Operations of each file since its last sync. */
type Pending = Map<string, Operation[]>

const folder = tempFolder()
const preload = compilePreload('disk-log.c')
const data = join(folder, 'data')
const log = join(folder, 'log')
mkdirSync(data)
const key = await makeKey(data)
// What is there before the first operation counts as synced.
const initial = readFileSync(join(data, 'library.sqlite'))
const acknowledged = await insertPages()
const operations = parseLog(readFileSync(log))

const { lost, broken } = judgeCuts(STATES, !options.plant)
const control = judgeCuts(10, false)
const losses = control.lost + control.broken

report([
  figure.atLeast('states', STATES, 1),
  figure.atLeast('acknowledged inserts', acknowledged.length, INSERTS),
  figure.atLeast('operations', operations.length, INSERTS * 2),
  figure.zero('acknowledged rows lost', lost),
  figure.zero('libraries that do not open whole', broken),
  { what: 'control without syncs, losses', value: String(losses), target: '> 0', met: losses > 0 }
])

/** Returns a page of each insert, with the length of the record when the insert was acknowledged. */
async function insertPages(): Promise<{ url: string; logSize: number }[]> {
  const env = { LD_PRELOAD: preload, EARMARK_DISK_LOG: log, EARMARK_DISK_LOG_FOLDER: data }
  const service = await start(data, env)
  const pages: { url: string; logSize: number }[] = []
  for (let number = 0; number < INSERTS; number++) {
    const urls = Array.from({ length: 1 + (number % 40) * 5 }, (_, index) => `https://power-${number}.example/${index}`)
    const { payload } = await callTool(service.url, key, 'bookmarks.insert', { urls })
    if (payload.saved !== urls.length) throw new Error(`saved ${JSON.stringify(payload)}`)
    pages.push({ url: urls[0] ?? '', logSize: statSync(log).size })
  }
  await service.end('SIGKILL')
  return pages
}

function parseLog(bytes: Buffer): Operation[] {
  const operations: Operation[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const lineEnd = bytes.indexOf('\n', offset)
    const [kind = '', path = '', at = '', length = ''] = bytes.toString('utf8', offset, lineEnd).split('\t')
    const end = lineEnd + 1 + (kind === 'write' ? Number(length) : 0)
    operations.push({
      kind: kind as Operation['kind'],
      path: basename(path),
      offset: Number(at),
      bytes: bytes.subarray(lineEnd + 1, end),
      end
    })
    offset = end
  }
  return operations
}

/** Cuts the power at random moments. @param syncs whether a sync writes to the disk; otherwise only chance does */
function judgeCuts(states: number, syncs: boolean): { lost: number; broken: number } {
  const cuts = Array.from({ length: states }, () => random.int(operations.length)).sort((a, b) => a - b)
  const disk: Disk = new Map([['library.sqlite', Buffer.from(initial)]])
  const pending: Pending = new Map()
  const sum = { lost: 0, broken: 0 }
  let done = 0
  for (const cut of cuts) {
    for (; done <= cut; done++) perform(disk, pending, operations[done] as Operation, syncs)
    const outcome = judge(cutPower(disk, pending), operations[cut]?.end ?? 0)
    sum.lost += outcome.lost
    sum.broken += outcome.broken
  }
  return sum
}

function perform(disk: Disk, pending: Pending, operation: Operation, syncs: boolean): void {
  const { kind, path } = operation
  const waiting = pending.get(path) ?? []
  if (kind === 'write' || kind === 'truncate') {
    waiting.push(operation)
    pending.set(path, waiting)
  } else if (kind === 'sync' && syncs) {
    for (const written of waiting) apply(disk, written)
    pending.delete(path)
  }
}

/** Returns the files after a cut: all that was synced, and a random part of the rest in random order. */
function cutPower(disk: Disk, pending: Pending): Disk {
  const files: Disk = new Map([...disk].map(([name, bytes]) => [name, Buffer.from(bytes)]))
  for (const waiting of pending.values()) for (const operation of shuffle(waiting)) applyByChance(files, operation)
  return files
}

/** Opens the library after a cut, and looks for the rows that were acknowledged before this offset of the record. */
function judge(disk: Disk, logSize: number): { lost: number; broken: number } {
  const state = join(folder, 'state')
  rmSync(state, { recursive: true, force: true })
  mkdirSync(state)
  for (const [name, bytes] of disk) if (/^library\.sqlite(-wal)?$/.test(name)) writeFileSync(join(state, name), bytes)
  const expected = acknowledged.filter((page) => page.logSize < logSize)
  try {
    const db = new Sqlite(join(state, 'library.sqlite'), { fileMustExist: true })
    try {
      if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') return { lost: 0, broken: 1 }
      const find = db.prepare('SELECT 1 FROM bookmarks WHERE url = ?')
      return { lost: expected.filter(({ url }) => !find.get(url)).length, broken: 0 }
    } finally {
      db.close()
    }
  } catch {
    return { lost: 0, broken: 1 }
  }
}

function apply(files: Disk, { kind, path, offset, bytes }: Operation): void {
  const file = files.get(path) ?? Buffer.alloc(0)
  const grownTo = (size: number) =>
    size > file.length ? Buffer.concat([file, Buffer.alloc(size - file.length)]) : file
  if (kind === 'truncate') {
    files.set(path, grownTo(offset).subarray(0, offset))
    return
  }
  const changed = grownTo(offset + bytes.length)
  bytes.copy(changed, offset)
  files.set(path, changed)
}

/** Loses the operation, or applies all of it, or only the first sectors. */
function applyByChance(files: Disk, operation: Operation): void {
  const luck = random.share()
  if (luck < 0.4) return
  const torn = Math.floor((random.share() * operation.bytes.length) / SECTOR) * SECTOR
  const isWhole = luck < 0.7 || operation.kind === 'truncate'
  apply(files, isWhole ? operation : { ...operation, bytes: operation.bytes.subarray(0, torn) })
}

function shuffle<T>(all: T[]): T[] {
  return all
    .map((item) => ({ item, order: random.share() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
