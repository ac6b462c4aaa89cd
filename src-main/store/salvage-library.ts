import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem } from '../contract/problem.ts'
import { checkLibraryFile } from './check-library-file.ts'
import type { WriteConnection } from './connection.ts'
import { rebuildIndex } from './index-faults.ts'
import { lastSeen } from './last-seen.ts'
import { openLibraryFile } from './open-library-file.ts'
import { setAside } from './restore-library-file.ts'

/** Made anew from the bookmarks. */
const DERIVED = ['words', 'filter_counts', 'stale_tags', 'index_merge']

/**
 * Copies every row of a damaged library into a new one and puts that in its place. What was there is kept.
 *
 * @returns false where a row cannot be read: then nothing is changed
 */
export function salvageLibrary(folder: string, now: number): boolean {
  const file = join(folder, 'library.sqlite')
  const draft = `${file}.restored`
  const copy = `${file}.new` // closing what was attached would write its log into it
  const clean = () => {
    for (const end of ['', '-wal', '-shm']) for (const one of [draft, copy]) rmSync(`${one}${end}`, { force: true })
  }
  clean()
  for (const end of ['', '-wal']) if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${copy}${end}`)
  try {
    const db = openLibraryFile(draft)
    try {
      db.pragma('foreign_keys = OFF')
      db.prepare('ATTACH ? AS damaged').run(copy)
      db.transaction(() => copyRows(db))()
      db.exec('DETACH damaged')
    } finally {
      db.close()
    }
    checkLibraryFile(draft)
  } catch (error) {
    clean()
    if (error instanceof Problem || error instanceof Sqlite.SqliteError) return false
    throw error
  }
  setAside(file, now, draft)
  clean()
  lastSeen(folder).closed()
  return true
}

function copyRows(db: WriteConnection): void {
  for (const table of ownTables(db)) {
    db.exec(`DELETE FROM main."${table}"`)
    // As the rows stand in the table itself: an index may be what is damaged, and `WHERE` keeps SQLite from copying it.
    db.exec(`INSERT INTO main."${table}" SELECT * FROM damaged."${table}" NOT INDEXED WHERE true`)
  }
  rebuildIndex(db)
}

/** Tables with rows of their own: not an index's, which SQLite calls virtual, nor what belongs to one. */
function ownTables(db: WriteConnection): string[] {
  const all = db.pragma('table_list') as { schema: string; name: string; type: string }[]
  return all
    .filter(({ schema, name, type }) => schema === 'main' && type === 'table' && !name.startsWith('sqlite_'))
    .map(({ name }) => name)
    .filter((name) => !DERIVED.includes(name))
}
