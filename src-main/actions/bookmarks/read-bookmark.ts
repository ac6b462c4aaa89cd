import type { Bookmark } from '../../contract/bookmark.ts'
import type { ReadingPlace } from '../../contract/bookmark-change.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Highlight } from '../../contract/highlight.ts'
import type { StoredLink } from '../../contract/link-check.ts'
import type { PageCopy } from '../../contract/page-copy.ts'
import type { StoredPage } from '../../contract/page-details.ts'
import { Problem } from '../../contract/problem.ts'
import { parseAddress } from '../../core/address.ts'
import { readingMinutes } from '../../core/page-text.ts'
import { findPassages, wordsIn } from '../../core/passages.ts'
import { pastEndHint } from '../../search/empty-hint.ts'
import type { Ports } from '../ports.ts'
import { type SearchResult, seenBy } from './search-bookmarks.ts'
import { pagesOfText } from './text-pages.ts'

/** A search for one bookmark’s text. */
export interface ReadingQuery {
  id: string
  /** Empty for the text from its beginning. */
  words: string
  page: number
  limit: number
}

export interface BookmarkReading {
  /** `undefined` if there is no such bookmark, or the caller may not see it. */
  bookmark?: Bookmark | undefined
  /** A page of the bookmark’s text, or the passages that contain the words. */
  text?: string
  passages?: string[]
  /** The number of pages of the text. On the first of several pages, `contents` has the headings with their pages. */
  pages?: number
  contents?: string[]
  /** On the first page, if the caller is the owner: the passages that the owner marked, with notes. */
  highlights?: Pick<Highlight, 'quote' | 'note'>[]
  hasMore: boolean
  /** Why there is no text or no passage. */
  hint?: string | undefined
}

const MAX_PASSAGES = 20

/**
 * Reads a page of a bookmark’s own text, or of its page’s text. Bookmarks that the caller may not see, or that are in the
 * trash, are reported as missing.
 */
export async function readBookmark(
  ports: Ports,
  caller: Caller,
  { id, words, page, limit }: ReadingQuery
): Promise<BookmarkReading> {
  const stored = await ports.library.findBookmark(id)
  if (!stored || !(await mayRead(ports, caller, stored))) {
    return { hasMore: false, hint: 'There is no bookmark with this id. Search without id: to find its id.' }
  }
  const bookmark = seenBy(caller, stored)
  const own = { text: bookmark.content, markdown: null }
  const pageText = bookmark.content ? own : await ports.library.readPageText(id)
  const isOwners = caller.owner === null && words === '' && page === 1
  const marked = isOwners ? { highlights: await highlightsOf(ports, id) } : {}
  if (pageText.text === '') {
    return { bookmark, ...marked, text: '', hasMore: false, hint: await whyEmpty(ports, id) }
  }
  if (words === '') {
    const { pages, contents } = await pagesOfText(pageText)
    const text = pages[page - 1]
    if (text === undefined)
      return { bookmark, text: '', hasMore: false, hint: pastEndHint(page, 1, pages.length, false) }
    const outline = pages.length > 1 && page === 1 && contents.length > 1 ? { contents } : {}
    return { bookmark, ...marked, text, hasMore: page < pages.length, pages: pages.length, ...outline }
  }
  const all = findPassages(pageText.text, wordsIn(words))
  const size = Math.min(limit, MAX_PASSAGES)
  const passages = all.slice((page - 1) * size, page * size)
  const beyond = passages.length === 0 ? pastEndHint(page, size, all.length, false) : undefined
  const hint = all.length === 0 ? 'Its text has none of these words. Leave them out to read it.' : beyond
  return { bookmark, passages, hasMore: page * size < all.length, hint }
}

async function highlightsOf({ library }: Ports, id: string): Promise<Highlight[]> {
  return (await library.readHighlights([id])).get(id) ?? []
}

/**
 * Whether a caller may see a bookmark, by the rule of every search: the profile sees all bookmarks, an organization its
 * own and public ones.
 */
async function mayRead({ library }: Ports, { owner }: Caller, bookmark: Bookmark): Promise<boolean> {
  if (bookmark.deletedAt !== null) return false
  if (owner === null || bookmark.visibility === 'public') return true
  if (bookmark.visibility !== 'organization') return false
  const organization = (await library.listOrganizations()).find(({ rowId }) => rowId === owner)
  return organization !== undefined && organization.name === bookmark.organization
}

async function whyEmpty(ports: Ports, id: string): Promise<string> {
  const page = await ports.library.findStoredPage(id)
  const status = page ? await statusOf(ports, page) : 'none'
  return {
    none: 'This bookmark has no text.',
    off: 'Its page was not read: fetching pages is switched off.',
    pending: 'Its page has not been read yet. Ask again shortly.',
    failed: 'Its page could not be read.',
    done: 'Its page has no text.'
  }[status]
}

