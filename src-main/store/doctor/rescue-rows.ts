import { addressOf } from '../../core/address.ts'
import { nearPageHash } from '../../core/page-key.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { filterToken } from '../../search/filter-tokens.ts'
import { indexesOf, readable } from './damaged-indexes.ts'
import { references } from './mend-references.ts'

/** Rows lost with damaged pages. SQLite reads a page that says it has fewer rows than it had without an error. */
export interface Losses {
  /** Bookmarks that are there again with what indexes hold of them: address, date, place and tags. */
  rescued: number
  /** Bookmarks that are missing, at least. */
  bookmarks: number
  /** Rows of other tables that are missing, at least. */
  others: number
}

/**
 * Compares the rows that were copied from a library attached as `damaged` with all that knows of them elsewhere in it:
 * indexes, the search index, counts, and rows that refer to them. Pages are put back with what their indexes hold.
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

/** By what the filters' counts and the trash's say there are. */
function uncounted(db: WriteConnection): number {
  const types = (['link', 'image', 'color', 'text'] as const).map((type) => `'${filterToken.type(type)}'`)
  const known = `(SELECT sum(bookmarks) FROM damaged.filter_counts WHERE filter IN (${types.join(', ')}))
    + (SELECT bookmarks FROM damaged.trash_size)`
  return readable(
    () => db.prepare(`SELECT ${known} - (SELECT count(*) FROM main.bookmarks)`).pluck().get() as number,
    0
  )
}

/** Pages alone: a text stands in no index. */
function rescueBookmarks(db: WriteConnection, now: number): number {
  const put = db.prepare(
    `INSERT OR IGNORE INTO main.bookmarks (id, public_id, type, visibility, organization_id, page_key, url, domain, title,
       description, content, created_at, updated_at, details_due, near_page)
     SELECT @id, @publicId, @type, @visibility, @organization, @pageKey, @url, @domain, ifnull(max(d.title), ''),
       ifnull(max(d.description), ''), '', @createdAt, @now, iif(count(d.bookmark_id), NULL, @now), @nearPage
     FROM main.page_details d WHERE d.bookmark_id = @id`
  )
  const rows = readable(() => db.prepare<[], Known>(LOST_PAGES).all(), [])
  return db.transaction(() => rows.reduce((rescued, row) => rescued + putBack(row), 0))()

  function putBack(row: Known): number {
    const address = addressOf(row.pageKey)
    if ('fault' in address) return 0
    const { url, domain } = address
    return put.run({ ...row, url, domain, nearPage: nearPageHash(row.pageKey), now }).changes
  }
}

interface Known {
  id: number
  publicId: string
  type: string
  visibility: string
  organization: number | null
  pageKey: string
  createdAt: number
}

const LOST = 'id NOT IN (SELECT id FROM main.bookmarks)'

const LOST_PAGES = `
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
