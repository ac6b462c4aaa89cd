import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem } from '../../contract/problem.ts'
import { APPLICATION_ID, openWriteConnection, type WriteConnection } from '../../database/connection.ts'
import { checkLibraryFile } from '../../database/library-file.ts'
import { lastSeen } from '../../database/lock.ts'
import { assertSupported, migrate } from '../../database/migrations.ts'
import { markAsCopy, setAside } from '../../database/restore.ts'
import { SCHEMA_VERSION } from '../../database/schema.ts'
import { rebuildIndex } from '../../search/sql/search-index.ts'
import { indexesOf, type Losses, readable, rescueRows } from './rescue-rows.ts'

/** Tables that are rebuilt from the bookmarks. */
const DERIVED = ['words', 'filter_counts', 'index_merge']

/**
 * Copies every readable row of a damaged library into a new one, which replaces it. The damaged files are kept.
 *
 * @returns the known losses; `undefined` if no bookmark can be read, and nothing was changed
 */
export function salvageLibrary(folder: string, now: number): Losses | undefined {
  const file = join(folder, 'library.sqlite')
  const draft = `${file}.restored`
  const copy = `${file}.new` // closing what was attached would write its log into it
  const clean = () => {
    for (const end of ['', '-wal', '-shm']) for (const one of [draft, copy]) rmSync(`${one}${end}`, { force: true })
  }
  clean()
  for (const end of ['', '-wal']) if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${copy}${end}`)
  let losses: Losses
  try {
    const db = openWriteConnection(draft)
    try {
      db.pragma('foreign_keys = OFF')
      db.prepare('ATTACH ? AS damaged').run(copy)
      createTables(db)
      // Each statement for itself: in a transaction that met damage, SQLite writes nothing more.
      losses = copyRows(db, now)
      if (losses.bookmarks > 0 && isEmpty(db)) throw new Problem('library-damaged', 'The library file is damaged.')
      db.exec('DETACH damaged')
      migrate(db, () => {})
      db.transaction(() => derive(db))()
    } finally {
      db.close()
    }
    checkLibraryFile(draft)
  } catch (error) {
    clean()
    if (error instanceof Problem || error instanceof Sqlite.SqliteError) return undefined
    throw error
  }
  setAside(file, now, draft)
  clean()
  lastSeen(folder).closed()
  return losses
}

/**
 * Creates the tables of the damaged library's own version, because its rows fit no other. The copy is upgraded afterwards.
 *
 * @throws Problem if the version is not supported
 */
function createTables(db: WriteConnection): void {
  const version = db.pragma('damaged.user_version', { simple: true }) as number
  assertSupported(version)
  if (version === SCHEMA_VERSION) {
    migrate(db, () => {})
    return
  }
  const all = db
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM damaged.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid"
    )
    .all()
  const virtual = all.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL')).map(({ name }) => `${name}_`)
  db.transaction(() => {
    for (const { name, sql } of all) if (!virtual.some((prefix) => name.startsWith(prefix))) db.exec(sql)
    db.exec('INSERT INTO index_merge (bookmarks) VALUES (0)')
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.pragma(`user_version = ${version}`)
  })()
}

function copyRows(db: WriteConnection, now: number): Losses {
  const tables = ownTables(db)
  // Last: while it is empty, the triggers note nothing.
  for (const table of tables) if (table !== 'sync_state') copyTable(db, table)
  const losses = rescueRows(db, tables, now)
  copyTable(db, 'sync_state')
  markAsCopy(db, losses.bookmarks + losses.others + losses.rescued > 0)
  return losses
}

function isEmpty(db: WriteConnection): boolean {
  return db.prepare('SELECT NOT EXISTS (SELECT 1 FROM main.bookmarks)').pluck().get() === 1
}

function derive(db: WriteConnection): void {
  db.exec('UPDATE trash_size SET bookmarks = (SELECT count(*) FROM bookmarks WHERE deleted_at IS NOT NULL)')
  // New bookmarks get the row ids of lost ones, and are not of their steps.
  db.exec('UPDATE undo_ranges SET last = min(last, (SELECT ifnull(max(id), 0) FROM bookmarks))')
  rebuildIndex(db)
}

/**
 * From the table itself and from every index that holds whole rows: any of them may be what is damaged. Where none can
 * be read to its end, what is around the damage is taken.
 */
function copyTable(db: WriteConnection, table: string): void {
  db.exec(`DELETE FROM main."${table}"`)
  const whole = indexesOf(db, table).filter(({ isWhole }) => isWhole)
  const itself = whole.find(({ isTable }) => isTable)
  // `NOT INDEXED` would read a table without row ids along any index that holds whole rows, and `WHERE` keeps SQLite
  // from copying a table page by page, with what is damaged in it.
  const copy = (insert: string, way: string) =>
    readable(() => {
      db.exec(`${insert} INTO main."${table}" SELECT * FROM damaged."${table}" ${way} WHERE true`)
      return true
    }, false)
  const isRead = [
    copy('INSERT', itself ? `INDEXED BY "${itself.name}"` : 'NOT INDEXED'),
    ...whole.filter((one) => one !== itself).map(({ name }) => copy('INSERT OR IGNORE', `INDEXED BY "${name}"`))
  ].includes(true)
  if (isRead) return
  if (itself) copyEnds(db, table, itself.name)
  else copyPieces(db, table)
}

/** Tables with rows of their own: not an index's, which SQLite calls virtual, nor what belongs to one. */
function ownTables(db: WriteConnection): string[] {
  const all = db.pragma('table_list') as { schema: string; name: string; type: string }[]
  return all
    .filter(({ schema, name, type }) => schema === 'main' && type === 'table' && !name.startsWith('sqlite_'))
    .map(({ name }) => name)
    .filter((name) => !DERIVED.includes(name))
}

/** Statements that may meet damage in one table: more means that hardly anything of it is left. */
const MAX_FAILURES = 4000

/** Row ids above the highest readable one that are also tried. */
const FAR = 2 ** 40

/**
 * Copies the readable rows of a damaged table that has row ids, in ranges. A range with damage is divided in two, again
 * and again. Each range has its own statement, because a statement that meets damage copies nothing.
 */
function copyPieces(db: WriteConnection, table: string): void {
  const copy = db.prepare<[number, number]>(
    `INSERT OR IGNORE INTO main."${table}" SELECT * FROM damaged."${table}" NOT INDEXED WHERE rowid BETWEEN ? AND ?`
  )
  const isRead = (from: number, to: number) =>
    readable(() => {
      copy.run(from, to)
      return true
    }, false)
  const highest = readable(
    () => db.prepare<[], number | null>(`SELECT max(rowid) FROM damaged."${table}" NOT INDEXED`).pluck().get() ?? 0,
    FAR
  )
  const left: [from: number, to: number][] = [[0, highest]]
  let failures = 0
  for (let range = left.pop(); range && failures < MAX_FAILURES; range = left.pop()) {
    const [from, to] = range
    if (isRead(from, to)) continue
    failures += 1
    if (from === to) continue
    const middle = from + Math.floor((to - from) / 2)
    left.push([middle + 1, to], [from, middle])
  }
}

/** Copies what can be read of a table without row ids, by its primary key: from its beginning and from its end, up to the damage. */
function copyEnds(db: WriteConnection, table: string, index: string): void {
  const names = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)
  const keys = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk').pluck()
  const put = db.prepare<unknown[]>(`INSERT OR IGNORE INTO main."${table}" VALUES (${names.map(() => '?').join(', ')})`)
  for (const direction of ['ASC', 'DESC']) {
    const order = keys.all(table).map((name) => `"${name}" ${direction}`)
    const rows: unknown[][] = []
    readable(() => {
      const read = db.prepare<[], unknown[]>(
        `SELECT * FROM damaged."${table}" INDEXED BY "${index}" ORDER BY ${order.join(', ')}`
      )
      for (const row of read.raw().iterate()) rows.push(row)
    }, undefined)
    db.transaction(() => {
      for (const row of rows) put.run(...row)
    })()
  }
}
