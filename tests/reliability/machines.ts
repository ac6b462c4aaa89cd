/** The machines of the synchronization tests: what they save, and whether all end with the same bookmarks. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { type Running, runJson } from '../support/earmark.ts'
import { type Ask, askAsOwner, type Figure, figure, options, start, tempFolder, total, until } from './harness.ts'

/** Pages that a machine saves in a row. */
export const PAGES = 40

/** Part of every title. */
const TITLE = 'Kingfisher'

/** A folder, or the arguments of `earmark sync` for another place. */
type Place = string | string[]

/** A library on a machine of its own, and the service that may run on it. */
export class Machine {
  readonly data: string
  readonly number: number
  /** Addresses that any machine of the group acknowledged. */
  readonly acknowledged: Set<string>
  #service: { ask: Ask; end: Running['end'] } | undefined

  constructor(data: string, number: number, acknowledged: Set<string>) {
    this.data = data
    this.number = number
    this.acknowledged = acknowledged
  }

  /** Starts the service, unless it runs. */
  async start(env?: NodeJS.ProcessEnv): Promise<void> {
    if (this.#service) return
    const service = await start(this.data, env)
    this.#service = { ask: await askAsOwner(service), end: service.end }
  }

  /** Ends the service. Returns whether one ran. */
  async end(signal: NodeJS.Signals): Promise<boolean> {
    const service = this.#service
    this.#service = undefined
    await service?.end(signal)
    return service !== undefined
  }

  get ask(): Ask {
    if (!this.#service) throw new Error(`no service runs on machine ${this.number}`)
    return this.#service.ask
  }

  /** Runs `earmark sync now`, which needs no service. */
  async syncCommand(): Promise<void> {
    await runJson(this.data, ['sync', 'now'])
  }

  /** Has the service synchronize. Returns why something has to wait. */
  async syncNow(): Promise<string[]> {
    return ((await this.ask('/sync-now', {})) as { waiting: string[] }).waiting
  }

  /** Saves a page. Each machine gives it a title and a tag of its own. Returns whether that was acknowledged. */
  async savePage(url: string): Promise<boolean> {
    const page = { type: 'link', url, title: `${TITLE} ${this.number}`, tags: [`of-${this.number}`] }
    const { status = '' } = (await this.ask('/bookmarks/captures', page)) as { status?: string }
    const isAcknowledged = ['saved', 'existing'].includes(status)
    if (isAcknowledged) this.acknowledged.add(url)
    return isAcknowledged
  }

  /** Saves pages until the service is killed. One page in four is saved by every machine. @param pause in ms */
  async savePages(round: number, pause = 0): Promise<void> {
    for (let page = 0; page < PAGES; page++) {
      if (pause > 0) await sleep(pause)
      const url = `https://sync-${round}.example/${page % 4 === 0 ? 'all' : this.number}/${page}`
      const isAcknowledged = await (async () => this.savePage(url))().catch(() => false)
      if (!isAcknowledged) return
    }
  }

  /** Returns all bookmarks of an export, sorted. */
  async export(): Promise<string[]> {
    const file = join(tempFolder(), 'all.jsonl')
    await runJson(this.data, ['export', file])
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line) => line.startsWith('{"bookmark"')).sort()
  }
}

const NAMES = ['one', 'two', 'three']

/** Machines that synchronize with each other. */
export class Group {
  readonly acknowledged = new Set<string>()
  readonly machines: Machine[] = []

  /**
   * Creates libraries that synchronize: the first begins, the others join with its code.
   *
   * @param places for each machine, which may be the same
   * @param folders of the libraries; temporary ones by default
   */
  static async create(places: Place[], folders: string[] = []): Promise<Group> {
    const group = new Group()
    let code: string[] = []
    for (const [number, place] of places.entries()) {
      const data = folders[number] ?? tempFolder()
      const args = typeof place === 'string' ? ['folder', place] : place
      // A program that copies the folder needs some time.
      const keyCheck = typeof place === 'string' && number > 0 ? join(place, 'earmark-sync/key-check') : undefined
      if (keyCheck) await until(() => existsSync(keyCheck), 60_000)
      const begin = ['sync', ...args, '--name', NAMES[number] ?? '', ...code]
      const made = await runJson<{ code: string }>(data, begin)
      if (number === 0) code = ['--code', made.code]
      group.machines.push(new Machine(data, number, group.acknowledged))
    }
    return group
  }

  get one(): Machine {
    return this.machines[0] as Machine
  }

  get two(): Machine {
    return this.machines[1] as Machine
  }

  async start(): Promise<void> {
    await Promise.all(this.machines.map((machine) => machine.start()))
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    for (const machine of this.machines) await machine.end(signal)
  }

  /** Waits until another page is acknowledged, for at most 10 s: the report says how many were. */
  async anotherPage(): Promise<void> {
    const before = this.acknowledged.size
    await until(() => this.acknowledged.size > before, 10_000, 5)
  }

  /** Counts acknowledged pages that some machine lacks, and bookmarks that are not the same on all machines. */
  async compare(): Promise<Comparison> {
    const exports: string[][] = []
    for (const machine of this.machines) exports.push(await machine.export())
    const texts = exports.map((lines) => lines.join('\n'))
    const sets = exports.map((lines) => new Set(lines))
    return {
      lost: [...this.acknowledged].filter((url) => texts.some((text) => !text.includes(`"${url}"`))).length,
      differ: [...new Set(exports.flat())].filter((line) => sets.some((set) => !set.has(line))).length
    }
  }

  /** Returns the seconds until a page that one machine saves is on the other, without a request to synchronize. */
  async timeToArrive(from = this.one, to = this.two): Promise<number> {
    const site = `${randomUUID()}.example`
    await from.savePage(`https://${site}/`)
    const begun = performance.now()
    const limit = options.plant ? 5_000 : 30_000
    const arrives = await until(async () => (await total(to.ask, `domain=${site}`)) === 1, limit, 200)
    return arrives ? (performance.now() - begun) / 1000 : Number.POSITIVE_INFINITY
  }
}

export interface Comparison {
  lost: number
  differ: number
}

export function comparisonFigures({ lost, differ }: Comparison, suffix = ''): Figure[] {
  return [
    figure.zero(`acknowledged rows lost${suffix}`, lost),
    figure.zero(`records that differ at the end${suffix}`, differ)
  ]
}

/** A planted fault: removes the newest segment of each machine before the others have read it. */
export function loseNewest(folder: string): void {
  const shared = join(folder, 'earmark-sync')
  for (const device of readdirSync(shared).filter((name) => /^[0-9a-f]{32}$/.test(name))) {
    const segments = readdirSync(join(shared, device)).filter((name) => name.endsWith('.seg'))
    const newest = segments.sort().at(-1)
    if (newest) rmSync(join(shared, device, newest))
  }
}

export function filesIn(folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  )
}

/** Returns whether a file holds a title or an address, decompressed too: compression alone hides nothing. */
export function isReadable(file: string): boolean {
  const bytes = readFileSync(file)
  return [bytes, ...Array.from({ length: 64 }, (_, offset) => decompress(bytes.subarray(offset)))].some(
    (text) => text.includes(TITLE) || text.includes('.example')
  )
}

function decompress(bytes: Buffer): Buffer {
  try {
    return brotliDecompressSync(bytes)
  } catch {
    return Buffer.alloc(0)
  }
}
