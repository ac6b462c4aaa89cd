import type { BookmarkQuery, Relaxed } from '../../contract/bookmark.ts'
import { type Loosened, relaxedHint } from '../hint.ts'
import type { ParsedQuery } from '../query.ts'
import type { FilterPlan } from './filter-plan.ts'
import type { RankedRows } from './ranked-rows.ts'
import { relaxedSearch } from './relaxed-search.ts'
import type { openVocabulary } from './vocabulary.ts'
import type { Found, wordSearch } from './word-search.ts'

/** A search that finds fewer than this looks further: as many as an agent is shown. */
export const FEW = 5

/** From this many words on, bookmarks that hold most of them stand behind those that hold all. */
const MANY_WORDS = 3

export interface Forgiving extends Found {
  note?: string | undefined
  relaxed?: Relaxed | undefined
}

/**
 * Puts what holds most of the words, or other forms of them, behind the few bookmarks that hold all.
 *
 * @returns takes what holds all words as typed, whole, and how many bookmarks there are, about
 */
export function forgivingSearch(
  { matching, count }: Pick<ReturnType<typeof wordSearch>, 'matching' | 'count'>,
  rows: RankedRows,
  vocabulary: ReturnType<typeof openVocabulary>
) {
  return (exact: Found, parsed: ParsedQuery, query: BookmarkQuery, plan: FilterPlan, bookmarks: number): Forgiving => {
    const words = vocabulary(bookmarks, (expression, most) => count(expression, plan, most))
    const { ids, groups, holds } = relaxedSearch(matching, rows, parsed, plan, words, query.typing === true)
    const telling = groups.filter(({ empty }) => !empty)
    const all = (telling.length > 0 ? telling : groups).reduce((sum, group) => sum | (1 << groups.indexOf(group)), 0)
    const whole = ids.filter((id) => ((holds.get(id) ?? 0) & all) === all)
    const seen = new Set(exact.ids)
    const fewWords = telling.length < MANY_WORDS
    const behind = (fewWords && exact.ids.length + whole.length > 0 ? whole : ids).filter((id) => !seen.has(id))
    const start = (query.page - 1) * query.limit
    const shown = [...exact.ids, ...behind].slice(start, start + query.limit).filter((id) => !seen.has(id))
    const loosened: Loosened = { groups, exact: exact.total, shown: shown.map((id) => holds.get(id) ?? 0) }
    const found = { ids: [...exact.ids, ...behind], total: exact.total + behind.length, atLeast: false }
    return behind.length > 0 || exact.total === 0 ? { ...found, ...relaxedHint(loosened) } : found
  }
}
