import type { Bookmark, BookmarkQuery, Relaxed } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { cut } from '../../core/clean-text.ts'
import { foldName } from '../../core/fold-name.ts'
import { hasMore } from '../../core/has-more.ts'
import { exactly, parseQuery } from '../../search/query.ts'
import { excerpt, hiddenWords, snippet } from '../../search/snippet.ts'
import type { Ports } from '../ports.ts'
import { readTime } from './read-time.ts'

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
