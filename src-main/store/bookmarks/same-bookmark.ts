import type { ImportDraft } from '../../contract/library-import.ts'
import type { ReadConnection } from '../connection.ts'

interface Found {
  rowId: number
  deletedAt: number | null
}

/**
 * Finds what a draft already is: the bookmark with its id, or the same page, or, for what has neither, the same text or
 * color of the same owner.
 */
export function sameBookmark(db: Pick<ReadConnection, 'prepare'>): (draft: ImportDraft) => Found | undefined {
  const byId = db.prepare('SELECT id AS rowId, deleted_at AS deletedAt FROM bookmarks WHERE public_id = ?')
  const byPage = db.prepare(
    'SELECT id AS rowId, deleted_at AS deletedAt FROM bookmarks WHERE ifnull(organization_id, 0) = ? AND page_key = ?'
  )
  const byContent = db.prepare(
    `SELECT id AS rowId, deleted_at AS deletedAt FROM bookmarks
     WHERE page_key IS NULL AND type = ? AND substr(content, 1, 64) = substr(?, 1, 64) AND content = ?
       AND ifnull(organization_id, 0) = ? ORDER BY deleted_at IS NOT NULL LIMIT 1`
  )
  return ({ id, pageKey, owner, type, content }) => {
    const known = id === undefined ? undefined : byId.get(id)
    if (known) return known as Found
    if (pageKey !== null) return byPage.get(owner ?? 0, pageKey) as Found | undefined
    return id === undefined ? (byContent.get(type, content, content, owner ?? 0) as Found | undefined) : undefined
  }
}
