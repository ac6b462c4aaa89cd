import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem } from '../../contract/problem.ts'
import { addressOf } from '../../core/address.ts'
import { nearPageHash } from '../../core/page-key.ts'
import { APPLICATION_ID, openWriteConnection, type WriteConnection } from '../../database/connection.ts'
import { checkLibraryFile } from '../../database/library-file.ts'
import { lastSeen } from '../../database/lock.ts'
import { assertSupported, migrate } from '../../database/migrations.ts'
import { markAsCopy, setAside } from '../../database/restore.ts'
import { SCHEMA_VERSION } from '../../database/schema.ts'
import { rebuildIndex } from '../../search/sql/search-index.ts'

/** Tables that are rebuilt from the bookmarks. */
const DERIVED = ['words', 'filter_counts', 'index_merge']

/** Rows that are known to be lost. SQLite reads a page whose count of rows is too low without an error. */
export interface Losses {
  /** Bookmarks that were rebuilt from indexes, with address, date, visibility and tags only. */
  rescued: number
  /** Minimum number of missing bookmarks. */
  bookmarks: number
  /** Whether all tables could be read completely. */
  isWhole: boolean
}

/**
 * Copies every readable row of a damaged library into a new one, which replaces it. The damaged files are kept.
 *
 * @returns the known losses; `undefined` if no bookmark can be read, and nothing was changed
 */
