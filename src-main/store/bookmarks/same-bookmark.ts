import type { ImportDraft } from '../../contract/library-export.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRow } from '../../database/sql.ts'

/** A bookmark that a draft already is. */
export interface Found {
  rowId: number
  publicId: string
  deletedAt: number | null
}

/**
 * Returns the bookmark that a draft already is: the one with its id, or the same page, or, for what has neither, the same
 * text or color of the same owner.
 */
export function findSame(
  db: Pick<ReadConnection, 'prepare'>,
  { id, pageKey, owner, type, content }: ImportDraft
): Found | undefined {
  const known =
    id !== undefined &&
    readRow<Found>(db)`
      SELECT id AS rowId, public_id AS publicId, deleted_at AS deletedAt FROM bookmarks WHERE public_id = ${id}`
  if (known) return known
  if (pageKey !== null) {
    return readRow<Found>(db)`
      SELECT id AS rowId, public_id AS publicId, deleted_at AS deletedAt FROM bookmarks
        WHERE ifnull(organization_id, 0) = ${owner ?? 0} AND page_key = ${pageKey}`
  }
  if (id !== undefined) return undefined
  return readRow<Found>(db)`
    SELECT id AS rowId, public_id AS publicId, deleted_at AS deletedAt FROM bookmarks
    WHERE page_key IS NULL AND type = ${type} AND substr(content, 1, 64) = substr(${content}, 1, 64)
      AND content = ${content}
      AND ifnull(organization_id, 0) = ${owner ?? 0} ORDER BY deleted_at IS NOT NULL LIMIT 1`
}
