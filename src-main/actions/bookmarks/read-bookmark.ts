import type { Bookmark } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { passagesOf, wordsIn } from '../../core/passages.ts'
import { pastEnd } from '../../search/hint.ts'
import { pageOfBookmark } from '../pages/page-of-bookmark.ts'
import type { Ports } from '../ports.ts'
import { seenBy } from './search-bookmarks.ts'

/** One bookmark that a search asks for by its id, and perhaps words to look for in its text. */
export interface ReadingQuery {
  id: string
  /** Empty for the text from its beginning. */
  words: string
  page: number
  /** Passages a page. */
  limit: number
}

export interface BookmarkReading {
  /** `undefined` where there is none that the caller may see. */
  bookmark?: Bookmark | undefined
  /** A piece of its text, or the passages that hold the words. */
  text?: string
  passages?: string[]
  hasMore: boolean
  /** Why there is no text, or none with these words. */
  hint?: string | undefined
}

/**
 * Reads the search `id:ID`: returns its query, or the answer that says what to do if the id cannot be one. An id has 16
 * characters.
 *
 * @returns `undefined` for every other search
 */
export function readingIn(
  search: string | undefined
): Pick<ReadingQuery, 'id' | 'words'> | { hint: string } | undefined {
  const asked = /^\s*id:\s*(.*)$/is.exec(search ?? '')?.[1]
  if (asked === undefined) return undefined
  const [, id, words = ''] = /^([\w-]{16})(?![\w-])(.*)$/s.exec(asked) ?? []
  if (id === undefined) return { hint: NO_ID }
  if (/^[\s,;]*(?:OR\s+|AND\s+)?(?:id:|[,;]\s*[\w-]{16}\s*$)/i.test(words)) return { hint: ONE_ID }
  return { id, words: words.trim() }
}

const NO_ID = 'That is not an id. An id has 16 letters, digits, - or _, and each bookmark in a result has one.'

const ONE_ID = 'Only one bookmark can be read at a time: search for the first id:ID, then for the next.'

/** How much of a text one page has, in UTF-16 code units. */
const PIECE = 4000

/** Passages stay few enough to be read at once. */
const MOST_PASSAGES = 20

/**
 * A bookmark's own text, or its page's, a piece at a time. What the caller may not see is as if it were not there; so is
 * what lies in the trash.
 */
export async function readBookmark(
  ports: Ports,
  caller: Caller,
  { id, words, page, limit }: ReadingQuery
): Promise<BookmarkReading> {
  const found = await ports.library.findBookmark(id)
  if (!found || !(await mayRead(ports, caller, found))) {
    return { hasMore: false, hint: 'There is no bookmark with this id. Search without id: to find its id.' }
  }
  const bookmark = seenBy(caller, found)
  const text = bookmark.content || (await ports.library.readPageTexts([id])).get(id) || ''
  if (text === '') return { bookmark, text, hasMore: false, hint: await whyEmpty(ports, id) }
  if (words === '') {
    const isPast = (page - 1) * PIECE >= text.length
    if (isPast) return { bookmark, text: '', hasMore: false, hint: pastEnd(page, PIECE, text.length, false) }
    const end = cutAt(text, page * PIECE)
    return { bookmark, text: text.slice(cutAt(text, (page - 1) * PIECE), end), hasMore: end < text.length }
  }
  const layout = bookmark.content ? null : await ports.library.readTextLayout(id)
  const all = passagesOf(text, wordsIn(words), layout?.pages)
  const most = Math.min(limit, MOST_PASSAGES)
  const passages = all.slice((page - 1) * most, page * most)
  const beyond = passages.length === 0 ? pastEnd(page, most, all.length, false) : undefined
  const hint = all.length === 0 ? 'Its text has none of these words. Leave them out to read it.' : beyond
  return { bookmark, passages, hasMore: page * most < all.length, hint }
}

/** As every search has it: the profile sees all, an organization its own and what is public. */
async function mayRead({ library }: Ports, { owner }: Caller, bookmark: Bookmark): Promise<boolean> {
  if (bookmark.deletedAt !== null) return false
  if (owner === null || bookmark.visibility === 'public') return true
  if (bookmark.visibility !== 'organization') return false
  const own = (await library.listOrganizations()).find(({ rowId }) => rowId === owner)
  return own !== undefined && own.name === bookmark.organization
}

/** Never between the halves of a surrogate pair. */
function cutAt(text: string, at: number): number {
  const end = Math.min(at, text.length)
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end
}

async function whyEmpty(ports: Ports, id: string): Promise<string> {
  const { status } = await pageOfBookmark(ports, id)
  return {
    none: 'This bookmark has no text.',
    off: 'Its page was not read: fetching pages is switched off.',
    pending: 'Its page has not been read yet. Ask again shortly.',
    failed: 'Its page could not be read.',
    done: 'Its page has no text.'
  }[status]
}
