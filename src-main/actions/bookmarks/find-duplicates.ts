import type { Bookmark } from '../../contract/bookmark.ts'
import type { Duplicates } from '../../contract/duplicate.ts'
import type { Ports } from '../ports.ts'

/**
 * Groups of bookmarks that are nearly the same page of the same owner. First in each is the one that best stays: whose
 * link is well, with an encrypted address, and of those the one saved first.
 *
 * @param page counted from 1
 * @param limit groups a page
 */
export async function findDuplicates(ports: Ports, page: number, limit: number): Promise<Duplicates> {
  const found = await ports.library.findDuplicates(page, limit)
  return {
    ...found,
    groups: found.groups.map(({ why, bookmarks }) => ({ why, bookmarks: bookmarks.toSorted(bestFirst) }))
  }
}

function bestFirst(one: Bookmark, other: Bookmark): number {
  return isMarked(one) - isMarked(other) || isPlain(one) - isPlain(other) || one.createdAt - other.createdAt
}

function isMarked({ link }: Bookmark): number {
  return link === null ? 0 : 1
}

function isPlain({ url }: Bookmark): number {
  return url?.startsWith('http:') ? 1 : 0
}
