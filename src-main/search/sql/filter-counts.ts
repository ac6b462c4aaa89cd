import type { BookmarkType } from '../../contract/bookmark.ts'
import type { BookmarkCounts } from '../../contract/bookmark-list.ts'
import type { ReadConnection } from '../../store/connection.ts'
import { filterToken } from '../filter-tokens.ts'

/** How many bookmarks there are, as the index keeps count. */
export function createFilterCounts(db: Pick<ReadConnection, 'prepare'>) {
  const readCount = db.prepare('SELECT bookmarks FROM filter_counts WHERE filter = ?').pluck()
  const trashSize = db.prepare('SELECT bookmarks FROM trash_size').pluck()
  const countOf = (token: string) => (readCount.get(token) as number | undefined) ?? 0

  function countByType(): Record<BookmarkType, number> & { all: number } {
    const link = countOf(filterToken.type('link'))
    const image = countOf(filterToken.type('image'))
    const color = countOf(filterToken.type('color'))
    const text = countOf(filterToken.type('text'))
    return { all: link + image + color + text, link, image, color, text }
  }

  return {
    /** Bookmarks with this filter's token. */
    countOf,
    /** Bookmarks outside the trash. */
    countAll: () => countByType().all,
    countByKind: (): BookmarkCounts => ({
      ...countByType(),
      trash: trashSize.get() as number,
      broken: countOf(filterToken.link('broken')),
      moved: countOf(filterToken.link('moved'))
    })
  }
}
