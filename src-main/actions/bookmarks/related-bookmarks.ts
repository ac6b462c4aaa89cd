import type { Caller } from '../../contract/caller.ts'
import type { Ports } from '../ports.ts'
import { readBookmark } from './read-bookmark.ts'
import { type SearchResult, seenBy } from './search-bookmarks.ts'

/** As many as are found of one, on all pages together. */
const MOST_RELATED = 50

/**
 * Reads the search `like:ID`: returns the id, or the answer that says what to do if it cannot be one.
 *
 * @returns `undefined` for every other search
 */
export function likeIn(search: string | undefined): { id: string } | { hint: string } | undefined {
  const id = /^\s*like:\s*(.*?)\s*$/is.exec(search ?? '')?.[1]
  if (id === undefined) return undefined
  return /^[\w-]{16}$/.test(id) ? { id } : { hint: NOT_ALONE }
}

const NOT_ALONE = 'like: takes the id of one bookmark and nothing else. Use the id from a search result.'

/** Finds the bookmarks most like one, among those that the caller may see, the nearest first. */
export async function relatedBookmarks(
  ports: Ports,
  caller: Caller,
  { id, page, limit }: { id: string; page: number; limit: number }
): Promise<SearchResult> {
  const found = await ports.library.relatedBookmarks(caller, id, MOST_RELATED)
  return {
    total: found.length,
    atLeast: false,
    hasMore: page * limit < found.length,
    bookmarks: found.slice((page - 1) * limit, page * limit).map((bookmark) => seenBy(caller, bookmark)),
    hint: found.length === 0 ? await whyNone(ports, caller, id) : undefined
  }
}

async function whyNone(ports: Ports, caller: Caller, id: string): Promise<string> {
  const seen = await readBookmark(ports, caller, { id, words: '', page: 1, limit: 1 })
  return seen.bookmark ? 'No other bookmark is like this one.' : (seen.hint ?? '')
}
