import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { LibraryEvent } from '../contract/change.ts'
import type { Library } from '../contract/library/library.ts'
import { Problem } from '../contract/problem.ts'
import { composeFamilies } from './compose.ts'
import { openReadConnection, type ReadConnection } from './connection.ts'
import { isDamage, watchDamage } from './damage-watch.ts'
import { backupFolder } from './files/backups.ts'
import { checkLibraryFile } from './files/check-library-file.ts'
import { type LastSeen, lastSeen } from './files/last-seen.ts'
import { isCurrent } from './files/migrate.ts'
import { assertOurs } from './files/open-library-file.ts'
import { createReader, createReaderInPlace } from './threads/reader.ts'
import type { ThreadReads } from './threads/reading.ts'
import { startInPlace } from './threads/start-in-place.ts'
import { type StartThread, startThread } from './threads/thread.ts'
import { startWriter, startWriterLate, type Writer } from './threads/writer.ts'

/** The library as it lies on disk now, until it is closed. */
export type CurrentLibrary = Omit<Library, 'restoreBackup' | 'generation' | 'examine'>

/** Opens the library file in a data folder, or makes one. See `openLibrary`. */
export async function openCurrentLibrary(
  folder: string,
  inPlace: boolean,
  emit: (event: LibraryEvent) => void
): Promise<CurrentLibrary> {
  const start = inPlace ? startInPlace : startThread
  const file = join(folder, 'library.sqlite')
  const backups = backupFolder(folder)
  const seen = lastSeen(folder)
  const left = seen.read()
  const lostLog = seen.lostLog()
  assertUsable(file, left, backups.list().length > 0)
  const { db, writer, begin: beginWriting } = await openConnections(file, start)
  const damage = watchDamage(seen.damaged)
  seen.opened()
  let checking: Promise<void> | undefined

  /** After an unclean end, in the background. */
  function lookThrough(): void {
    if (left === 'unclean') checking ??= checkInBackground().catch(() => {})
  }

  async function checkInBackground(): Promise<void> {
    const thread = await start<Pick<ThreadReads, 'isWhole'>>('reading', file)
    const isWhole = await thread.isWhole().catch((error) => !isDamage(error))
    await thread.close()
    if (!isWhole) damage.mark()
  }

  let logIsNoted = false

  /** It is noted, once, that the log holds something. */
  function noteLog(): void {
    if (logIsNoted || sizeOf(`${file}-wal`) === 0) return
    seen.written()
    logIsNoted = true
  }

  const reader = inPlace ? createReaderInPlace(db) : createReader(file, db)
  /** Where nothing goes on in the background, the first write waits for that. */
  async function lookedThrough(): Promise<void> {
    lookThrough()
    await checking
    damage.assertWritable()
  }

  const around = { assertWritable: inPlace ? lookedThrough : damage.assertWritable, written: noteLog, emit }
  const families = composeFamilies(db, folder, { reader, writer, around })
  let backingUp: Promise<unknown> = Promise.resolve()
  return damage.watching({
    ...families.calls,

    backUp(name) {
      const made = backingUp.then(async () => {
        await around.assertWritable()
        return backups.make(name, (to) => writer.copyTo(to), reader.checkLibraryFile)
      })
      backingUp = made.catch(() => {})
      return made
    },
    measure: async () => ({ folder, bytes: sizeOf(file) + sizeOf(`${file}-wal`) }),
    async begin() {
      lookThrough()
      reader.begin()
      await beginWriting()
    },
    isDamaged: async () => damage.isDamaged(),
    lostLog: async () => lostLog,

    async close() {
      await backingUp
      await families.finished()
      await checking
      await reader.close()
      db.close()
      if (!damage.isDamaged()) seen.closing()
      await writer.close()
      if (damage.isDamaged()) return
      // What nobody looked through is looked through at the next start.
      if (left === 'unclean' && !checking) seen.opened()
      else seen.closed()
    }
  } satisfies CurrentLibrary)
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
async function openConnections(file: string, start: StartThread) {
  const db = openIfCurrent(file)
  if (db) return { db, ...startWriterLate(file, start) }
  const writer = await startWriter(file, start)
  return { db: await openReader(file, writer), writer, begin: async () => {} }
}

/** Only where its tables are those that this version has. */
function openIfCurrent(file: string): ReadConnection | undefined {
  if (!existsSync(file)) return undefined
  let db: ReadConnection | undefined
  try {
    db = openReadConnection(file)
    // Only a statement reads what the tables are.
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    if (isCurrent(db.pragma('user_version', { simple: true }) as number)) return db
  } catch {
    // The writing connection tells what is wrong.
  }
  db?.close()
  return undefined
}

async function openReader(file: string, writer: Writer): Promise<ReadConnection> {
  try {
    return openReadConnection(file)
  } catch (error) {
    await writer.close()
    throw error
  }
}
