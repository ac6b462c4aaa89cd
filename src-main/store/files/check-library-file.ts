import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { Problem } from '../../contract/problem.ts'
import { APPLICATION_ID, asDamage, type ReadConnection } from '../connection.ts'
import { assertFile } from './library-file.ts'
import { assertNotNewer } from './migrate.ts'
import { migrations } from './migrations/all.ts'

/**
 * Looks through a whole library file, its log included, and changes nothing: its pages, and whether its tables are
 * those its version has.
 *
 * @returns how many bookmarks it holds outside the trash
 * @throws Problem `not-a-library`, `library-damaged` or `store-too-new`
 */
export function checkLibraryFile(file: string): number {
  const log = `${file}-wal`
  const hadLog = existsSync(log)
  if (existsSync(file)) assertFile(file, 'read')
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 1000 })
    try {
      if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
        throw new Problem('not-a-library', 'This file is not an Earmark library.')
      }
      assertNotNewer(db.pragma('user_version', { simple: true }) as number)
      if (!isWhole(db)) throw new Problem('library-damaged', 'The library file is damaged.')
      return db.prepare('SELECT count(*) FROM bookmarks WHERE deleted_at IS NULL').pluck().get() as number
    } finally {
      db.close()
      if (!hadLog && existsSync(log)) closeAsLast(file)
    }
  } catch (error) {
    throw asDamage(error)
  }
}

/** Whether a library's pages are sound, and its tables those its version has. */
export function isWhole(db: ReadConnection | Sqlite.Database): boolean {
  const version = db.pragma('user_version', { simple: true }) as number
  return db.pragma('quick_check(1)', { simple: true }) === 'ok' && tablesOf(db) === tablesAt(version)
}

/**
 * Takes away the empty log that reading leaves behind. SQLite does that for the last who has the file open for writing:
 * a service that started meanwhile keeps the log that its rows are in.
 */
function closeAsLast(file: string): void {
  try {
    const db = new Sqlite(file, { fileMustExist: true, timeout: 0 })
    try {
      db.pragma('schema_version')
    } finally {
      db.close()
    }
  } catch {
    // It may be damaged, or only for reading: an empty log beside it says nothing.
  }
}

function tablesOf(db: Pick<Sqlite.Database, 'prepare'>): string {
  const all = db.prepare<[], Table>('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
  const indexes = all.filter(({ sql }) => sql?.startsWith('CREATE VIRTUAL')).map(({ name }) => `${name}_`)
  // What SQLite makes itself is in words of its version, and it adds statistics when it wants to.
  const own = all.filter(({ name }) => !['sqlite_', ...indexes].some((prefix) => name.startsWith(prefix)))
  return JSON.stringify(own)
}

interface Table {
  type: string
  name: string
  sql: string | null
}

/** Of a library that was brought up to a version step by step. */
function tablesAt(version: number): string {
  const db = new Sqlite(':memory:')
  try {
    for (const step of migrations) if (step.version <= version) db.exec(step.sql)
    return tablesOf(db)
  } finally {
    db.close()
  }
}
