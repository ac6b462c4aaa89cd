import { existsSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { Problem } from '../contract/problem.ts'
import { APPLICATION_ID, asDamage } from './connection.ts'
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
  const made = ['-wal', '-shm'].map((end) => `${file}${end}`).filter((one) => !existsSync(one))
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 1000 })
    try {
      if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
        throw new Problem('not-a-library', 'This file is not an Earmark library.')
      }
      const version = db.pragma('user_version', { simple: true }) as number
      assertNotNewer(version)
      const whole = db.pragma('quick_check(1)', { simple: true }) === 'ok' && tablesOf(db) === tablesAt(version)
      if (!whole) throw new Problem('library-damaged', 'The library file is damaged.')
      return db.prepare('SELECT count(*) FROM bookmarks WHERE deleted_at IS NULL').pluck().get() as number
    } finally {
      db.close()
      for (const one of made) rmSync(one, { force: true }) // SQLite leaves them behind, empty
    }
  } catch (error) {
    throw asDamage(error)
  }
}

function tablesOf(db: Sqlite.Database): string {
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
