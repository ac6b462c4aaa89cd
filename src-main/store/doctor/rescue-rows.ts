import Sqlite from 'better-sqlite3'
import { addressOf } from '../../core/address.ts'
import { nearPageHash } from '../../core/page-key.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { filterToken } from '../../search/filter-tokens.ts'

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

/** Counts of rows that referred to missing rows and were mended or removed. */
export interface MendedReferences {
  /** Bookmarks of an organization that is gone. */
  adopted: number
  /** Keys of one. */
  revoked: number
  /** Removed rows that mean nothing without the missing row. */
  removed: number
}

/**
 * Repairs every reference to a missing row, inside a transaction. A bookmark of a missing organization becomes a private
 * bookmark of the profile, and a key of a missing organization is revoked, so that nobody else can see or use them. Other
 * rows lose the reference, or are removed if they only join two rows. The search index has to be rebuilt afterwards.
 */
export function mendReferences(db: WriteConnection, now: number): MendedReferences {
  const mended = { adopted: adoptBookmarks(db, now), revoked: revokeKeys(db, now), removed: 0 }
  for (const { table, from, to, parent, isOptional } of references(db)) {
    // By its hash an import of an export gives a picture back.
    if (parent === 'pictures') continue
    const gone = `"${from}" IS NOT NULL AND "${from}" NOT IN (SELECT "${to}" FROM "${parent}")`
    if (isOptional) db.exec(`UPDATE "${table}" SET "${from}" = NULL WHERE ${gone}`)
    else mended.removed += db.prepare(`DELETE FROM "${table}" WHERE ${gone}`).run().changes
  }
  // A step cannot restore a missing bookmark.
  db.exec(
    `DELETE FROM undo_bookmarks WHERE
       json_type(before, '$.organization') = 'integer'
         AND json_extract(before, '$.organization') NOT IN (SELECT id FROM organizations)
       OR EXISTS (SELECT 1 FROM json_each(before, '$.tags') WHERE value NOT IN (SELECT id FROM tags))`
  )
  return mended
}

/** If the profile has the same page, the bookmark stays without a page key, as duplicates do until they are merged. */
function adoptBookmarks(db: WriteConnection, now: number): number {
  const forgetPage = db.prepare(
    `UPDATE bookmarks SET page_key = NULL WHERE id = ?
       AND page_key IN (SELECT page_key FROM bookmarks WHERE ifnull(organization_id, 0) = 0)`
  )
  const adopt = db.prepare(
    `UPDATE bookmarks SET organization_id = NULL, visibility = 'private', updated_at = max(?, updated_at + 1) WHERE id = ?`
  )
  const orphans = db
    .prepare<[], number>(`SELECT id FROM bookmarks WHERE ${LOST_ORGANIZATION} ORDER BY id`)
    .pluck()
    .all()
  for (const id of orphans) {
    forgetPage.run(id)
    adopt.run(now, id)
  }
  return orphans.length
}

/** Without its organization a key would be the profile's, which sees everything. */
function revokeKeys(db: WriteConnection, now: number): number {
  return db
    .prepare(
      `UPDATE api_keys SET organization_id = NULL, revoked_at = ifnull(revoked_at, ?) WHERE ${LOST_ORGANIZATION}`
    )
    .run(now).changes
}

const LOST_ORGANIZATION = 'organization_id IS NOT NULL AND organization_id NOT IN (SELECT id FROM organizations)'

interface Reference {
  table: string
  from: string
  to: string
  parent: string
  isOptional: boolean
}

/** Every reference that a table of ours makes to another. */
function references(db: WriteConnection): Reference[] {
  return db
    .prepare<[], Omit<Reference, 'isOptional'> & { isOptional: number }>(
      `SELECT t.name AS "table", f."from", f."to", f."table" AS parent, c."notnull" = 0 AND c.pk = 0 AS isOptional
       FROM pragma_table_list t JOIN pragma_foreign_key_list(t.name) f
         JOIN pragma_table_info(t.name) c ON c.name = f."from"
       WHERE t.schema = 'main'`
    )
    .all()
    .map((one) => ({ ...one, isOptional: one.isOptional === 1 }))
}
