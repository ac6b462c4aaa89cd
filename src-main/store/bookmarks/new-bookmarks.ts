import type { SavedBookmark } from '../../contract/bookmark.ts'
import type { Change } from '../../contract/change.ts'

/**
 * What a write that adds bookmarks tells.
 *
 * @param client the name of the client that made it, `null` where it gave none; missing where a person did
 */
export function newBookmarks(all: Pick<SavedBookmark, 'status'>[], client?: string | null): Change[] {
  const saved = all.filter(({ status }) => status === 'saved').length
  return saved === 0 ? [] : [{ kind: 'bookmarks', saved, by: client === null ? '' : client }]
}
