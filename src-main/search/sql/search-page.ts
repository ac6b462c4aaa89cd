import type { BookmarkQuery } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { explainEmpty, pastEnd } from '../hint.ts'
import { parseQuery } from '../query.ts'
import { hasFilter, type ParsedQuery } from '../query-nodes.ts'
import { nearestSite, nearestTag } from './nearest-names.ts'
import { type Answer, type Criteria, criteriaOf, readCriteria, search } from './search.ts'

/** A page of what was found, as row ids, best first. */
export type FoundPage = Pick<Answer, 'ids' | 'total' | 'atLeast' | 'note' | 'relaxed'>

/**
 * Returns a page of bookmarks found by words and filters. `note` says what was done, and of an empty page why it is.
 */
export function findResults(db: ReadConnection, caller: Caller, query: BookmarkQuery): FoundPage {
  const criteria = readCriteria(db, caller, query)
  const page = pageOf(search(db, criteria), query)
  return { ...page, note: noteOf(db, criteria, page) }
}

function pageOf({ ids, total, atLeast, note, relaxed }: FoundPage, { page, limit }: BookmarkQuery): FoundPage {
  const start = (page - 1) * limit
  return { ids: ids.slice(start, start + limit), total, atLeast, note, relaxed }
}

/** Joins what was misread, what was searched for instead, and why the page is empty. */
function noteOf(
  db: ReadConnection,
  { caller, query, parsed }: Criteria,
  { ids, total, atLeast, note }: FoundPage
): string | undefined {
  const parts = [...(parsed?.misread ?? [])]
  if (note !== undefined && total > 0) parts.push(note)
  if (ids.length === 0) {
    parts.push(
      total > 0
        ? pastEnd(query.page, query.limit, total, atLeast)
        : (explain(db, caller, query, parsed) ?? emptyLibrary(db, caller) ?? note ?? 'Nothing matches.')
    )
  }
  return parts.length === 0 ? undefined : [...new Set(parts)].join(' ')
}

function explain(
  db: ReadConnection,
  caller: Caller,
  query: BookmarkQuery,
  parsed: ParsedQuery | undefined
): string | undefined {
  const find = (asked: BookmarkQuery, words: ParsedQuery | undefined) =>
    search(db, criteriaOf(db, caller, asked, words && asksNothing(words) ? undefined : words))
  return explainEmpty(query, parsed, {
    count: find,
    nearestTag: (tag) => nearestTag(db, caller, tag),
    nearestSite: (site) => nearestSite(db, site, (named) => find(named, parseQuery(named.words)).ids)
  })
}

function asksNothing(parsed: ParsedQuery): boolean {
  return parsed.all.length === 0 && parsed.none.length === 0 && !hasFilter(parsed)
}

function emptyLibrary(db: ReadConnection, caller: Caller): string | undefined {
  if (search(db, readCriteria(db, caller, { page: 1, limit: 1 })).total > 0) return undefined
  return caller.owner === null ? 'There are no bookmarks yet.' : 'There are no bookmarks that this key may see.'
}
