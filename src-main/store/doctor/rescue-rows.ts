import Sqlite from 'better-sqlite3'
import { addressOf } from '../../core/address.ts'
import { nearPageHash } from '../../core/page-key.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { filterToken } from '../../search/filter-tokens.ts'
import { references } from './mend-references.ts'

/** Rows that were lost with damaged pages. SQLite reads a page whose count of rows is too low without an error. */
export interface Losses {
  /** Bookmarks that were rebuilt from indexes, with address, date, visibility and tags only. */
  rescued: number
  /** Bookmarks that are missing, at least. */
  bookmarks: number
  /** Rows of other tables that are missing, at least. */
  others: number
}

/**
 * Compares the rows that were copied from a library attached as `damaged` with its indexes, its search index, its counts
 * and the rows that refer to them. Links that are missing are rebuilt from the indexes.
 */
export function rescueRows(db: WriteConnection, tables: string[], now: number): Losses {
  const rescued = rescueBookmarks(db, now)
  const missing = new Map<string, number>()
  const witness = (table: string, lacks: number) => missing.set(table, Math.max(missing.get(table) ?? 0, lacks))
  for (const { table, name, key, isTable } of tables.flatMap((one) => indexesOf(db, one))) {
    if (isTable) continue
    const known = `SELECT ${key} FROM damaged."${table}" INDEXED BY "${name}"`
    witness(table, lacking(db, `(${known} EXCEPT SELECT ${key} FROM main."${table}")`))
  }
  for (const { table, from, to, parent } of references(db)) {
    const known = `SELECT "${from}" FROM main."${table}" WHERE "${from}" IS NOT NULL`
    witness(parent, lacking(db, `(${known} EXCEPT SELECT "${to}" FROM main."${parent}")`))
  }
  for (const index of ['bookmark_texts_docsize', 'bookmark_titles_docsize']) {
    witness('bookmarks', lacking(db, `(SELECT id FROM damaged.${index} EXCEPT SELECT id FROM main.bookmarks)`))
  }
  witness('bookmarks', uncounted(db))
  const { bookmarks = 0, ...others } = Object.fromEntries(missing)
  return { rescued, bookmarks, others: Object.values(others).reduce((sum, some) => sum + some, 0) }
}

/** Returns how many bookmarks are missing by the counts of the filters and of the trash. */
function uncounted(db: WriteConnection): number {
  const types = (['link', 'image', 'color', 'text'] as const).map((type) => `'${filterToken.type(type)}'`)
  const known = `(SELECT sum(bookmarks) FROM damaged.filter_counts WHERE filter IN (${types.join(', ')}))
    + (SELECT bookmarks FROM damaged.trash_size)`
  return readable(
    () => db.prepare(`SELECT ${known} - (SELECT count(*) FROM main.bookmarks)`).pluck().get() as number,
    0
  )
}

/** Links only: no index contains the content of other bookmarks. */
function rescueBookmarks(db: WriteConnection, now: number): number {
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

function lacking(db: WriteConnection, rows: string): number {
  return readable(() => db.prepare(`SELECT count(*) FROM ${rows}`).pluck().get() as number, 0)
}

/** A b-tree of a library attached as `damaged` with an entry for every row of a table. */
interface Index {
  table: string
  name: string
  /** The columns that identify a row of the table. */
  key: string
  /** Whether it contains whole rows. */
  isWhole: boolean
  /** Whether it is the table itself, which has no row ids. */
  isTable: boolean
}

/** Indexes that hold an entry for every row of a table, by the schema of the library that is written. */
export function indexesOf(db: WriteConnection, table: string): Index[] {
  const hasNoIds = db.prepare("SELECT wr FROM pragma_table_list(?) WHERE schema = 'main'").pluck().get(table) === 1
  const all = db.prepare<[string], Column>('SELECT name, pk FROM pragma_table_info(?)').all(table)
  const key = hasNoIds ? all.filter(({ pk }) => pk > 0).map(({ name }) => name) : ['rowid']
  const columns = db.prepare<[string], string>('SELECT name FROM pragma_index_xinfo(?) WHERE cid >= 0').pluck()
  return db
    .prepare<[string], { name: string; origin: string }>(
      'SELECT name, origin FROM pragma_index_list(?) WHERE partial = 0'
    )
    .all(table)
    .map(({ name, origin }) => ({
      table,
      name,
      key: key.join(', '),
      isWhole: all.every((column) => columns.all(name).includes(column.name)),
      isTable: hasNoIds && origin === 'pk'
    }))
}

interface Column {
  name: string
  pk: number
}

/** Returns the rows that can be read; `nothing` if SQLite reports damage. */
export function readable<T>(read: () => T, nothing: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return nothing
    throw error
  }
}
