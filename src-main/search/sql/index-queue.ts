/**
 * The bookmarks that the search index does not hold yet, or no longer rightly. They are kept in three places, by what is
 * known of them:
 * - `unindexed_ranges`: counted, in no index. Ranges of row ids that never overlap, so that adding a million new rows is
 *   one row here. `bookmarks.unindexed` marks the rows that the indexes of titles and near pages leave out until then.
 * - `bookmarks.filters IS NULL`: neither counted nor indexed, after a rebuild or from a library without an index.
 * - `stale_tags`: indexed with the tags they had; `ahead` is by how much a tag's count is ahead of the index.
 *
 * Everything that changes them is for use inside a transaction.
 */
import type { Caller } from '../../contract/caller.ts'
import { nearPageHash } from '../../core/page-key.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readRows, readValue, readValues, run } from '../../database/sql.ts'
import { filterToken } from '../filter-tokens.ts'

interface Range {
  first: number
  last: number
}

/** SQL for the bookmarks `b` outside the trash that are in `unindexed_ranges`. */
export const UNINDEXED = `unindexed_ranges u CROSS JOIN bookmarks b ON b.id BETWEEN u.first AND u.last
  AND b.deleted_at IS NULL`

const NEWEST_RANGE = 'SELECT first, last FROM unindexed_ranges ORDER BY first DESC LIMIT 1'

/** Adds new bookmarks, which have the highest row ids of all. */
export function addUnindexed(db: WriteConnection, first: number, last: number): void {
  // SQLite gives the row ids of purged bookmarks away again, from the highest.
  run(db, 'DELETE FROM unindexed_ranges WHERE first >= ?', first)
  const before = readRow<Range>(db, NEWEST_RANGE)
  writeRange(db, before && before.last >= first - 1 ? before.first : first, last)
}

/** Takes a bookmark out, and returns whether it was among the unindexed. */
export function takeUnindexed(db: WriteConnection, rowId: number): boolean {
  const holding = 'SELECT first, last FROM unindexed_ranges WHERE first <= ? ORDER BY first DESC LIMIT 1'
  const range = readRow<Range>(db, holding, rowId)
  if (!range || range.last < rowId) return false
  if (range.first === rowId) removeRange(db, rowId)
  else writeRange(db, range.first, rowId - 1)
  if (range.last > rowId) writeRange(db, rowId + 1, range.last)
  return true
}

/** Takes some of the newest unindexed bookmarks out, and returns them in ascending order; `undefined` when none is left. */
export function takeSomeUnindexed(db: WriteConnection, most: number): number[] | undefined {
  const range = readRow<Range>(db, NEWEST_RANGE)
  if (!range) return undefined
  const first = Math.max(range.first, range.last - most + 1)
  if (first === range.first) removeRange(db, first)
  else writeRange(db, range.first, first - 1)
  const living = 'SELECT id FROM bookmarks WHERE id BETWEEN ? AND ? AND deleted_at IS NULL ORDER BY id'
  return readValues(db, living, first, range.last)
}

function writeRange(db: WriteConnection, first: number, last: number): void {
  run(
    db,
    'INSERT INTO unindexed_ranges (first, last) VALUES (?, ?) ON CONFLICT (first) DO UPDATE SET last = excluded.last',
    first,
    last
  )
}

function removeRange(db: WriteConnection, first: number): void {
  run(db, 'DELETE FROM unindexed_ranges WHERE first = ?', first)
}

/** Adds a row to the indexes of titles and near pages and to the pages to read, when its words are indexed. */
export function enterRow(
  db: WriteConnection,
  { id, pageKey, picture }: { id: number; pageKey: string | null; picture: string | null }
): void {
  run(
    db,
    `UPDATE bookmarks SET unindexed = NULL, near_page = ?, details_due = iif(details_due IS NULL AND url IS NOT NULL
       AND page_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM page_details WHERE bookmark_id = bookmarks.id),
     updated_at, details_due) WHERE id = ?`,
    picture === null ? nearPageHash(pageKey) : null,
    id
  )
}

/** Returns some bookmarks that are to be indexed anew: uncounted ones, the newest first, then those with stale tags. */
export function someToReindex(db: ReadConnection, most: number): number[] {
  const uncounted = 'SELECT id FROM bookmarks WHERE filters IS NULL AND deleted_at IS NULL ORDER BY id DESC LIMIT ?'
  const rowIds = readValues<number>(db, uncounted, most)
  return rowIds.length > 0 ? rowIds : readValues(db, 'SELECT DISTINCT bookmark_id FROM stale_tags LIMIT ?', most)
}

