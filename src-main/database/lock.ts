import { linkSync, lstatSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem } from '../contract/problem.ts'
import { lastSeen } from './last-seen.ts'

/** A lock that nothing refers to would be collected as garbage, and freed. */
const held = new Set<Sqlite.Database>()

/**
 * Makes this process the only one that works on the library in `folder`. The lock is an open SQLite transaction, so
 * the operating system frees it however the process ends. Without its file, an open library is found out all the same.
 *
 * @returns a function that gives the lock back
 * @throws Problem `library-in-use` when another process holds it, `data-folder-unusable` where no lock can be had
 */
export function lockLibrary(folder: string): () => void {
  const file = join(folder, 'earmark.lock')
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found && !found.isFile()) throw unusable('is not a file')
  const db = beginExclusive(file) ?? emptied(file)
  const unlock = () => {
    held.delete(db)
    db.close()
  }
  held.add(db)
  try {
    // One that was closed is open nowhere.
    if (lastSeen(folder).read() !== 'whole') assertAlone(join(folder, 'library.sqlite'))
    return unlock
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * The lock is a file that may be deleted, or replaced by a program that syncs the folder, while its process goes on. So
 * SQLite is asked too: no connection has a library for itself while another has it open. It is asked under another name
 * of the same file, where it finds no log, which it would write back.
 *
 * @throws Problem `library-in-use`
 */
function assertAlone(library: string): void {
  if (!lstatSync(library, { throwIfNoEntry: false })?.isFile()) return // a pipe waits for ever
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
    // What else is wrong is told by whoever opens it. Some disks know no second name; there the lock alone has to do.
    if (isBusy(error)) {
      const text = 'Another program has the library open, perhaps another Earmark. Close it, then start Earmark again.'
      throw new Problem('library-in-use', text)
    }
  } finally {
    for (const end of ['', '-wal', '-shm']) removeFile(sameFile + end)
  }
}

/** Leaves alone what is no file. */
function removeFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) rmSync(path, { force: true })
}

/** @returns `undefined` where something was written into the lock, which holds nothing of its own */
function beginExclusive(file: string): Sqlite.Database | undefined {
  let db: Sqlite.Database | undefined
  try {
    db = new Sqlite(file, { timeout: 0 })
    db.pragma('journal_mode = MEMORY')
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db?.close()
    if (isBusy(error)) throw libraryInUse()
    // SQLite reads the file only once nobody else has the lock.
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(codeOf(error))) return undefined
    throw unusable('cannot be written')
  }
}

/** In place, so that whoever comes at the same moment locks the same file. */
function emptied(file: string): Sqlite.Database {
  try {
    truncateSync(file)
  } catch {
    throw unusable('cannot be written')
  }
  const db = beginExclusive(file)
  if (!db) throw unusable('has other content')
  return db
}

/** Returns whether SQLite says that somebody else has a file. */
function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

function libraryInUse(): Problem {
  return new Problem('library-in-use', 'Earmark is already running with this library. Stop it, then try again.')
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
