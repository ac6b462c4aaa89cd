import { lstatSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem } from '../../contract/problem.ts'

/** A lock that nothing refers to would be collected as garbage, and freed. */
const held = new Set<Sqlite.Database>()

/**
 * Makes this process the only one that works on the library in `folder`. The lock is an open SQLite transaction, so
 * the operating system frees it however the process ends.
 *
 * @returns a function that gives the lock back
 * @throws Problem `library-in-use` when another process holds it, `data-folder-unusable` where no lock can be had
 */
export function lockLibrary(folder: string): () => void {
  const file = join(folder, 'earmark.lock')
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found && !found.isFile()) throw unusable('is no file')
  const db = beginExclusive(file) ?? emptied(file)
  held.add(db)
  return () => {
    held.delete(db)
    db.close()
  }
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
    const code = error instanceof Sqlite.SqliteError ? error.code : ''
    if (code.startsWith('SQLITE_BUSY')) {
      throw new Problem('library-in-use', 'Another Earmark is already using this library.')
    }
    // SQLite reads the file only once nobody else has the lock.
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return undefined
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
  if (!db) throw unusable('holds something else')
  return db
}

function unusable(what: string): Problem {
  return new Problem(
    'data-folder-unusable',
    `earmark.lock in the data folder ${what}. The library is not touched: remove that lock, then start Earmark again.`
  )
}
