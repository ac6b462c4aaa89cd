import type { BookmarkQuery } from '../../contract/bookmark.ts'
import type { ReadConnection } from '../../store/connection.ts'
import { statements } from '../../store/statements.ts'
import { type Match, withFilters } from '../match.ts'
import type { FilterPlan } from './filter-plan.ts'
import type { RankedRows } from './ranked-rows.ts'

/**
 * Up to this many matches of words are counted, and all of them ranked; of more, those in titles and tags come first,
 * newest first. Counting further costs more than anyone reads.
 */
const RANK_CAP = 100

/** Rows a search goes down at most; who pages this far narrows the search instead. */
const DEEPEST = 10_000

/** As many rows as the page needs and the total counts. */
export function mostFor({ page, limit }: BookmarkQuery, cap: number): number {
  return Math.min(DEEPEST, Math.max(cap + 1, page * limit + 1))
}

/** Row ids, best first, at least as far as the page needs; the total is exact unless `atLeast`. */
export interface Found {
  ids: number[]
  total: number
  atLeast: boolean
}

/** Finds bookmarks by words, best first. */
export function wordSearch(db: ReadConnection, rows: RankedRows) {
  const prepared = statements(db)

  /** Row ids of a full-text match, newest first. */
  function matching(table: 'bookmark_texts' | 'bookmark_titles', expression: string, plan: FilterPlan, limit: number) {
    return prepared(
      `SELECT rowid FROM ${table} WHERE ${table} MATCH @match${passing(table, plan)} ORDER BY rowid DESC LIMIT @most`
    )
      .pluck()
      .all({ ...plan.values, match: withFilters(expression, plan.tokens), most: limit }) as number[]
  }

  /** How many bookmarks a full-text expression finds, up to `most`. */
  function count(expression: string, plan: FilterPlan, most: number): number {
    return prepared(
      `SELECT count(*) FROM (SELECT 1 FROM bookmark_texts 
         WHERE bookmark_texts MATCH @match${passing('bookmark_texts', plan)} LIMIT @most)`
    )
      .pluck()
      .get({ ...plan.values, match: withFilters(expression, plan.tokens), most }) as number
  }

  return {
    matching,
    count,

    /**
     * Few matches are ranked, best first. Of many, those that hold every word in their title or tags come first, ranked
     * where there are few of them; then the rest, newest first. Nothing is looked at further than the page and the
     * total need. Where the index of titles cannot say, only the newest matches' titles are looked at.
     *
     * @param groups what was typed, in lower case: one of every group is wanted
     * @param manyInTitles titles alone are expected to fill the page, so they are asked first
     */
    find(match: Match, groups: string[][], plan: FilterPlan, query: BookmarkQuery, manyInTitles = false): Found {
      const most = mostFor(query, RANK_CAP)
      const wanted = query.page * query.limit
      const { titles } = match
      const inTitles = titles === undefined ? () => [] : () => matching('bookmark_titles', titles, plan, most)
      const early = manyInTitles ? inTitles() : []
      if (early.length >= most) return counted(early, early.length)
      const all = matching('bookmark_texts', match.texts, plan, most)
      if (all.length <= RANK_CAP) return counted(rows.best(all, groups, wanted), all.length)
      if (titles === undefined) {
        const newest = rows.titlesFirst(all.slice(0, RANK_CAP), groups)
        return counted([...newest, ...all.slice(RANK_CAP)], all.length)
      }
      const first = manyInTitles ? early : inTitles()
      const best = first.length <= RANK_CAP ? rows.rankedByTitle(first, groups.flat()) : first
      if (best.length >= wanted) return counted(best, all.length)
      const known = new Set(first)
      const rest = matching('bookmark_texts', match.texts, plan, most + first.length).filter((id) => !known.has(id))
      return counted([...best, ...rest], all.length)
    }
  }
}

function counted(ids: number[], total: number): Found {
  return { ids, total: Math.min(total, RANK_CAP), atLeast: total > RANK_CAP }
}

/** The filters that are not tokens of the index. */
function passing(table: string, { rows }: FilterPlan): string {
  return rows === '' ? '' : ` AND EXISTS (SELECT 1 FROM bookmarks b WHERE b.id = ${table}.rowid AND ${rows})`
}
