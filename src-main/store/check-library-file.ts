import { rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { Problem } from '../contract/problem.ts'
import { APPLICATION_ID, asProblem } from './connection.ts'
import { assertNotNewer } from './migrate.ts'

/**
 * Looks through a whole library file that nobody has open.
 *
 * @returns how many bookmarks it holds outside the trash
 * @throws Problem `not-a-library`, `library-damaged` or `store-too-new`
 */
export function checkLibraryFile(file: string): number {
  const own = ['-wal', '-shm'].map((end) => `${file}${end}`)
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 1000 })
    try {
      if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
        throw new Problem('not-a-library', 'This is not a backup of an Earmark library.')
      }
      assertNotNewer(db.pragma('user_version', { simple: true }) as number)
      if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') {
        throw new Problem('library-damaged', 'This copy of the library is damaged.')
      }
      return db.prepare('SELECT count(*) FROM bookmarks WHERE deleted_at IS NULL').pluck().get() as number
    } finally {
      db.close()
      for (const one of own) rmSync(one, { force: true }) // reading leaves them behind, empty
    }
  } catch (error) {
    throw asProblem(error)
  }
}
