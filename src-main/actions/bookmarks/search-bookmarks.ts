import type { Bookmark, BookmarkFilter, BookmarkQuery, Relaxed } from '../../contract/bookmark.ts'
import type { BookmarkList, FilterQuery, ListedQuery } from '../../contract/bookmark-list.ts'
import { type Caller, PROFILE } from '../../contract/caller.ts'
import type { WalkChoice } from '../../contract/library-export.ts'
import { cut } from '../../core/clean-text.ts'
import { foldName } from '../../core/fold-name.ts'
import { exactly, parseQuery } from '../../search/query.ts'
import { spacedWords } from '../../search/segment.ts'
import { excerpt, hiddenWords, snippet } from '../../search/snippet.ts'
import { readTimePhrase } from '../../search/time-phrase.ts'
import { findOrganization } from '../organizations/organizations.ts'
import type { Ports } from '../ports.ts'

/** How much of a description a result shows, in UTF-16 code units. */
const SHOWN_DESCRIPTION = 300

/** Returns the part of a bookmark's description that a result shows, or of its text if it has no description. */
export function shownDescription({ description, content }: Bookmark): string {
  const text = description || content
  return text.length <= SHOWN_DESCRIPTION ? text : `${cut(text, SHOWN_DESCRIPTION - 1)}…`
}

/**
 * Returns a bookmark as a caller sees it. A tag is spelled as it was first used, and that may have been on a private
 * bookmark: keys of organizations see it in small letters.
 */
export function seenBy({ owner }: Caller, bookmark: Bookmark): Bookmark {
  return owner === null ? bookmark : { ...bookmark, tags: bookmark.tags.map(foldName) }
}

/** One page of a search. */
export interface SearchResult {
  total: number
  /** The total was counted only this far. */
  atLeast: boolean
  hasMore: boolean
  bookmarks: (Bookmark & { snippet?: string })[]
  /** The query that was searched instead of the one typed; for an empty page, the reason. */
  hint?: string
  /** Where only some of the words were found. */
  relaxed?: Relaxed
}

/** Searches what the caller may see. Without words: everything the filters let through, newest first. */
export async function searchBookmarks(ports: Ports, caller: Caller, asked: BookmarkQuery): Promise<SearchResult> {
  const { note: read, ...query } = await readTime(ports, caller, asked)
  const { bookmarks: found, note, relaxed, total, atLeast } = await ports.library.searchBookmarks(caller, query)
  const bookmarks = found.map((bookmark) => seenBy(caller, bookmark))
  const missing = query.words !== undefined && (await ports.library.isIndexing(caller)) ? STILL_INDEXING : undefined
  const hint = [read, note, missing].filter((part) => part !== undefined).join(' ')
  const words = query.words ? positiveWords(query.words) : []
  return {
    total,
    atLeast,
    hasMore: hasMore(query, { total, atLeast, shown: bookmarks.length }),
    bookmarks: await withSnippets(ports, bookmarks, words),
    hint: hint || undefined,
    relaxed: relaxed && { ...relaxed, exactly: exactly(query.words ?? '') }
  }
}

const STILL_INDEXING = 'Some bookmarks are still being prepared for search and may be missing here.'

function positiveWords(words: string): string[] {
  return parseQuery(words).all.flatMap((group) => group.map((term) => term.text))
}

/** Says where the words stand that cannot be seen, the text of the page looked at last. */
async function withSnippets(
  { library }: Ports,
  bookmarks: Bookmark[],
  words: string[]
): Promise<SearchResult['bookmarks']> {
  if (words.length === 0) return bookmarks
  const found = new Map<string, string>()
  const unseen = new Map<string, string[]>()
  for (const bookmark of bookmarks) {
    const { id, title, url, tags, description, content } = bookmark
    const shown = [title, url ?? '', shownDescription(bookmark), ...tags].join('\n')
    const hidden = hiddenWords(words, shown)
    if (hidden.length === 0) continue
    const piece = snippet(hidden, `${description}\n${content}`)
    if (piece === undefined) unseen.set(id, hidden)
    else found.set(id, piece)
  }
  const texts = unseen.size > 0 ? await library.readPageTexts([...unseen.keys()]) : new Map<string, string>()
  for (const [id, text] of texts) {
    const piece = excerpt(unseen.get(id) ?? [], text)
    if (piece !== undefined) found.set(id, piece)
  }
  return bookmarks.map((bookmark) => {
    const piece = found.get(bookmark.id)
    return piece === undefined ? bookmark : { ...bookmark, snippet: piece }
  })
}

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

