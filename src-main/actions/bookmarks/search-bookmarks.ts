import type { Bookmark, BookmarkFilter, BookmarkQuery, NamedFilter, Relaxed } from '../../contract/bookmark.ts'
import type { BookmarkList, FilterQuery, ListedQuery } from '../../contract/bookmark-list.ts'
import { type Caller, PROFILE } from '../../contract/caller.ts'
import type { WalkChoice } from '../../contract/library-export.ts'
import { ellipsize, foldName } from '../../core/clean-text.ts'
import { localDay } from '../../core/iso-time.ts'
import { describeFilters } from '../../search/obstacles.ts'
import { parseQuery, quoteWords } from '../../search/query.ts'
import { positiveTerms } from '../../search/query-nodes.ts'
import { excerpt, hiddenWords, snippet } from '../../search/snippet.ts'
import { findOrganization } from '../organizations.ts'
import type { Ports } from '../ports.ts'

/** Maximum length of the description in a result, in UTF-16 code units. */
const MAX_DESCRIPTION = 300

/** Cuts a bookmark’s description for a result, or its text if it has no description. */
export function shownDescription({ description, content }: Bookmark): string {
  return ellipsize(description || content, MAX_DESCRIPTION)
}

/**
 * Returns a bookmark as a caller may see it. A tag keeps the spelling of its first use, which may have been on a
 * private bookmark. So that the spelling does not reveal that use, keys of organizations see tags in small letters.
 */
export function seenBy({ owner }: Caller, bookmark: Bookmark): Bookmark {
  return owner === null ? bookmark : { ...bookmark, tags: bookmark.tags.map(foldName) }
}

/** One page of a search or a list. */
export interface SearchResult {
  /** Exact unless `atLeast`. */
  total: number
  atLeast: boolean
  hasMore: boolean
  bookmarks: (Bookmark & { snippet?: string })[]
  /** How the query was changed, or why the page is empty. */
  hint?: string
  /** Set if only some of the words matched. */
  relaxed?: Relaxed
  /** The words that were searched for, without filters and excluded words, to mark them in the results. */
  words?: string[]
}

/** Searches the bookmarks that the caller may see. Without words: all that match the filters, newest first. */
export async function searchBookmarks(ports: Ports, caller: Caller, query: BookmarkQuery): Promise<SearchResult> {
  const result = await ports.library.searchBookmarks(caller, { ...query, now: ports.now() })
  const { note, relaxed, total, atLeast } = result
  const bookmarks = result.bookmarks.map((bookmark) => seenBy(caller, bookmark))
  const missing = query.words !== undefined && (await ports.library.isIndexing(caller)) ? STILL_INDEXING : undefined
  const hint = [note, missing].filter((part) => part !== undefined).join(' ')
  const searched = result.words ?? query.words
  const words = searched ? positiveWords(searched) : []
  return {
    total,
    atLeast,
    hasMore: hasMore(query, { total, atLeast, shown: bookmarks.length }),
    bookmarks: await withSnippets(ports, bookmarks, words),
    hint: hint || undefined,
    relaxed: relaxed && { ...relaxed, exactly: quoteWords(searched ?? '') },
    words: words.flatMap((word) => word.split(/\s+/))
  }
}

const STILL_INDEXING = 'Some bookmarks are still being prepared for search and may be missing here.'

function positiveWords(words: string): string[] {
  const { all, nodes } = parseQuery(words)
  return [...all.flat(), ...nodes.flatMap(positiveTerms)].map(({ text }) => text)
}

/**
 * Adds snippets with the words that a result does not show otherwise. The page’s text is only used for words that the
 * bookmark itself does not contain.
 */
async function withSnippets(
  { library }: Ports,
  bookmarks: Bookmark[],
  words: string[]
): Promise<SearchResult['bookmarks']> {
  if (words.length === 0) return bookmarks
  const snippets = new Map<string, string>()
  const unseen = new Map<string, string[]>()
  for (const bookmark of bookmarks) {
    const { id, title, url, tags, description, content } = bookmark
    const shown = [title, url ?? '', shownDescription(bookmark), ...tags].join('\n')
    const hidden = hiddenWords(words, shown)
    if (hidden.length === 0) continue
    const piece = snippet(hidden, `${description}\n${content}`)
    if (piece === undefined) unseen.set(id, hidden)
    else snippets.set(id, piece)
  }
  const texts = unseen.size > 0 ? await library.readPageTexts([...unseen.keys()]) : new Map<string, string>()
  for (const [id, text] of texts) {
    const piece = excerpt(unseen.get(id) ?? [], text)
    if (piece !== undefined) snippets.set(id, piece)
  }
  return bookmarks.map((bookmark) => {
    const piece = snippets.get(bookmark.id)
    return piece === undefined ? bookmark : { ...bookmark, snippet: piece }
  })
}

