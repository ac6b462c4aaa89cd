import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { LibraryEvent } from '../contract/change.ts'
import type { Backup, Finding, RestoreReport } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { createQueue } from '../core/queue.ts'
import { backupsIn, makeBackup } from '../database/backups.ts'
import { asProblem, openReadConnection, type ReadConnection } from '../database/connection.ts'
import { assertOurs, checkLibraryFile } from '../database/library-file.ts'
import { type LastSeen, lastSeen } from '../database/lock.ts'
import { SCHEMA_VERSION } from '../database/schema.ts'
import type { Call, Written } from './calls.ts'
import { CALLS, type CallName, type LibraryCalls, libraryCalls } from './library.ts'
import { COPY } from './thread-work.ts'
import { createThreads, runJob, startInPlace, startThread, type Threads } from './threads.ts'

/**
 * The library on disk. A write resolves once it is synced; a read sees every write that resolved before it. Its calls are
 * documented where they are implemented: `library.ts` lists them.
 */
export interface Library extends LibraryCalls {
  /** Makes a backup with this file name. Other calls can run at the same time. */
  backUp(name: string): Promise<Backup>
  /** Starts both threads, which otherwise start when first needed, and checks a library that was not closed. */
  begin(): Promise<void>
  /** Returns the folder of the library, and the size of the library file and its log in bytes. */
  measure(): { folder: string; bytes: number }
  /**
   * Whether damage was found since the library was opened. If the last process did not close the library, it is checked
   * in the background.
   */
  isDamaged(): boolean
  /** Whether the log with the last changes was missing when the library was opened after its process had been killed. */
  lostLog(): boolean
  /** Checks for faults and changes nothing. Takes seconds in a large library; other calls can run at the same time. */
  examine(now: number): Promise<Finding[]>
  close(): Promise<void>
}

interface LibraryOptions {
  /** Works without threads: see `startInPlace`. */
  inPlace?: boolean | undefined
  /** Receives the events of each write, after the write is on disk. */
  emit?: (event: LibraryEvent) => void
}

/**
 * Opens the library in a data folder, or creates it. The caller holds the library's lock.
 *
 * @throws Problem if the file is missing, damaged, foreign or from a newer Earmark
 */
export async function openLibrary(
  folder: string,
  { inPlace = false, emit = () => {} }: LibraryOptions = {}
): Promise<Library> {
  const file = join(folder, 'library.sqlite')
  const seen = lastSeen(folder)
  const left = seen.read()
  const lostLog = seen.lostLog()
  assertUsable(file, left, backupsIn(folder).length > 0)
  const threads = createThreads(file, inPlace ? startInPlace : startThread, (events) => events.forEach(emit))
  const db = openIfCurrent(file) ?? (await openThroughWriter(file, threads))
  seen.opened()
  const open = new OpenLibrary({ folder, file, inPlace, emit, seen, left, db, threads })
  return {
    ...libraryCalls((name, args) => open.call(name, args)),
    backUp: (name) => open.backUp(name),
    begin: () => open.begin(),
    measure: () => ({ folder, bytes: sizeOf(file) + sizeOf(`${file}-wal`) }),
    isDamaged: () => open.isDamaged(),
    lostLog: () => lostLog,
    examine: (now) => runJob(threads.start, 'examine', file, now),
    close: () => open.close()
  }
}

/** Returns the two steps of restoring a backup. Both throw a Problem if the backup cannot be restored. */
export function prepareRestore(folder: string, name: string, inPlace = false) {
  const start = inPlace ? startInPlace : startThread
  const backup = join(folder, 'backups', name)
  return {
    /** Checks the backup, while the library may be open. */
    check: () => runJob(start, 'check', backup),
    /** Replaces the library, which must not be open; see `restoreLibraryFile`. */
    replace: (now: number, session?: Uint8Array): Promise<RestoreReport> =>
      runJob(start, 'restore', join(folder, 'library.sqlite'), backup, now, session)
  }
}

interface Parts {
  folder: string
  file: string
  inPlace: boolean
  emit(event: LibraryEvent): void
  seen: ReturnType<typeof lastSeen>
  /** The state of the library before it was opened. */
  left: LastSeen
  db: ReadConnection
  threads: Threads
}

class OpenLibrary {
  readonly #parts: Parts
  /** Answers that are valid until the next write. */
  readonly #cache = new Map<string, unknown>()
  /** Unfinished reads. Closing waits for them. */
  readonly #pending = new Set<Promise<unknown>>()
  readonly #backups = createQueue()
  #checking: Promise<void> | undefined
  #damaged = false
  #logIsNoted = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async call(name: CallName, args: never[]): Promise<unknown> {
    const line = CALLS[name]
    try {
      if (line.runsOn === 'writer') return await this.#write(name, line, args)
      if (line.runsOn === 'main') return await this.#readCached(name, line, args)
      if (this.#parts.inPlace) return await this.#track(line.run(this.#parts.db, ...args))
      const reader = await this.#parts.threads.get('reading')
      return await this.#track(reader.call(name, args))
    } catch (error) {
      throw this.#toProblem(error)
    }
  }

  #readCached(name: CallName, { run, cacheKey }: Line<'main'>, args: never[]): unknown {
    if (!cacheKey) return this.#track(run(this.#parts.db, ...args))
    const key = `${name} ${cacheKey(...args)}`
    const cached = this.#cache.get(key)
    if (cached !== undefined) return cached
    const answer = run(this.#parts.db, ...args)
    if (answer !== undefined) this.#cache.set(key, answer)
    return answer
  }