/**
 * The filters that somebody named.
 *
 * @throws Problem `not-found` when there is no such organization
 */
export async function filterOf(
  ports: Ports,
  { tag, domain, type, visibility, organization, is, days, from, to, untagged, opened }: FilterQuery
): Promise<BookmarkFilter> {
  const owner = organization === undefined ? undefined : (await findOrganization(ports, organization)).rowId
  const first = days === undefined ? dayNamed(from) : new Date(ports.now())
  const last = dayNamed(to)
  return {
    tags: tag,
    domain: domain || undefined,
    type,
    visibility,
    organization: owner,
    is,
    untagged,
    opened,
    after: first && startOfDay(first, 1 - (days ?? 1)),
    before: last && startOfDay(last, 1)
  }
}

function dayNamed(day: string | undefined): Date | undefined {
  return day === undefined ? undefined : new Date(`${day}T00:00`)
}

/** Returns when a day begins that is some days after another, by this computer's clock, in milliseconds since 1970. */
function startOfDay(day: Date, later: number): number {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later).getTime()
}

/**
 * A walk along all that a list shows.
 *
 * @throws Problem `not-found` when there is no such organization
 */
export async function walkOf(ports: Ports, { words, typing, trash, ...filters }: ListedQuery): Promise<WalkChoice> {
  const filter = await filterOf(ports, filters)
  const choice: WalkChoice = { ...filter, trash: trash ? 'only' : 'without' }
  if (words.trim() === '') return choice
  const { note: _, ...read } = await readTime(ports, PROFILE, { ...filter, words, typing })
  return { ...choice, ...read }
}

/**
 * A query with what its words say of time as filters (`core/time-phrase.ts`), unless they are the words of a title, or
 * nothing saved then has the rest of them. What acts on all that a search shows reads its words as the search did.
 *
 * @returns the query, with a note where something was read
 */
export async function readTime<Query extends Asked>(
  ports: Ports,
  caller: Caller,
  query: Query
): Promise<Query & { note?: string }> {
  const time = query.words === undefined ? undefined : readTimePhrase(query.words, ports.now())
  if (!time || (await isTitle(ports, caller, query, time.alone))) return query
  const read = { ...query, words: time.words }
  if (!time.alone && (await ports.library.searchBookmarks(caller, { ...read, ...ONE })).total === 0) return query
  return { ...read, note: time.note }
}

type Asked = Omit<BookmarkQuery, 'page' | 'limit'>

const ONE = { page: 1, limit: 1 }

/** Whether a title holds the words as they stand; where all of them are of time, whether one is nothing else. */
async function isTitle(ports: Ports, caller: Caller, query: Asked, whole: boolean): Promise<boolean> {
  const words = query.words ?? ''
  const titled = { ...query, words: `title:"${words}"`, typing: false, page: 1, limit: MOST_TITLES }
  const { bookmarks } = await ports.library.searchBookmarks(caller, titled)
  const wanted = spacedWords(words)
  const titles = bookmarks.map(({ title }) => spacedWords(title))
  return titles.some((title) => (whole ? title === wanted : title.includes(wanted)))
}

/** The shortest titles come first. */
const MOST_TITLES = 20

/** Whether there is a page behind this one. */
function hasMore(
  { page, limit }: { page: number; limit: number },
  { total, atLeast = false, shown }: { total: number; atLeast?: boolean; shown: number }
): boolean {
  return (page - 1) * limit + shown < total || (atLeast && shown === limit)
}
