import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem } from '../../contract/problem.ts'
import { asProblem } from '../connection.ts'

/** A lock that nothing refers to would be collected as garbage, and freed. */
const held = new Set<Sqlite.Database>()

/**
 * Makes this process the only one that works on the library in `folder`. The lock is an open SQLite transaction, so
 * the operating system frees it however the process ends.
 *
 * @returns a function that gives the lock back
 * @throws Problem `library-in-use` when another process holds it
 */
export function lockLibrary(folder: string): () => void {
  const db = new Sqlite(join(folder, 'earmark.lock'), { timeout: 0 })
  try {
    db.pragma('journal_mode = MEMORY')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new Problem('library-in-use', 'Another Earmark is already using this library.')
    }
    throw asProblem(error)
  }
  held.add(db)
  return () => {
    held.delete(db)
    db.close()
  }
}
