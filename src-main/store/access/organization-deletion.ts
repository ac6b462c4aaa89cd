import { LIMITS } from '../../contract/bookmark.ts'
import type { BookmarkFate, DeletionReport } from '../../contract/organization.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { WriteConnection } from '../connection.ts'

/** Bookmarks a step; between two of them other writes get their turn. */
const STEP = 200

/**
 * Deletes an organization step by step. Its bookmarks become the profile's, and nothing is lost on the way: of a page
 * that both have, one stays or becomes the living bookmark and the other lies in the trash, without the page's key,
 * because a page is one bookmark for each owner.
 */
export function organizationDeletion(db: WriteConnection) {
  const sql = statements(db)
  const index = searchIndex(db)

  function adoptOne(
    row: Owned,
    fate: BookmarkFate,
    at: number,
    touched: Set<number>
  ): keyof DeletionReport | undefined {
    const mine = row.pageKey === null ? undefined : sql.findMine.get(row.pageKey)
    const merged = mine?.deletedAt === null && row.deletedAt === null && fate === 'profile'
    const living = row.deletedAt === null && fate === 'profile' && !merged
    if (mine && merged) {
      sql.uniteTags.run({ mine: mine.id, id: row.id })
      sql.keepOlder.run({ mine: mine.id, createdAt: row.createdAt, at })
      touched.add(mine.id)
    }
    if (mine) sql.forgetPage.run(living ? mine.id : row.id)
    sql.adopt.run({ id: row.id, at, deletedAt: living ? null : (row.deletedAt ?? at) })
    touched.add(row.id)
    if (row.deletedAt !== null) return undefined
    if (merged) return 'merged'
    return living ? 'moved' : 'trashed'
  }

  return {
    deleteOrganizationSome: db.transaction(
      (rowId: number, fate: BookmarkFate, at: number): DeletionReport & { done: boolean } => {
        const rows = sql.some.all(rowId, STEP)
        const became = { moved: 0, trashed: 0, merged: 0 }
        const touched = new Set<number>()
        for (const row of rows) {
          const outcome = adoptOne(row, fate, at, touched)
          if (outcome) became[outcome] += 1
        }
        index.refresh([...touched])
        const done = rows.length < STEP
        // What was moved out of it before cannot go back any more.
        if (done) sql.forgetSteps.run(rowId)
        if (done) sql.mark.run(at, rowId)
        return { ...became, done }
      }
    )
  }
}

function statements(db: WriteConnection) {
  return {
    some: db.prepare<[number, number], Owned>(
      `SELECT id, page_key AS pageKey, created_at AS createdAt, deleted_at AS deletedAt
       FROM bookmarks WHERE organization_id = ? LIMIT ?`
    ),
    findMine: db.prepare<[string], { id: number; deletedAt: number | null }>(
      `SELECT id, deleted_at AS deletedAt FROM bookmarks WHERE ifnull(organization_id, 0) = 0 AND page_key = ?`
    ),
    forgetPage: db.prepare('UPDATE bookmarks SET page_key = NULL WHERE id = ?'),
    adopt: db.prepare(
      `UPDATE bookmarks SET organization_id = NULL, visibility = 'private', deleted_at = @deletedAt,
         updated_at = max(@at, updated_at + 1)
       WHERE id = @id`
    ),
    uniteTags: db.prepare(
      `INSERT OR IGNORE INTO bookmark_tags (bookmark_id, tag_id)
       SELECT @mine, tag_id FROM bookmark_tags
       WHERE bookmark_id = @id AND tag_id NOT IN (SELECT tag_id FROM bookmark_tags WHERE bookmark_id = @mine)
       LIMIT max(0, ${LIMITS.tags} - (SELECT count(*) FROM bookmark_tags WHERE bookmark_id = @mine))`
    ),
    keepOlder: db.prepare(
      'UPDATE bookmarks SET created_at = min(created_at, @createdAt), updated_at = max(@at, updated_at + 1) WHERE id = @mine'
    ),
    // The name becomes free; no name begins with a line feed, because names are trimmed.
    mark: db.prepare(
      `UPDATE organizations SET deleted_at = ?, folded = char(10) || public_id WHERE id = ? AND deleted_at IS NULL`
    ),
    forgetSteps: db.prepare("DELETE FROM undo_bookmarks WHERE json_extract(before, '$.organization') = ?")
  }
}

interface Owned {
  id: number
  pageKey: string | null
  createdAt: number
  deletedAt: number | null
}