/** Lists a page of all the owner’s bookmarks that match the filters. */
export async function listBookmarks(
  ports: Ports,
  list: BookmarkList
): Promise<Omit<SearchResult, 'bookmarks'> & { bookmarks: Bookmark[] }> {
  const { total, atLeast, bookmarks } = await ports.library.listBookmarks(list)
  const hint = total === 0 && !list.trash ? await whyNothing(ports, list) : undefined
  return { total, atLeast, hasMore: hasMore(list, { total, atLeast, shown: bookmarks.length }), bookmarks, hint }
}

async function whyNothing({ library }: Ports, { order: _, trash: __, words: ___, ...filters }: BookmarkList) {
  const { note } = await library.searchBookmarks(PROFILE, filters)
  return note
}

/** Lists the filters of a search with their names in hints, so that the dashboard can show translated names. */
export function namedFilters(filters: BookmarkFilter, words: string): NamedFilter[] {
  return [filters, ...parseQuery(words).filters].flatMap(
    ({ type, visibility, domain, siteName, is, before, after, untagged, highlighted }) => [
      ...(type ? named('type', type, { type }) : []),
      ...(visibility ? named('visibility', visibility, { visibility }) : []),
      ...(domain ? named('site', domain, { domain }) : []),
      ...(siteName ? named('site', siteName, { siteName }) : []),
      ...(before === undefined ? [] : named('date', localDay(before), { before })),
      ...(after === undefined ? [] : named('date', localDay(after), { after })),
      ...(untagged ? named('untagged', '', { untagged }) : []),
      ...(highlighted ? named('highlighted', '', { highlighted }) : []),
      ...(is ?? []).flatMap((mark) => named('is', mark, { is: [mark] }))
    ]
  )
}

function named(kind: NamedFilter['kind'], value: string, filter: BookmarkFilter): NamedFilter[] {
  return describeFilters([filter]).map((name) => ({ name, kind, value }))
}

/** @throws Problem `not-found` if there is no such organization */
export async function filterOf(
  ports: Ports,
  { tag, organization, days, from, to, ...filter }: FilterQuery
): Promise<BookmarkFilter> {
  const starts = [
    ...(from === undefined ? [] : [startOfDay(dayNamed(from), 0)]),
    ...(days === undefined ? [] : [startOfDay(new Date(ports.now()), 1 - days)])
  ]
  return {
    ...filter,
    tags: tag,
    organization: organization === undefined ? undefined : (await findOrganization(ports, organization)).rowId,
    after: starts.length === 0 ? undefined : Math.max(...starts),
    before: to === undefined ? undefined : startOfDay(dayNamed(to), 1)
  }
}

function dayNamed(day: string): Date {
  return new Date(`${day}T00:00`)
}

/** Returns the beginning of the day `daysLater` days after another, in this computer’s time zone, in ms since 1970. */
function startOfDay(day: Date, daysLater: number): number {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater).getTime()
}

/**
 * Returns the choice of all bookmarks that a search or a list shows with these words and filters.
 *
 * @throws Problem `not-found` if there is no such organization
 */
export async function walkOf(ports: Ports, { words, typing, trash, ...filters }: ListedQuery): Promise<WalkChoice> {
  const { library, now } = ports
  const filter = await filterOf(ports, filters)
  if (trash) return { ...filter, trash: 'only' }
  const choice: WalkChoice = { ...filter, trash: 'without' }
  if (words.trim() !== '') {
    const searched = await library.searchBookmarks(PROFILE, { ...filter, words, typing, now: now(), page: 1, limit: 1 })
    return { ...choice, words: searched.words ?? words, typing, forgiving: true }
  }
  const named = namesAsWords(filter)
  if (named === '' || (await library.countMatching(choice)) > 0) return choice
  return { ...choice, tags: undefined, domain: undefined, words: named, forgiving: true }
}

/**
 * Returns the tags and the site of a list’s filters in the query language. An empty list is replaced by a search for
 * them, because a search corrects a tag or a site that no bookmark has.
 */
export function namesAsWords({ tags = [], domain }: BookmarkFilter): string {
  const names = tags.filter((name) => !name.includes('"')).map((name) => `tag:"${name}"`)
  return [...names, ...(domain ? [`site:"${domain}"`] : [])].join(' ')
}

function hasMore(
  { page, limit }: { page: number; limit: number },
  { total, atLeast = false, shown }: { total: number; atLeast?: boolean; shown: number }
): boolean {
  return (page - 1) * limit + shown < total || (atLeast && shown === limit)
}
