import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { LibraryEvent } from '../contract/change.ts'
import type { Backup } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { backupsIn, makeBackup } from '../database/backups.ts'
import { asProblem, openReadConnection, type ReadConnection } from '../database/connection.ts'
import { type LastSeen, lastSeen } from '../database/last-seen.ts'
import { assertOurs, checkLibraryFile } from '../database/library-file.ts'
import { SCHEMA_VERSION } from '../database/schema.ts'
import type { MainCall, WriterCall, Written } from './calls.ts'
import { CALLS, type CallName } from './library.ts'
import { runJob, type StartThread, startThread } from './worker/client.ts'
import { startInPlace } from './worker/in-place.ts'
import { createReader, createReaderInPlace, type Reader } from './worker/reader.ts'
import { type LateWriter, startWriterLate } from './worker/writer.ts'
import { COPY } from './worker/writing.ts'

/** The library as it lies on disk now, until it is closed. */
export interface CurrentLibrary {
  /** Makes a call where its line in `library.ts` says. */
  call(name: CallName, args: never[]): Promise<unknown>
  backUp(name: string): Promise<Backup>
  begin(): Promise<void>
  measure(): { folder: string; bytes: number }
  isDamaged(): boolean
  lostLog(): boolean
  close(): Promise<void>
}

/** Opens the library file in a data folder, or makes one. See `openLibrary`. */
export async function openCurrentLibrary(
  folder: string,
  inPlace: boolean,
  emit: (event: LibraryEvent) => void
): Promise<CurrentLibrary> {
  const start = inPlace ? startInPlace : startThread
  const file = join(folder, 'library.sqlite')
  const seen = lastSeen(folder)
  const left = seen.read()
  const lostLog = seen.lostLog()
  assertUsable(file, left, backupsIn(folder).length > 0)
  const { db, writer } = await openConnections(file, start)
  const reader = inPlace ? createReaderInPlace(db) : createReader(file, db)
  seen.opened()
  return new OpenLibrary({ folder, file, inPlace, emit, start, seen, left, lostLog, db, writer, reader })
}

interface Parts {
  folder: string
  file: string
  inPlace: boolean
  emit(event: LibraryEvent): void
  start: StartThread
  seen: ReturnType<typeof lastSeen>
  /** How the library was left before it was opened. */
  left: LastSeen
  lostLog: boolean
  db: ReadConnection
  writer: LateWriter
  reader: Reader
}

