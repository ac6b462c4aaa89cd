import type { Bookmark, BookmarkPage, BookmarkQuery } from '../../contract/bookmark.ts'
import { type Caller, PROFILE } from '../../contract/caller.ts'
import { Problem } from '../../contract/problem.ts'
import { MAX_SAVED_SEARCHES, type SavedSearch, type SavedSearchChange } from '../../contract/rule.ts'
import type { SuggestionRequest } from '../../contract/tag.ts'
import { toDomain } from '../../core/address.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readRows, readValue, run } from '../../database/sql.ts'
import { planPermission } from '../../search/sql/filter-plan.ts'
import { matchRelated, votedTags } from '../../search/sql/related-matches.ts'
import { findResults } from '../../search/sql/search-page.ts'
import { readRankable } from '../../search/sql/word-matches.ts'
import { orTaken } from '../access/organizations.ts'
import { bookmarksAt } from '../bookmarks/bookmark-reads.ts'
import { recordPlace } from '../bookmarks/undo-steps.ts'
import type { Written } from '../calls.ts'
import { publicId } from '../public-id.ts'

/**
 * Finds bookmarks by words and filters. `note` describes a correction of the words, or the reason for an empty page. The
 * results and counts include only bookmarks that the caller may see.
 */
export function searchBookmarks(db: ReadConnection, caller: Caller, query: BookmarkQuery): BookmarkPage {
  const { ids, ...page } = findResults(db, caller, query)
  return { ...page, bookmarks: bookmarksAt(db, ids) }
}

/** Counts the bookmarks that the caller may see. */
export function countBookmarks(db: ReadConnection, caller: Caller): number {
  const { condition, values } = planPermission(db, caller)
  const where = ['b.deleted_at IS NULL', condition].filter((part) => part !== '').join(' AND ')
  return readValue(db, `SELECT count(*) FROM bookmarks b WHERE ${where}`, values) ?? 0
}

/** Returns the bookmarks that are most similar to a bookmark, the most similar first. The caller may see all of them. */
export function relatedBookmarks(db: ReadConnection, caller: Caller, id: string, limit: number): Bookmark[] {
  const { condition, values } = planPermission(db, caller)
  const where = ['b.public_id = @id AND b.deleted_at IS NULL', condition].filter((part) => part !== '').join(' AND ')
  const rowId = readValue<number>(db, `SELECT b.id FROM bookmarks b WHERE ${where}`, { ...values, id })
  const one = rowId === undefined ? undefined : readRankable(db, [rowId]).get(rowId)
  if (!one) return []
  const related = matchRelated(db, caller, one, { except: rowId, most: limit })
  return bookmarksAt(
    db,
    related.map((found) => found.id)
  )
}

/** Maximum number of similar bookmarks whose tags are suggested. */
const MAX_VOTING = 40

/** Returns tags of the owner's most similar bookmarks that this bookmark does not have, the likeliest first. */
export function suggestTags(db: ReadConnection, { url, tags, ...texts }: SuggestionRequest, limit: number): string[] {
  const domain = URL.canParse(url) ? toDomain(new URL(url).hostname) : null
  const related = matchRelated(db, PROFILE, { ...texts, tags, url, domain }, { except: undefined, most: MAX_VOTING })
  const had = new Set(tags.map(foldName))
  // A stored bookmark with this address would vote for its own tags only.
  const others = related.filter(({ bookmark }) => bookmark.url !== url)
  return votedTags(others.map(({ score, bookmark }) => ({ score, tags: bookmark.tags })))
    .filter((tag) => !had.has(foldName(tag)))
    .slice(0, limit)
}

/**
 * Stores a search as an undo step.
 *
 * @throws Problem `taken` if another search has that name, in any case; `too-many`
 */
export function saveSearch(
  db: WriteConnection,
  { name, address }: SearchState,
  at: number
): Written<{ search: SavedSearch; undo: number }> {
  const id = publicId()
  writeSearch(db, id, { name, address })
  const undo = recordPlace(db, { id: null, at }, 'search', id, undefined)
  return { answer: { search: { id, name, address }, undo }, events: [{ kind: 'searches' }] }
}

/** Returns the undo step; `undefined` if there is no such saved search. @throws Problem `taken` */
export function changeSavedSearch(
  db: WriteConnection,
  id: string,
  { name, address }: SavedSearchChange,
  at: number
): Written<number | undefined> {
  return asStep(db, id, at, (before) => ({ name: name ?? before.name, address: address ?? before.address }))
}

/** Returns the undo step; `undefined` if there is no such saved search. */
export function deleteSavedSearch(db: WriteConnection, id: string, at: number): Written<number | undefined> {
  return asStep(db, id, at, () => undefined)
}

type SearchState = Omit<SavedSearch, 'id'>

/** @param change returns the search after the change; `undefined` deletes it */
function asStep(
  db: WriteConnection,
  id: string,
  at: number,
  change: (before: SearchState) => SearchState | undefined
): Written<number | undefined> {
  const before = readSearch(db, id)
  if (!before) return { answer: undefined, events: [] }
  writeSearch(db, id, change(before))
  return { answer: recordPlace(db, { id: null, at }, 'search', id, before), events: [{ kind: 'searches' }] }
}

export function readSearch(db: ReadConnection, id: string): SearchState | undefined {
  return readRow<SearchState>(db)`SELECT name, address FROM saved_searches WHERE public_id = ${id}`
}

/**
 * Adds, changes or deletes a saved search.
 *
 * @throws Problem `taken` if another search has that name, in any case; `too-many`
 */
export function writeSearch(db: WriteConnection, id: string, state: SearchState | undefined): void {
  if (!state) {
    run(db)`DELETE FROM saved_searches WHERE public_id = ${id}`
    return
  }
  const count = readValue<number>(db)`SELECT count(*) FROM saved_searches` ?? 0
  if (count >= MAX_SAVED_SEARCHES && !readSearch(db, id)) {
    throw new Problem('too-many', `There are ${MAX_SAVED_SEARCHES} saved searches already. Delete one first.`)
  }
  const { name, address } = state
  orTaken(
    `There is already a saved search named ${name}.`,
    () => run(db)`
      INSERT INTO saved_searches (public_id, name, folded, address)
        VALUES (${id}, ${name}, ${foldName(name)}, ${address})
        ON CONFLICT (public_id) DO UPDATE SET name = excluded.name, folded = excluded.folded, address = excluded.address`
  )
}

/** Returns all saved searches, by name. */
export function listSavedSearches(db: ReadConnection): SavedSearch[] {
  return readRows<SavedSearch>(db)`SELECT public_id AS id, name, address FROM saved_searches ORDER BY folded`
}