  #track(answer: unknown): unknown {
    if (!(answer instanceof Promise)) return answer
    const ended = answer.catch(() => {}).finally(() => this.#pending.delete(ended))
    this.#pending.add(ended)
    return answer
  }

  async #write(name: CallName, { whenDamaged }: Line<'writer'>, args: never[]): Promise<unknown> {
    const { threads, emit, inPlace } = this.#parts
    if (!whenDamaged && (inPlace || this.#damaged)) await this.#assertWritable()
    const writer = await threads.get('writing')
    const written = writer.call(name, args).finally(() => this.#noteWrite())
    const { answer, events } = (await written) as Written<unknown>
    for (const event of events) emit(event)
    return answer
  }

  #noteWrite(): void {
    this.#cache.clear()
    if (this.#logIsNoted || sizeOf(`${this.#parts.file}-wal`) === 0) return
    this.#parts.seen.written()
    this.#logIsNoted = true
  }

  /** Turns an error into a Problem if possible, and marks the library as damaged if the error reports damage. */
  #toProblem(error: unknown): unknown {
    const problem = asProblem(error)
    if (isDamage(problem)) this.#markDamaged()
    return problem
  }

  #markDamaged(): void {
    if (!this.#damaged) this.#parts.seen.damaged()
    this.#damaged = true
  }

  /** Checks the library in the background if its last process did not close it. */
  #checkIfUnclean(): void {
    if (this.#parts.left === 'unclean') this.#checking ??= this.#check().catch(() => {})
  }

  async #check(): Promise<void> {
    const { threads, file } = this.#parts
    const isWhole = await runJob(threads.start, 'isWhole', file).catch((error) => !isDamage(error))
    if (!isWhole) this.#markDamaged()
  }

  /** A command does no work in the background, so its first write waits for the check. */
  async #assertWritable(): Promise<void> {
    if (this.#parts.inPlace) {
      this.#checkIfUnclean()
      await this.#checking
    }
    if (!this.#damaged) return
    throw new Problem(
      'library-damaged',
      'The library file is damaged, so Earmark saves nothing more in it. Restore a backup, or run: earmark doctor --repair'
    )
  }

  /** Makes one backup at a time. */
  async backUp(name: string): Promise<Backup> {
    try {
      return await this.#backups.add(() => this.#makeBackup(name))
    } catch (error) {
      throw this.#toProblem(error)
    }
  }

  async #makeBackup(name: string): Promise<Backup> {
    const { folder, threads, emit } = this.#parts
    await this.#assertWritable()
    const writer = await threads.get('writing')
    const copy = (to: string) => writer.call(COPY, [to])
    const backup = await makeBackup(folder, name, copy, (draft) => runJob(threads.start, 'check', draft))
    emit({ kind: 'backups' })
    return backup
  }

  async begin(): Promise<void> {
    this.#checkIfUnclean()
    const { threads, inPlace } = this.#parts
    try {
      await Promise.all([threads.get('writing'), ...(inPlace ? [] : [threads.get('reading')])])
    } catch (error) {
      throw this.#toProblem(error)
    }
  }

  isDamaged(): boolean {
    return this.#damaged
  }

  async close(): Promise<void> {
    const { threads, db, seen, left } = this.#parts
    await this.#backups.onIdle()
    await Promise.all(this.#pending)
    await this.#checking
    await threads.close('reading')
    db.close()
    // Closing the writing thread removes the log. In the state `written`, a missing log would be reported as lost.
    if (!this.#damaged) seen.opened()
    await threads.close('writing')
    if (this.#damaged) return
    // A library that was not checked is checked at the next start.
    if (left === 'unclean' && !this.#checking) seen.opened()
    else seen.closed()
  }
}

type Line<RunsOn> = Extract<Call<never[], unknown>, { runsOn: RunsOn }>

function isDamage(error: unknown): boolean {
  return error instanceof Problem && error.code === 'library-damaged'
}

/**
 * Refuses to create a new library in place of a missing one, and checks a library that changed since it was closed.
 *
 * @throws Problem `library-missing`, `library-damaged`, `not-a-library`, `store-too-new` or `store-too-old`
 */
function assertUsable(file: string, left: LastSeen, hasBackups: boolean): void {
  if (existsSync(file)) {
    assertOurs(file)
    if (left !== 'whole' && left !== 'unclean') checkLibraryFile(file)
    return
  }
  if (left === 'never' && !hasBackups) return
  throw new Problem(
    'library-missing',
    'The library file is missing from the data folder. Nothing was put in its place.'
  )
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Opens the library for reading if it has the current schema. */
function openIfCurrent(file: string): ReadConnection | undefined {
  if (!existsSync(file)) return undefined
  let db: ReadConnection | undefined
  try {
    db = openReadConnection(file)
    // The schema is read by the first statement.
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    if (db.pragma('user_version', { simple: true }) === SCHEMA_VERSION) return db
  } catch {
    // The writing connection will report the reason.
  }
  db?.close()
  return undefined
}

/** The writing connection creates or upgrades the library, or reports why it cannot be opened. */
async function openThroughWriter(file: string, threads: Threads): Promise<ReadConnection> {
  await threads.get('writing')
  try {
    return openReadConnection(file)
  } catch (error) {
    await threads.close('writing')
    throw error
  }
}
