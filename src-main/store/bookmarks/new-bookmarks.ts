import type { SavedBookmark } from '../../contract/bookmark.ts'
import type { Change } from '../../contract/change.ts'

/** What a write that adds bookmarks tells. */
export function newBookmarks(all: Pick<SavedBookmark, 'status'>[], client?: string | null): Change[] {
  const saved = all.filter(({ status }) => status === 'saved').length
  return saved === 0 ? [] : [{ kind: 'bookmarks', saved, by: client || undefined }]
}
