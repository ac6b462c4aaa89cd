/** What the tests of synchronization share: machines of a folder, what they save, and whether all end with the same. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import {
  type Ask,
  askAsOwner,
  type Figure,
  kept,
  options,
  run,
  type Service,
  type StartOptions,
  start,
  tempFolder
} from './support.ts'

/** Pages that one machine saves in a row. */
export const PAGES = 40

/** Part of the titles of all pages. */
const TITLE = 'Kingfisher'

/** A folder, or the arguments for one elsewhere. */
type Place = string | string[]

const argumentsOf = (place: Place) => (typeof place === 'string' ? ['folder', place] : place)

/** Makes a library that begins to synchronize through a folder, and its code, which the others need. */
export function beginSync(place: Place, name: string): { data: string; code: string } {
  const data = tempFolder()
  const { code } = run(data, ['sync', ...argumentsOf(place), '--name', name]) as { code: string }
  return { data, code }
}

/** Makes a library that joins the others. */
export function joinSync(place: Place, name: string, code: string, data = tempFolder()): string {
  run(data, ['sync', ...argumentsOf(place), '--name', name, '--code', code])
  return data
}

/** A service of one machine. */
export interface Running {
  ask: Ask
  end: Service['end']
}

export async function startMachine(data: string, environment?: StartOptions): Promise<Running> {
  const service = await start(data, environment)
  return { ask: await askAsOwner(service), end: service.end }
}

/** Saves pages until the service ends, one in four of which every machine saves. Notes those that were acknowledged. */
export async function savePages(
  ask: Ask,
  machine: number,
  round: number,
  acknowledged: Set<string>,
  pause = 0
): Promise<void> {
  for (let number = 0; number < PAGES; number++) {
    if (pause > 0) await setTimeout(pause)
    const url = `https://sync-${round}.example/${number % 4 === 0 ? 'all' : machine}/${number}`
    if (!(await savePage(ask, url, machine).catch(() => false))) return
    acknowledged.add(url)
  }
}

/** Returns whether it is acknowledged. Each machine gives a page a title and a tag of its own. */
export async function savePage(ask: Ask, url: string, machine = 0): Promise<boolean> {
  const about = { type: 'link', url, title: `${TITLE} ${machine}`, tags: [`of-${machine}`] }
  const { status } = (await ask('/bookmarks/captures', about)) as { status?: string }
  return status === 'saved' || status === 'existing'
}

/** Waits for a page to be acknowledged, a while at most: the report says how many were. */
export async function acknowledgedMore(acknowledged: Set<string>): Promise<void> {
  const before = acknowledged.size
  await until(() => acknowledged.size > before, 10_000, 5)
}

/** Returns all records of an export, in an order of its own. */
export function exportOf(data: string): string[] {
  const file = join(tempFolder(), 'all.jsonl')
  run(data, ['export', file])
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"bookmark"'))
    .sort()
}

/** Counts pages that some export lacks, and records that not all have. */
export function compare(exports: string[][], acknowledged: Set<string>): { lost: number; differ: number } {
  const texts = exports.map((lines) => lines.join('\n'))
  const sets = exports.map((lines) => new Set(lines))
  return {
    lost: [...acknowledged].filter((url) => texts.some((text) => !text.includes(`"${url}"`))).length,
    differ: [...new Set(exports.flat())].filter((line) => sets.some((set) => !set.has(line))).length
  }
}

export function figuresOf({ lost, differ }: { lost: number; differ: number }): Figure[] {
  return [kept(lost), none('records that differ at the end', differ)]
}

export const none = (what: string, count: number): Figure => ({
  what,
  value: String(count),
  target: '0',
  met: count === 0
})

/** Returns the seconds until a page that one saves is found on the other, while both run and nobody says anything. */
export async function shownAfter(here: Running, there: Running): Promise<number> {
  const site = `${randomUUID()}.example`
  await savePage(here.ask, `https://${site}/`)
  const begun = performance.now()
  const isShown = await until(
    async () => (await total(there.ask, `domain=${site}`)) === 1,
    options.plant ? 5_000 : 30_000,
    200
  )
  return isShown ? (performance.now() - begun) / 1000 : Number.POSITIVE_INFINITY
}

/** Returns how many bookmarks a query of the dashboard finds. */
export async function total(ask: Ask, query: string): Promise<number> {
  return ((await ask(`/bookmarks?${query}&limit=1`)) as { total: number }).total
}

/** Waits for something, so many milliseconds at most. Returns whether it came. */
export async function until(isSo: () => boolean | Promise<boolean>, most: number, every = 100): Promise<boolean> {
  for (const end = Date.now() + most; Date.now() < end; await setTimeout(every)) if (await isSo()) return true
  return isSo()
}

/** The planted fault: the newest segment of each machine goes before the others have read it. */
export function loseNewest(folder: string): void {
  const ours = join(folder, 'earmark-sync')
  for (const device of readdirSync(ours).filter((name) => /^[0-9a-f]{32}$/.test(name))) {
    const segments = readdirSync(join(ours, device)).filter((name) => name.endsWith('.seg'))
    const newest = segments.sort().at(-1)
    if (newest) rmSync(join(ours, device, newest))
  }
}

export function filesIn(folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  )
}

/** Whether a file holds a title or an address, also once it is unpacked: what is only compressed hides nothing. */
export function tells(file: string): boolean {
  const bytes = readFileSync(file)
  return [bytes, ...Array.from({ length: 64 }, (_, at) => unpacked(bytes.subarray(at)))].some(
    (text) => text.includes(TITLE) || text.includes('.example')
  )
}

function unpacked(bytes: Buffer): Buffer {
  try {
    return brotliDecompressSync(bytes)
  } catch {
    return Buffer.alloc(0)
  }
}
