import type { Bookmark } from '../../contract/bookmark.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readValue, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'

/** Returns a bookmark, in the trash or not. */
export function findBookmark(db: ReadConnection, id: string): Bookmark | undefined {
  return bookmarkAt(db, readValue<number>(db)`SELECT id FROM bookmarks WHERE public_id = ${id}`)
}

/** Returns the bookmark of this page outside the trash: the profile's or, if there is none, an organization's. */
export function findSaved(db: ReadConnection, pageKey: string): Bookmark | undefined {
  const rowId = readValue<number>(db)`
    SELECT b.id FROM (SELECT 0 AS owner UNION ALL SELECT id FROM organizations) o
    CROSS JOIN bookmarks b INDEXED BY bookmarks_by_page ON ifnull(b.organization_id, 0) = o.owner
      AND b.page_key = ${pageKey}
    WHERE b.deleted_at IS NULL ORDER BY o.owner LIMIT 1`
  return bookmarkAt(db, rowId)
}

function bookmarkAt(db: ReadConnection, rowId: number | undefined): Bookmark | undefined {
  return rowId === undefined ? undefined : bookmarksAt(db, [rowId])[0]
}

/**
 * Maximum number of random positions in the library, and number of row ids at each. If few bookmarks are old enough,
 * fewer are returned than requested.
 */
const PARTS = 30
const ROWS = 2000

/** Returns random bookmarks from before a time that were not opened since, without those in `except`. */
export function pastBookmarks(db: ReadConnection, before: number, except: string[], most: number): Bookmark[] {
  const newest = newestId(db)
  const found: number[] = []
  for (let part = 0; part < PARTS && found.length < most; part++) {
    const first = ROWS * Math.floor((Math.random() * (newest + 1)) / ROWS)
    const rowId = readValue<number>(db)`
      SELECT id FROM bookmarks WHERE id >= ${first} AND id < ${first + ROWS} AND deleted_at IS NULL
        AND created_at < ${before} AND public_id NOT IN (SELECT value FROM json_each(${JSON.stringify(except)}))
        AND id NOT IN (SELECT value FROM json_each(${JSON.stringify(found)}))
        AND id NOT IN (SELECT bookmark_id FROM openings WHERE opened_at >= ${before}) ORDER BY random() LIMIT 1`
    if (rowId !== undefined) found.push(rowId)
  }
  return bookmarksAt(db, found)
}

/** Maximum number of stored openings. Bookmarks that were opened earlier are not listed as recently opened. */
const MAX_OPENINGS = 1000

/** Stores when the owner opened the pages of bookmarks. This does not count as a change of the bookmarks. */
export function noteOpenings(db: WriteConnection, ids: string[], at: number): Written<void> {
  run(db)`
    INSERT INTO openings (bookmark_id, opened_at) SELECT id, ${at} FROM bookmarks
      WHERE public_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
    ON CONFLICT (bookmark_id) DO UPDATE SET opened_at = excluded.opened_at`
  run(db)`
    DELETE FROM openings WHERE bookmark_id IN (
      SELECT bookmark_id FROM openings ORDER BY opened_at DESC, bookmark_id DESC LIMIT -1 OFFSET ${MAX_OPENINGS})`
  return { answer: undefined, events: [{ kind: 'openings' }] }
}

type Row = Omit<Bookmark, 'tags' | 'savedBy' | 'hasText'> & { tags: string; savedBy: string | null; hasText: 0 | 1 }

/** Returns the bookmarks with these row ids, in the given order. Unknown ids are skipped. */
export function bookmarksAt(db: ReadConnection, ids: number[]): Bookmark[] {
  return ids.flatMap((id) => {
    const row = readRow<Row>(db, FETCH, id)
    if (!row) return []
    const savedBy = row.savedBy && JSON.parse(row.savedBy)
    return [{ ...row, tags: JSON.parse(row.tags), savedBy, hasText: row.hasText === 1 }]
  })
}

const TAGS = `(SELECT json_group_array(name) FROM (SELECT t.name FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
  WHERE bt.bookmark_id = b.id ORDER BY t.folded))`

/** SQL for the file name of an image's preview, from `bookmarks b` and `page_details d`. */
export const PREVIEW = "ifnull(d.preview, b.picture || '.webp')"

// Subqueries, because an outer join makes a row ten times as expensive.
const FETCH = `SELECT b.public_id AS id, b.type, b.visibility,
  (SELECT name FROM organizations o WHERE o.id = b.organization_id) AS organization, b.url, b.domain,
  b.title, b.description, b.content, b.created_at AS createdAt, b.updated_at AS updatedAt, b.deleted_at AS deletedAt,
  (SELECT icon FROM page_details d WHERE d.bookmark_id = b.id) AS icon,
  ifnull((SELECT preview FROM page_details d WHERE d.bookmark_id = b.id), b.picture || '.webp') AS preview, b.picture,
  ifnull((SELECT CAST(width AS REAL) / height FROM pictures p WHERE p.hash = b.picture),
    (SELECT preview_ratio FROM page_details d WHERE d.bookmark_id = b.id)) AS ratio,
  EXISTS (SELECT 1 FROM page_texts p
    WHERE p.bookmark_id = b.id AND (b.visibility = 'private' OR p.from_tab = 0)) AS hasText,
  (SELECT mark FROM link_checks l WHERE l.bookmark_id = b.id) AS link, ${TAGS} AS tags,
  (SELECT json_object('key', k.name, 'client', s.client) FROM bookmark_savers s JOIN api_keys k ON k.id = s.key_id
    WHERE s.bookmark_id = b.id) AS savedBy
  FROM bookmarks b WHERE b.id = ?`

/** Returns the row id of the bookmark that was saved last; 0 in an empty library. */
function newestId(db: ReadConnection): number {
  return readValue<number>(db)`SELECT ifnull(max(id), 0) FROM bookmarks` ?? 0
}