/** Maximum number of related bookmarks, on all pages together. */
const MAX_RELATED = 50

/** Finds the bookmarks that are most similar to a bookmark and that the caller may see, the most similar first. */
export async function relatedBookmarks(
  ports: Ports,
  caller: Caller,
  { id, page, limit }: { id: string; page: number; limit: number }
): Promise<SearchResult> {
  const related = await ports.library.relatedBookmarks(caller, id, MAX_RELATED)
  return {
    total: related.length,
    atLeast: false,
    hasMore: page * limit < related.length,
    bookmarks: related.slice((page - 1) * limit, page * limit).map((bookmark) => seenBy(caller, bookmark)),
    hint: related.length === 0 ? await whyNone(ports, caller, id) : undefined
  }
}

async function whyNone(ports: Ports, caller: Caller, id: string): Promise<string> {
  const { bookmark, hint = '' } = await readBookmark(ports, caller, { id, words: '', page: 1, limit: 1 })
  return bookmark ? 'No other bookmark is like this one.' : hint
}

/** @throws Problem `not-found` if the owner has no such bookmark, also not in the trash */
export async function findBookmark(ports: Ports, id: string): Promise<Bookmark> {
  const bookmark = await ports.library.findBookmark(id)
  if (!bookmark) throw new Problem('not-found', 'There is no such bookmark. It may have been deleted permanently.')
  return bookmark
}

/** Finds the bookmark of a page: the profile’s, otherwise an organization’s. Ignores the trash. */
export async function findSaved({ library }: Ports, url: string): Promise<Bookmark | undefined> {
  const address = parseAddress(url)
  return 'url' in address ? library.findSaved(address.pageKey) : undefined
}

/** Whether a page was read. `off`: it was not read, and fetching is off. */
type PageStatus = 'off' | 'pending' | 'done' | 'failed'

/** `none`: the bookmark has no page. `minutes`: how long reading its text takes; `null` if there is none. */
export type PageOfBookmark =
  | { status: 'none' }
  | ({
      status: PageStatus
      minutes: number | null
      link: StoredLink | null
      copy: (PageCopy & { isMissing: boolean }) | null
    } & Omit<StoredPage, 'state'>)

/** @throws Problem `not-found` */
export async function pageOfBookmark(ports: Ports, id: string): Promise<PageOfBookmark> {
  const page = await ports.library.findStoredPage(id)
  if (!page) {
    await findBookmark(ports, id)
    return { status: 'none' }
  }
  const { state, ...rest } = page
  const minutes = page.textFrom === null ? null : readingMinutes((await ports.library.readPageText(id)).text)
  const [link = null, copy = null] = [await ports.library.findLink(id), await ports.library.findCopy(id)]
  return { status: await statusOf(ports, page), ...rest, minutes, link, copy }
}

async function statusOf(ports: Ports, { due, state }: StoredPage): Promise<PageStatus> {
  if (due === null) return state === 'failed' ? 'failed' : 'done'
  return (await isFetchingOn(ports)) ? 'pending' : 'off'
}

/**
 * Requests that a bookmark’s page is read again, before all other pages.
 *
 * @throws Problem `not-found`; `invalid` if the bookmark has no page, is in the trash, or fetching is off
 */
export async function readPageAgain(ports: Ports, id: string): Promise<void> {
  const { deletedAt } = await findBookmark(ports, id)
  if (deletedAt !== null) throw new Problem('invalid', 'This bookmark is in the trash. Restore it first.')
  if (!(await isFetchingOn(ports))) throw new Problem('invalid', 'Fetching page details is switched off.')
  if (!(await ports.library.askForPage(id, ports.now()))) throw new Problem('invalid', 'This bookmark has no page.')
}

interface TextOfPage {
  text: string
  isMarkdown: boolean
  place: ReadingPlace | null
}

/** @throws Problem `not-found` if there is no such bookmark */
export async function textOfPage(ports: Ports, id: string): Promise<TextOfPage> {
  const { text, markdown } = await ports.library.readPageText(id)
  if (text === '') await findBookmark(ports, id)
  const place = await ports.library.readReadingPlace(id)
  return { text: markdown ?? text, isMarkdown: markdown !== null, place }
}

/** Counts the pages that are still to be read; 0 while fetching is off. */
export async function countPagesToRead(ports: Ports): Promise<number> {
  return (await isFetchingOn(ports)) ? ports.library.countPagesToRead() : 0
}

/** Whether pages are fetched: the settings and the command line allow it. */
export async function isFetchingOn({ library, web }: Ports): Promise<boolean> {
  return web !== undefined && (await library.readSettings()).fetchDetails
}