/** Counts so many more bookmarks with a filter's token. */
export type Count = (token: string, more: number) => void

/** Takes a bookmark out of those with stale tags: its counts follow from the row again. */
export function takeStale(db: WriteConnection, rowId: number, count: Count): void {
  const sql = 'SELECT tag_id AS tag, ahead FROM stale_tags WHERE bookmark_id = ?'
  const stale = readRows<{ tag: number; ahead: number }>(db, sql, rowId)
  if (stale.length === 0) return
  for (const { tag, ahead } of stale) count(filterToken.tag(tag), -ahead)
  run(db, 'DELETE FROM stale_tags WHERE bookmark_id = ?', rowId)
}

/** Adds all bookmarks with a tag whose name changed. */
export function addRenamedTag(db: WriteConnection, tag: number): void {
  run(
    db,
    `INSERT OR IGNORE INTO stale_tags (bookmark_id, tag_id, ahead)
       SELECT b.id, bt.tag_id, 0 FROM bookmark_tags bt JOIN bookmarks b ON b.id = bt.bookmark_id
       WHERE bt.tag_id = ? AND b.filters IS NOT NULL`,
    tag
  )
}

/** The taggings that an undo step changed, or with -1 that taking it back changed, of bookmarks above `after` alone. */
export interface TagStep {
  step: number
  direction: 1 | -1
  after: number
}

/** Adds the bookmarks whose tags a step changed, and counts the change. */
export function addChangedTags(db: WriteConnection, step: TagStep, count: Count): void {
  const changes = readRows<{ tag: number; more: number }>(
    db,
    `SELECT u.tag_id AS tag, sum(u.given) * @direction AS more FROM undo_taggings u
       JOIN bookmarks b ON b.id = u.bookmark_id
     WHERE u.step_id = @step AND u.bookmark_id > @after AND b.filters IS NOT NULL GROUP BY u.tag_id`,
    step
  )
  for (const { tag, more } of changes) count(filterToken.tag(tag), more)
  run(
    db,
    `INSERT INTO stale_tags (bookmark_id, tag_id, ahead)
       SELECT b.id, u.tag_id, u.given * @direction FROM undo_taggings u JOIN bookmarks b ON b.id = u.bookmark_id
       WHERE u.step_id = @step AND u.bookmark_id > @after AND b.filters IS NOT NULL
     ON CONFLICT (bookmark_id, tag_id) DO UPDATE SET ahead = ahead + excluded.ahead`,
    step
  )
}

/** Returns whether there is any counted bookmark that no index holds. */
export function anyUnindexed(db: ReadConnection): boolean {
  return readValue(db, 'SELECT EXISTS (SELECT 1 FROM unindexed_ranges)') === 1
}

/** Returns whether any bookmark is indexed with tags it no longer has, or under their former names. */
export function anyStale(db: ReadConnection): boolean {
  return readValue(db, 'SELECT EXISTS (SELECT 1 FROM stale_tags)') === 1
}

/**
 * Returns whether words of bookmarks are missing in the index. An organization's key is told of its own bookmarks only:
 * that its owner imports others is none of its business.
 */
export function isIndexing(db: ReadConnection, { owner }: Caller): boolean {
  const any =
    owner === null
      ? readValue(
          db,
          `SELECT EXISTS (SELECT 1 FROM unindexed_ranges)
             OR EXISTS (SELECT 1 FROM bookmarks WHERE filters IS NULL AND deleted_at IS NULL)`
        )
      : readValue(
          db,
          `SELECT EXISTS (SELECT 1 FROM unindexed_ranges u CROSS JOIN bookmarks b INDEXED BY bookmarks_by_organization
             ON b.organization_id = ? AND b.id BETWEEN u.first AND u.last)`,
          owner
        )
  return any === 1
}

/** Returns about how many bookmarks are not indexed: those deleted by now count too, until their turn comes. */
export function countUnindexed(db: ReadConnection): number {
  const sql = `SELECT (SELECT ifnull(sum(last - first + 1), 0) FROM unindexed_ranges)
    + (SELECT count(*) FROM bookmarks WHERE filters IS NULL AND deleted_at IS NULL)`
  return readValue(db, sql) ?? 0
}
