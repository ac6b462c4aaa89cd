import { linkSync, lstatSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem } from '../contract/problem.ts'
import { lastSeen } from './last-seen.ts'

/** Without a reference, a lock would be garbage-collected, which frees it. */
const locks = new Set<Sqlite.Database>()

/**
 * Makes this process the only one that works on the library in `folder`. The lock is an open SQLite transaction, so
 * the operating system frees it however the process ends. An open library is also detected if the lock's file is missing.
 *
 * @returns a function that frees the lock
 * @throws Problem `library-in-use` if another process holds it, `data-folder-unusable` if the file cannot be locked
 */
export function lockLibrary(folder: string): () => void {
  const file = join(folder, 'earmark.lock')
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats && !stats.isFile()) throw unusable('is not a file')
  const db = beginExclusive(file) ?? emptyAndLock(file)
  const unlock = () => {
    locks.delete(db)
    db.close()
  }
  locks.add(db)
  try {
    // A closed library is open in no process.
    if (lastSeen(folder).read() !== 'whole') assertAlone(join(folder, 'library.sqlite'))
    return unlock
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Checks that no process has the library open. The lock's file may have been deleted, or replaced by a program that syncs
 * the folder, while its process still runs. SQLite grants no exclusive access to a file that another connection has open.
 * The library is opened under a second name (a hard link), so that SQLite finds no log: it would write the log into the file.
 *
 * @throws Problem `library-in-use`
 */
function assertAlone(library: string): void {
  if (!lstatSync(library, { throwIfNoEntry: false })?.isFile()) return // opening a pipe blocks forever
  const sameFile = `${library}.same`
  try {
    rmSync(sameFile, { force: true })
    linkSync(library, sameFile)
    const db = new Sqlite(sameFile, { timeout: 0 })
    try {
      db.pragma('locking_mode = EXCLUSIVE')
      db.prepare('SELECT count(*) FROM sqlite_schema').get()
    } finally {
      db.close()
    }
  } catch (error) {
    // Opening the library reports other errors. On disks without hard links, only the lock protects the library.
    if (isBusy(error)) {
      const text = 'Another program has the library open, perhaps another Earmark. Close it, then start Earmark again.'
      throw new Problem('library-in-use', text)
    }
  } finally {
    for (const end of ['', '-wal', '-shm']) removeFile(sameFile + end)
  }
}

/** Leaves folders as they are. */
function removeFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) rmSync(path, { force: true })
}

/** @returns `undefined` if another program wrote into the lock's file, which is empty otherwise */
function beginExclusive(file: string): Sqlite.Database | undefined {
  let db: Sqlite.Database | undefined
  try {
    db = new Sqlite(file, { timeout: 0 })
    db.pragma('journal_mode = MEMORY')
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db?.close()
    if (isBusy(error)) {
      const text = 'Earmark is already running with this library. Stop it, then try again.'
      throw new Problem('library-in-use', text)
    }
    // SQLite reads the file only after it got the lock.
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(codeOf(error))) return undefined
    throw unusable('cannot be written')
  }
}

/** Empties the file in place, so that a process that starts at the same moment locks the same file. */
function emptyAndLock(file: string): Sqlite.Database {
  try {
    truncateSync(file)
  } catch {
    throw unusable('cannot be written')
  }
  const db = beginExclusive(file)
  if (!db) throw unusable('has other content')
  return db
}

/** Whether SQLite reports that another connection has locked the file. */
function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

function codeOf(error: unknown): string {
  return error instanceof Sqlite.SqliteError ? error.code : ''
}

function unusable(what: string): Problem {
  return new Problem(
    'data-folder-unusable',
    `earmark.lock in the data folder ${what}. Earmark did not open the library. Remove earmark.lock, then start Earmark again.`
  )
}
