import type { BookmarkDraft, Placement, SavedBookmark } from '../../contract/bookmark.ts'
import type { CallOrigin } from '../../contract/call.ts'
import type { NewPicture } from '../../contract/picture.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { callLedger } from '../access/calls.ts'
import type { WriteConnection } from '../connection.ts'
import { family } from '../family.ts'
import { pictureInserts } from '../pages/pictures.ts'
import { publicId } from '../public-id.ts'
import { bookmarkInserts } from './bookmark-inserts.ts'
import { newBookmarks } from './new-bookmarks.ts'

/** Saving bookmarks. */
export const bookmarkSaves = family({
  writes: bookmarkWrites,
  emits: {
    saveBookmarks: (saved) => newBookmarks(saved),
    savePicture: (saved) => newBookmarks([saved]),
    saveForCall: ({ saved }, _placement, _drafts, { client }) => [...newBookmarks(saved, client), { kind: 'calls' }]
  }
})

/** What the writing thread can do to bookmarks. */
export function bookmarkWrites(db: WriteConnection) {
  const index = searchIndex(db)
  const ledger = callLedger(db)
  const inserts = bookmarkInserts(db)
  const pictures = pictureInserts(db)

  function saveOne(placement: Placement, draft: BookmarkDraft): SavedBookmark & { rowId: number } {
    const { owner, pageKey } = { ...placement, ...draft }
    const found = inserts.samePage(owner, pageKey) ?? inserts.byCanonicalUrl(owner, pageKey)
    if (found) {
      if (found.deletedAt === null) return { id: found.publicId, rowId: found.rowId, status: 'existing' }
      inserts.restore(found.rowId, placement.savedAt)
      return { id: found.publicId, rowId: found.rowId, status: 'saved' }
    }
    const id = publicId()
    const { visibility, savedAt } = placement
    const rowId = inserts.insert({ ...draft, id, owner, visibility, updatedAt: savedAt, deletedAt: null })
    return { id, rowId, status: 'saved' }
  }

  function saveAll(placement: Placement, drafts: BookmarkDraft[]) {
    const rows = drafts.map((draft) => saveOne(placement, draft))
    const newRows = rows.filter((row) => row.status === 'saved').map((row) => row.rowId)
    index.refresh(newRows)
    return { saved: rows.map(({ id, status }): SavedBookmark => ({ id, status })), newRows }
  }

  return {
    saveBookmarks: db.transaction(
      (placement: Placement, drafts: BookmarkDraft[]): SavedBookmark[] => saveAll(placement, drafts).saved
    ),
    savePicture: db.transaction((placement: Placement, draft: BookmarkDraft, picture: NewPicture): SavedBookmark => {
      pictures.keep(picture, placement.savedAt)
      const [saved] = saveAll(placement, [draft]).saved
      return saved as SavedBookmark
    }),
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