export function salvageLibrary(folder: string, now: number): Losses | undefined {
  const file = join(folder, 'library.sqlite')
  const draft = `${file}.restored`
  const copy = `${file}.new` // a copy, because detaching a database writes its log into it
  const clean = () => {
    for (const end of ['', '-wal', '-shm']) for (const path of [draft, copy]) rmSync(`${path}${end}`, { force: true })
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
      // Without a transaction for all: after an error from damage, SQLite writes nothing more in that transaction.
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
 * Creates the tables of the damaged library's version, because its rows fit only these. The copy is upgraded afterwards.
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
  // `sync_state` is copied last: while it is empty, the triggers record no changes.
  const tables = ownTables(db).filter((table) => table !== 'sync_state')
  const unread = tables.filter((table) => !copyTable(db, table))
  const rescued = rescueLinks(db, now)
  const missing = `SELECT count(*) FROM damaged.bookmarks INDEXED BY sqlite_autoindex_bookmarks_1 WHERE ${LOST}`
  const bookmarks = readable(() => db.prepare<[], number>(missing).pluck().get() ?? 0, 0)
  copyTable(db, 'sync_state')
  markAsCopy(db, true)
  return { rescued, bookmarks, isWhole: unread.length === 0 }
}

/**
 * Rebuilds bookmarks of pages from indexes, and returns their number. Other bookmarks cannot be rebuilt, because no index
 * contains their content.
 */
function rescueLinks(db: WriteConnection, now: number): number {
  const put = db.prepare(
    `INSERT OR IGNORE INTO main.bookmarks (id, public_id, type, visibility, organization_id, page_key, url, domain, title,
       description, content, created_at, updated_at, details_due, near_page)
     SELECT @id, @publicId, @type, @visibility, @organization, @pageKey, @url, @domain, ifnull(max(d.title), ''),
       ifnull(max(d.description), ''), '', @createdAt, @now, iif(count(d.bookmark_id), NULL, @now), @nearPage
     FROM main.page_details d WHERE d.bookmark_id = @id`
  )
  const rows = readable(() => db.prepare<[], IndexedLink>(LOST_LINKS).all(), [])
  return db.transaction(() => rows.reduce((rescued, row) => rescued + putBack(row), 0))()

  function putBack(row: IndexedLink): number {
    const address = addressOf(row.pageKey)
    if ('fault' in address) return 0
    const { url, domain } = address
    return put.run({ ...row, url, domain, nearPage: nearPageHash(row.pageKey), now }).changes
  }
}

interface IndexedLink {
  id: number
  publicId: string
  type: string
  visibility: string
  organization: number | null
  pageKey: string
  createdAt: number
}

const LOST = 'id NOT IN (SELECT id FROM main.bookmarks)'

const LOST_LINKS = `
  WITH named AS MATERIALIZED (
      SELECT id, public_id FROM damaged.bookmarks INDEXED BY sqlite_autoindex_bookmarks_1 WHERE ${LOST}),
    dated AS MATERIALIZED (
      SELECT id, created_at, type, visibility, organization_id FROM damaged.bookmarks INDEXED BY bookmarks_by_date
      WHERE deleted_at IS NULL AND ${LOST}),
    paged AS MATERIALIZED (
      SELECT id, page_key FROM damaged.bookmarks INDEXED BY bookmarks_by_page WHERE page_key IS NOT NULL AND ${LOST})
  SELECT id, public_id AS publicId, type, visibility, organization_id AS organization, page_key AS pageKey,
    created_at AS createdAt
  FROM named JOIN dated USING (id) JOIN paged USING (id) ORDER BY id`

function isEmpty(db: WriteConnection): boolean {
  return db.prepare('SELECT NOT EXISTS (SELECT 1 FROM main.bookmarks)').pluck().get() === 1
}

function derive(db: WriteConnection): void {
  db.exec('UPDATE trash_size SET bookmarks = (SELECT count(*) FROM bookmarks WHERE deleted_at IS NOT NULL)')
  // SQLite gives the highest lost row ids to new bookmarks, which do not belong to the steps of the lost ones.
  db.exec('UPDATE undo_ranges SET last = min(last, (SELECT ifnull(max(id), 0) FROM bookmarks))')
  rebuildIndex(db)
}

/**
 * Copies the readable rows of a table. Reads a table without row ids also from each index that has all its columns,
 * because only one of them may be damaged.
 *
 * @returns whether the table could be read completely
 */
function copyTable(db: WriteConnection, table: string): boolean {
  db.exec(`DELETE FROM main."${table}"`)
  const indexes = hasRowIds(db, table) ? [] : wholeIndexesOf(db, table)
  // With `NOT INDEXED`, SQLite may read a table without row ids from any index that has all columns. Without `WHERE`,
  // SQLite would copy a table page by page, including the damaged pages.
  const ways = indexes.length === 0 ? ['NOT INDEXED'] : indexes.map((name) => `INDEXED BY "${name}"`)
  const copies = ways.map((way) => {
    const copy = `INSERT OR IGNORE INTO main."${table}" SELECT * FROM damaged."${table}" ${way} WHERE true`
    return readable(() => db.exec(copy) === db, false)
  })
  if (copies.includes(true)) return true
  if (indexes[0] === undefined) copyPieces(db, table)
  else copyEnds(db, table, indexes[0])
  return false
}

function hasRowIds(db: WriteConnection, table: string): boolean {
  return db.prepare("SELECT wr FROM pragma_table_list(?) WHERE schema = 'main'").pluck().get(table) === 0
}

/** Returns the indexes with all columns of a table. The first is the table itself, its primary key. */
function wholeIndexesOf(db: WriteConnection, table: string): string[] {
  return db
    .prepare<[string, string], string>(
      `SELECT i.name FROM pragma_index_list(?) i WHERE partial = 0 AND NOT EXISTS (
         SELECT name FROM pragma_table_info(?) EXCEPT SELECT name FROM pragma_index_xinfo(i.name))
       ORDER BY origin = 'pk' DESC`
    )
    .pluck()
    .all(table, table)
}

/** Returns the result of `read`, or `nothing` if SQLite reports an error. */
function readable<T>(read: () => T, nothing: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return nothing
    throw error
  }
}

/** Returns the tables to copy, without full-text indexes, which SQLite calls virtual tables, and their shadow tables. */
function ownTables(db: WriteConnection): string[] {
  const all = db.pragma('table_list') as { schema: string; name: string; type: string }[]
  return all
    .filter(({ schema, name, type }) => schema === 'main' && type === 'table' && !name.startsWith('sqlite_'))
    .map(({ name }) => name)
    .filter((name) => !DERIVED.includes(name))
}

/** Maximum number of failed statements for one table. After so many, hardly any row of the table is readable. */
const MAX_FAILURES = 4000

/** The highest row id that is tried if the highest row id of a table cannot be read. */
const FAR = 2 ** 40

/**
 * Copies the readable rows of a damaged table that has row ids, in ranges. A range with damage is divided in two,
 * repeatedly. Each range has its own statement, because a statement that fails because of damage copies nothing.
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

/**
 * Copies the readable rows of a table without row ids, in the order of its primary key: from the first row and from the
 * last row, up to the damage.
 */
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
