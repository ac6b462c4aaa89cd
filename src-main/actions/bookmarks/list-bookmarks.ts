import type { Bookmark } from '../../contract/bookmark.ts'
import type { BookmarkList } from '../../contract/bookmark-list.ts'
import { PROFILE } from '../../contract/caller.ts'
import { hasMore } from '../../core/has-more.ts'
import type { Ports } from '../ports.ts'
import type { SearchResult } from './search-bookmarks.ts'

/** One page of everything of the owner's that the filters let through. */
export async function listBookmarks(
  ports: Ports,
  list: BookmarkList
): Promise<Omit<SearchResult, 'bookmarks'> & { bookmarks: Bookmark[] }> {
  const { total, atLeast, bookmarks } = await ports.library.listBookmarks(list)
  const hint = total === 0 && !list.trash ? await whyNothing(ports, list) : undefined
  return {
    total,
    atLeast,
    hasMore: hasMore(list, { total, atLeast, shown: bookmarks.length }),
    bookmarks,
    hint
  }
}

async function whyNothing({ library }: Ports, { order: _, trash: __, words: ___, ...filters }: BookmarkList) {
  const { note } = await library.searchBookmarks(PROFILE, filters)
  return note
}
