import type { BookmarkQuery } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import type { ReadConnection } from '../../store/connection.ts'
import { explainEmpty } from '../empty-hint.ts'
import { pastEnd } from '../hint.ts'
import { matchOf } from '../match.ts'
import { hasFilter, type ParsedQuery, parseQuery } from '../query.ts'
import type { CommonWords } from './common-words.ts'
import { anyUnindexed } from './index-queue.ts'
import { listMayBeSlow, matchMayBeSlow } from './may-be-slow.ts'
import { nearestSite, nearestTag } from './nearest-names.ts'
import { type Answer, type Criteria, criteriaOf, FEW, listAll, matchExactly, readCriteria, search } from './search.ts'

/** A page of what was found, as row ids, best first. */
export type FoundPage = Pick<Answer, 'ids' | 'total' | 'atLeast' | 'note' | 'relaxed'>

/**
 * Returns a page of bookmarks found by words and filters. `note` says what was done, and of an empty page why it is.
 *
 * @param common the library's common words, as far as they are known
 */
export function findPage(
  db: ReadConnection,
  caller: Caller,
  query: BookmarkQuery,
  common: CommonWords | undefined
): FoundPage {
  const criteria = readCriteria(db, caller, query)
  const page = pageOf(search(db, criteria, common), query)
  return { ...page, note: noteOf(db, criteria, page, common) }
}

/**
 * Returns what `findPage` does where that is sure to take a few milliseconds in a library of any size; otherwise
 * `undefined`, as well as where `findPage` may find more or has more to say.
 */
export function findPageQuickly(
  db: ReadConnection,
  caller: Caller,
  query: BookmarkQuery,
  common: CommonWords | undefined
): FoundPage | undefined {
  const { parsed, plan } = readCriteria(db, caller, query)
  if (!plan) return undefined
  if (!parsed) {
    if (listMayBeSlow(plan, query) || anyUnindexed(db)) return undefined
    return unlessEmpty(pageOf(listAll(db, plan, query), query))
  }
  const match = matchOf(parsed, query.typing === true)
  if (!match || parsed.misread.length > 0 || matchMayBeSlow(match, plan, query, common)) return undefined
  const found = matchExactly(db, match, parsed, plan, query, common)
  return found.total < FEW ? undefined : unlessEmpty(pageOf(found, query))
}

function pageOf({ ids, total, atLeast, note, relaxed }: FoundPage, { page, limit }: BookmarkQuery): FoundPage {
  const start = (page - 1) * limit
  return { ids: ids.slice(start, start + limit), total, atLeast, note, relaxed }
}

function unlessEmpty(page: FoundPage): FoundPage | undefined {
  return page.ids.length > 0 ? page : undefined
}

/** Joins what was misread, what was searched for instead, and why the page is empty. */
function noteOf(
  db: ReadConnection,
  { caller, query, parsed }: Criteria,
  { ids, total, atLeast, note }: FoundPage,
  common: CommonWords | undefined
): string | undefined {
  const parts = [...(parsed?.misread ?? [])]
  if (note !== undefined && total > 0) parts.push(note)
  if (ids.length === 0) {
    parts.push(
      total > 0
        ? pastEnd(query.page, query.limit, total, atLeast)
        : (explain(db, caller, query, parsed, common) ?? emptyLibrary(db, caller, common) ?? note ?? 'Nothing matches.')
    )
  }
  return parts.length === 0 ? undefined : [...new Set(parts)].join(' ')
}

function explain(
  db: ReadConnection,
  caller: Caller,
  query: BookmarkQuery,
  parsed: ParsedQuery | undefined,
  common: CommonWords | undefined
): string | undefined {
  const find = (asked: BookmarkQuery, words: ParsedQuery | undefined) =>
    search(db, criteriaOf(db, caller, asked, words && asksNothing(words) ? undefined : words), common)
  return explainEmpty(query, parsed, {
    count: find,
    nearestTag: (tag) => nearestTag(db, caller, tag),
    nearestSite: (site) => nearestSite(db, site, (named) => find(named, parseQuery(named.words)).ids)
  })
}

function asksNothing(parsed: ParsedQuery): boolean {
  return parsed.all.length === 0 && parsed.none.length === 0 && !hasFilter(parsed)
}

function emptyLibrary(db: ReadConnection, caller: Caller, common: CommonWords | undefined): string | undefined {
  if (search(db, readCriteria(db, caller, { page: 1, limit: 1 }), common).total > 0) return undefined
  return caller.owner === null ? 'There are no bookmarks yet.' : 'There are no bookmarks that this key may see.'
}