class OpenLibrary implements CurrentLibrary {
  readonly #parts: Parts
  /** Answers that are kept until the next write, whatever it writes. */
  readonly #kept = new Map<string, unknown>()
  /** Reads that go on or wait for their turn; they are waited for before the library is closed. */
  readonly #underway = new Set<Promise<unknown>>()
  #backingUp: Promise<unknown> = Promise.resolve()
  #checking: Promise<void> | undefined
  #damaged = false
  #logIsNoted = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async call(name: CallName, args: never[]): Promise<unknown> {
    const line = CALLS[name]
    try {
      if (line.runsOn === 'main') return await this.#callHere(name, line, args)
      if (line.runsOn === 'pool') return await this.#track(this.#parts.reader.call(name, line, args))
      return await this.#write(name, line, args)
    } catch (error) {
      throw this.#toProblem(error)
    }
  }

  #callHere(name: CallName, { run, keptBy }: MainCall<never[], unknown>, args: never[]): unknown {
    if (!keptBy) return this.#track(run(this.#parts.db, ...args))
    const key = `${name} ${keptBy(...args)}`
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const answer = run(this.#parts.db, ...args)
    if (answer !== undefined) this.#kept.set(key, answer)
    return answer
  }

  #track(answer: unknown): unknown {
    if (!(answer instanceof Promise)) return answer
    const ended = answer.catch(() => {}).finally(() => this.#underway.delete(ended))
    this.#underway.add(ended)
    return answer
  }

  async #write(name: CallName, { whenDamaged }: WriterCall<never[], unknown>, args: never[]): Promise<unknown> {
    const { writer, emit, inPlace } = this.#parts
    if (!whenDamaged && (inPlace || this.#damaged)) await this.#assertWritable()
    const written = writer.call(name, args).finally(() => this.#noteWrite())
    const { answer, events } = (await written) as Written<unknown>
    for (const event of events) emit(event)
    return answer
  }

  #noteWrite(): void {
    this.#kept.clear()
    // It is noted, once, that the log holds something.
    if (this.#logIsNoted || sizeOf(`${this.#parts.file}-wal`) === 0) return
    this.#parts.seen.written()
    this.#logIsNoted = true
  }

  /** Damage that a call meets is known from then on. */
  #toProblem(error: unknown): unknown {
    const problem = asProblem(error)
    if (isDamage(problem)) this.#markDamaged()
    return problem
  }

  #markDamaged(): void {
    if (!this.#damaged) this.#parts.seen.damaged()
    this.#damaged = true
  }

  /** After an unclean end the library is looked through, in the background. */
  #lookThrough(): void {
    if (this.#parts.left === 'unclean') this.#checking ??= this.#check().catch(() => {})
  }

  async #check(): Promise<void> {
    const { start, file } = this.#parts
    const isWhole = await runJob(start, 'isWhole', file).catch((error) => !isDamage(error))
    if (!isWhole) this.#markDamaged()
  }

  /** Where nothing goes on in the background, the first write waits until the library is looked through. */
  async #assertWritable(): Promise<void> {
    if (this.#parts.inPlace) {
      this.#lookThrough()
      await this.#checking
    }
    if (!this.#damaged) return
    throw new Problem(
      'library-damaged',
      'The library file is damaged, so Earmark saves nothing more in it. Restore a backup, or run: earmark doctor --repair'
    )
  }

  /** One backup is made at a time. */
  async backUp(name: string): Promise<Backup> {
    const made = this.#backingUp.then(() => this.#makeBackup(name))
    this.#backingUp = made.catch(() => {})
    try {
      return await made
    } catch (error) {
      throw this.#toProblem(error)
    }
  }

  async #makeBackup(name: string): Promise<Backup> {
    const { folder, writer, start } = this.#parts
    await this.#assertWritable()
    const copy = (to: string) => writer.call(COPY, [to])
    return makeBackup(folder, name, copy, (draft) => runJob(start, 'check', draft))
  }

  async begin(): Promise<void> {
    this.#lookThrough()
    this.#parts.reader.begin()
    await this.#parts.writer.begin().catch((error) => {
      throw this.#toProblem(error)
    })
  }

  measure() {
    const { folder, file } = this.#parts
    return { folder, bytes: sizeOf(file) + sizeOf(`${file}-wal`) }
  }

  isDamaged(): boolean {
    return this.#damaged
  }

  lostLog(): boolean {
    return this.#parts.lostLog
  }

  async close(): Promise<void> {
    const { reader, db, writer, seen, left } = this.#parts
    await this.#backingUp
    await Promise.all(this.#underway)
    await this.#checking
    await reader.close()
    db.close()
    if (!this.#damaged) seen.closing()
    await writer.close()
    if (this.#damaged) return
    // What nobody looked through is looked through at the next start.
    if (left === 'unclean' && !this.#checking) seen.opened()
    else seen.closed()
  }
}

/** Whether an error says that the library is damaged. */
function isDamage(error: unknown): boolean {
  return error instanceof Problem && error.code === 'library-damaged'
}

/**
 * A library that is gone is never made anew without a word, and one that is not as it was left is looked through first.
 *
 * @throws Problem `library-missing`, `library-damaged`, `not-a-library` or `store-too-new`
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

/**
 * Opens the library for reading, and for writing when that is first needed; at once where it has to be made, brought up to
 * date or given back, or cannot be read, which the writing connection then finds out and tells.
 */
async function openConnections(file: string, start: StartThread): Promise<{ db: ReadConnection; writer: LateWriter }> {
  const writer = startWriterLate(file, start)
  const db = openIfCurrent(file)
  if (db) return { db, writer }
  await writer.begin()
  try {
    return { db: openReadConnection(file), writer }
  } catch (error) {
    await writer.close()
    throw error
  }
}

/** Only where its tables are those that this version has. */
function openIfCurrent(file: string): ReadConnection | undefined {
  if (!existsSync(file)) return undefined
  let db: ReadConnection | undefined
  try {
    db = openReadConnection(file)
    // Only a statement reads what the tables are.
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    if (db.pragma('user_version', { simple: true }) === SCHEMA_VERSION) return db
  } catch {
    // The writing connection tells what is wrong.
  }
  db?.close()
  return undefined
}
