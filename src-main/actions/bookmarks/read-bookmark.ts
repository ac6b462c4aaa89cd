import type { Bookmark } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import type { StoredLink } from '../../contract/link-check.ts'
import type { StoredPage, TextLayout } from '../../contract/page-details.ts'
import { Problem } from '../../contract/problem.ts'
import { parseAddress } from '../../core/address.ts'
import { passagesOf, wordsIn } from '../../core/passages.ts'
import { pastEnd } from '../../search/hint.ts'
import type { Ports } from '../ports.ts'
import { type SearchResult, seenBy } from './search-bookmarks.ts'

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

/**
 * A bookmark of the owner's by its id, in the trash or not.
 *
 * @throws Problem `not-found`
 */
export async function findBookmark(ports: Ports, id: string): Promise<Bookmark> {
  const bookmark = await ports.library.findBookmark(id)
  if (!bookmark) throw new Problem('not-found', 'There is no such bookmark. It may have been deleted permanently.')
  return bookmark
}

/** The bookmark that is the page at an address: the profile's, else an organization's. The trash does not count. */
export async function findSaved({ library }: Ports, url: string): Promise<Bookmark | undefined> {
  const address = parseAddress(url)
  return 'url' in address ? library.findSaved(address.pageKey) : undefined
}

/**
 * How it stands with a bookmark's page: it is yet to be read, or would be if fetching were on; it was read, or could not
 * be. `none` is for bookmarks without a page.
 */
type PageStatus = 'none' | 'off' | 'pending' | 'done' | 'failed'

/** A bookmark's page, as far as it is known. */
export type PageOfBookmark =
  | { status: 'none' }
  | ({ status: Exclude<PageStatus, 'none'> } & Omit<StoredPage, 'state'> & { link: StoredLink | null })

/** @throws Problem `not-found` */
export async function pageOfBookmark(ports: Ports, id: string): Promise<PageOfBookmark> {
  const page = await ports.library.findPage(id)
  if (!page) {
    await findBookmark(ports, id)
    return { status: 'none' }
  }
  const { state, ...rest } = page
  return { status: await statusOf(ports, page), ...rest, link: (await ports.library.findLink(id)) ?? null }
}

async function statusOf(ports: Ports, { due, state }: StoredPage): Promise<Exclude<PageStatus, 'none'>> {
  if (due === null) return state === 'failed' ? 'failed' : 'done'
  return (await isFetchingOn(ports)) ? 'pending' : 'off'
}

/**
 * Lets a bookmark's page be read again, before all others.
 *
 * @throws Problem `not-found`; `invalid` when the bookmark has no page, lies in the trash, or fetching is off
 */
export async function readPageAgain(ports: Ports, id: string): Promise<void> {
  const { deletedAt } = await findBookmark(ports, id)
  if (deletedAt !== null) throw new Problem('invalid', 'This bookmark is in the trash. Restore it first.')
  if (!(await isFetchingOn(ports))) throw new Problem('invalid', 'Fetching page details is switched off.')
  if (!(await ports.library.askForPage(id, ports.now()))) throw new Problem('invalid', 'This bookmark has no page.')
}

/** The text of a bookmark's page, and how it was set out; empty where none is kept. */
export async function textOfPage(ports: Ports, id: string): Promise<{ text: string; layout: TextLayout | null }> {
  const texts = await ports.library.readPageTexts([id])
  const text = texts.get(id)
  if (text === undefined) await findBookmark(ports, id)
  return { text: text ?? '', layout: await ports.library.readTextLayout(id) }
}

/** How many pages are yet to be read, as far as they are counted; 0 while fetching is off. */
export async function countPagesToRead(ports: Ports): Promise<number> {
  return (await isFetchingOn(ports)) ? ports.library.countPagesToRead() : 0
}

/** Whether pages are fetched: the owner and how Earmark was started allow it. */
export async function isFetchingOn({ library, web }: Ports): Promise<boolean> {
  return web !== undefined && (await library.readSettings()).fetchDetails
}
