import type { BookmarkType } from '../../contract/bookmark.ts'
import type { BookmarkCounts } from '../../contract/bookmark-list.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readValue } from '../../database/sql.ts'
import { filterToken } from '../filter-tokens.ts'

/** Returns how many bookmarks outside the trash have a filter's token, as the index keeps count. */
export function countOf(db: ReadConnection, token: string): number {
  return readValue(db, 'SELECT bookmarks FROM filter_counts WHERE filter = ?', token) ?? 0
}

/** Returns how many bookmarks are outside the trash. */
export function countAll(db: ReadConnection): number {
  return countByType(db).all
}

/** Returns how many bookmarks there are of each kind that the dashboard lists. */
export function countByKind(db: ReadConnection): BookmarkCounts {
  return {
    ...countByType(db),
    trash: readValue(db, 'SELECT bookmarks FROM trash_size') ?? 0,
    broken: countOf(db, filterToken.link('broken')),
    moved: countOf(db, filterToken.link('moved'))
  }
}

function countByType(db: ReadConnection): Record<BookmarkType, number> & { all: number } {
  const link = countOf(db, filterToken.type('link'))
  const image = countOf(db, filterToken.type('image'))
  const color = countOf(db, filterToken.type('color'))
  const text = countOf(db, filterToken.type('text'))
  return { all: link + image + color + text, link, image, color, text }
}
