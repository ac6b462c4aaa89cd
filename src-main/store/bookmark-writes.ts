import type { BookmarkDraft, Placement, SavedBookmark } from '../contract/bookmark.ts'
import type { CallOrigin } from '../contract/call.ts'
import { bookmarkTags } from './bookmark-tags.ts'
import { callLedger } from './call-store.ts'
import type { WriteConnection } from './connection.ts'
import { publicId } from './public-id.ts'
import { searchIndex } from './search-index.ts'

/** What the writing thread can do to bookmarks. */
export function bookmarkWrites(db: WriteConnection) {
  const index = searchIndex(db)
  const ledger = callLedger(db)
  const tags = bookmarkTags(db)
  const samePage = db.prepare<[number, string], { id: number; publicId: string; deletedAt: number | null }>(
    `SELECT id, public_id AS publicId, deleted_at AS deletedAt FROM bookmarks
     WHERE ifnull(organization_id, 0) = ? AND page_key = ?`
  )
  const restore = db.prepare('UPDATE bookmarks SET deleted_at = NULL, updated_at = ? WHERE id = ?')
  const insert = db.prepare(
    `INSERT INTO bookmarks (public_id, type, visibility, organization_id, page_key, url, domain, title, description,
       content, created_at, updated_at)
     VALUES (@publicId, @type, @visibility, @owner, @pageKey, @url, @domain, @title, @description, @content,
       @createdAt, @savedAt)`
  )

  function saveOne(placement: Placement, draft: BookmarkDraft): SavedBookmark & { rowId: number } {
    const found = draft.pageKey === null ? undefined : samePage.get(placement.owner ?? 0, draft.pageKey)
    if (found) {
      if (found.deletedAt === null) return { id: found.publicId, rowId: found.id, status: 'existing' }
      restore.run(placement.savedAt, found.id)
      index.refresh(found.id)
      return { id: found.publicId, rowId: found.id, status: 'saved' }
    }
    const id = publicId()
    const rowId = Number(insert.run({ ...draft, ...placement, publicId: id }).lastInsertRowid)
    for (const tag of draft.tags) tags.give(rowId, tags.findOrMake(tag))
    index.refresh(rowId)
    return { id, rowId, status: 'saved' }
  }

  function saveAll(placement: Placement, drafts: BookmarkDraft[]) {
    const rows = drafts.map((draft) => saveOne(placement, draft))
    const newRows = rows.filter((row) => row.status === 'saved').map((row) => row.rowId)
    return { saved: rows.map(({ id, status }): SavedBookmark => ({ id, status })), newRows }
  }

  return {
    /** Indexes some rows the index does not hold yet; false when none is left. */
    rebuildSome: index.rebuildSome,
    /** Whether a change left rows to be indexed again. */
    hasStale: index.hasStale,
    saveBookmarks: db.transaction(
      (placement: Placement, drafts: BookmarkDraft[]): SavedBookmark[] => saveAll(placement, drafts).saved
    ),
    saveForCall: db.transaction(
      (placement: Placement, drafts: BookmarkDraft[], call: CallOrigin & { tool: string }) => {
        const { saved, newRows } = saveAll(placement, drafts)
        const callId = ledger.add({ ...call, at: placement.savedAt, results: newRows.length, bytes: 0 })
        for (const rowId of newRows) ledger.note(callId, rowId)
        return { saved, callId }
      }
    )
  }
}
