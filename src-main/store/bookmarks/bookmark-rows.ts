import type { Bookmark } from '../../contract/bookmark.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRow } from '../../database/sql.ts'

type Row = Omit<Bookmark, 'tags' | 'savedBy'> & { tags: string; savedBy: string | null }

/** Returns the bookmarks with these row ids, in the given order. Unknown ids are skipped. */
export function bookmarksAt(db: ReadConnection, ids: number[]): Bookmark[] {
  return ids.flatMap((id) => {
    const row = readRow<Row>(db, FETCH, id)
    return row ? [{ ...row, tags: JSON.parse(row.tags), savedBy: row.savedBy && JSON.parse(row.savedBy) }] : []
  })
}

const TAGS = `(SELECT json_group_array(name) FROM (SELECT t.name FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
  WHERE bt.bookmark_id = b.id ORDER BY t.folded))`

/** The name of an image's small copy, of bookmarks `b` and their `page_details` `d`. */
export const PREVIEW = "ifnull(d.preview, b.picture || '.webp')"

// Subqueries, because an outer join makes a row ten times as expensive.
const FETCH = `SELECT b.public_id AS id, b.type, b.visibility,
  (SELECT name FROM organizations o WHERE o.id = b.organization_id) AS organization, b.url, b.domain,
  b.title, b.description, b.content, b.created_at AS createdAt, b.updated_at AS updatedAt, b.deleted_at AS deletedAt,
  (SELECT icon FROM page_details d WHERE d.bookmark_id = b.id) AS icon,
  ifnull((SELECT preview FROM page_details d WHERE d.bookmark_id = b.id), b.picture || '.webp') AS preview, b.picture,
  (SELECT mark FROM link_checks l WHERE l.bookmark_id = b.id) AS link, ${TAGS} AS tags,
  (SELECT json_object('key', k.name, 'client', s.client) FROM bookmark_savers s JOIN api_keys k ON k.id = s.key_id
    WHERE s.bookmark_id = b.id) AS savedBy
  FROM bookmarks b WHERE b.id = ?`
