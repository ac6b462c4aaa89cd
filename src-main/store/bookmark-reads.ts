import type { Bookmark, BookmarkPage, BookmarkQuery } from '../contract/bookmark.ts'
import type { Caller } from '../contract/caller.ts'
import { type ParsedQuery, parseQuery } from '../core/parse-query.ts'
import { rank } from '../core/rank.ts'
import type { ReadConnection } from './connection.ts'
import { type FilterPlan, planFilters } from './filter-plan.ts'
import { exceptOf, type Match, matchOf, withFilters } from './match.ts'
import { statements } from './statements.ts'
import { createWordFinder } from './word-finder.ts'

/** Totals of what is listed without words are exact up to this many. */
const LIST_CAP = 1000

/**
 * Up to this many matches of words are counted, and all of them ranked; of more, those in titles and tags come first,
 * newest first. Counting further costs more than anyone reads.
 */
const RANK_CAP = 100

/** Rows a search goes down at most; who pages this far narrows the search instead. */
const DEEPEST = 10_000

/** What can be asked about bookmarks. A caller never learns of one it may not see, not even by counting. */
export function bookmarkReads(db: ReadConnection) {
  const prepared = statements(db)
  const filters = planFilters(db)
  const words = createWordFinder(db)

  /** Row ids of a full-text match, newest first. */
  function matching(table: 'bookmark_texts' | 'bookmark_titles', expression: string, plan: FilterPlan, limit: number) {
    const rest =
      plan.rows === '' ? '' : ` AND EXISTS (SELECT 1 FROM bookmarks b WHERE b.id = ${table}.rowid AND ${plan.rows})`
    return prepared(`SELECT rowid FROM ${table} WHERE ${table} MATCH @match${rest} ORDER BY rowid DESC LIMIT @most`)
      .pluck()
      .all({ ...plan.values, match: withFilters(expression, plan.tokens), most: limit }) as number[]
  }

  function fetch(ids: number[]): StoredBookmark[] {
    const byId = new Map(
      (prepared(FETCH).all(JSON.stringify(ids)) as BookmarkRow[]).map((row) => [row.rowId, toBookmark(row)])
    )
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  function pageOf(ids: number[], { page, limit }: BookmarkQuery, cap: number): BookmarkPage {
    const start = (page - 1) * limit
    const bookmarks = fetch(ids.slice(start, start + limit)).map(({ rowId: _, ...bookmark }) => bookmark)
    return { total: Math.min(ids.length, cap), atLeast: ids.length > cap, bookmarks }
  }

  /** Everything the filters let through, newest first. */
  function listed(plan: FilterPlan, query: BookmarkQuery, except?: string): BookmarkPage {
    const most = mostFor(query, LIST_CAP)
    if (plan.tokens.length > 0 && except === undefined) {
      return pageOf(matching('bookmark_titles', '', plan, most), query, LIST_CAP)
    }
    const without =
      except === undefined
        ? ''
        : ' AND NOT EXISTS (SELECT 1 FROM bookmark_texts WHERE bookmark_texts MATCH @except AND rowid = b.id)'
    const where = [plan.all, `b.deleted_at IS NULL${without}`].filter((part) => part !== '').join(' AND ')
    const ids = prepared(`SELECT b.id FROM bookmarks b WHERE ${where} ORDER BY b.id DESC LIMIT @most`)
      .pluck()
      .all({ ...plan.allValues, most, ...(except !== undefined && { except }) }) as number[]
    return pageOf(ids, query, LIST_CAP)
  }

  /** What matches, best first: all ranked where they are few, otherwise titles and tags before the rest. */
  function matched(match: Match, typed: string[], plan: FilterPlan, query: BookmarkQuery): BookmarkPage {
    const most = mostFor(query, RANK_CAP)
    const ids = matching('bookmark_texts', match.texts, plan, most)
    if (ids.length <= RANK_CAP) return rankedPage(ids, typed, query)
    const first =
      match.titles === undefined
        ? matching('bookmark_texts', `{title tags} : (${match.texts})`, plan, most)
        : matching('bookmark_titles', match.titles, plan, most)
    const best = first.length <= RANK_CAP ? ranked(first, typed) : first
    if (first.length >= most) return pageOf(best, query, RANK_CAP)
    const inTitles = new Set(first)
    const all = matching('bookmark_texts', match.texts, plan, most + first.length)
    const rest = all.filter((id) => !inTitles.has(id))
    return pageOf([...best, ...rest], query, RANK_CAP)
  }

  function ranked(ids: number[], typed: string[]): number[] {
    const scored = fetch(ids).map((bookmark) => ({ id: bookmark.rowId, score: rank(bookmark, typed) }))
    return scored.sort((a, b) => b.score - a.score || b.id - a.id).map(({ id }) => id)
  }

  /** All of a few matches ranked, and one page of them, each row read once. */
  function rankedPage(ids: number[], typed: string[], { page, limit }: BookmarkQuery): BookmarkPage {
    const scored = fetch(ids).map((bookmark) => ({ bookmark, score: rank(bookmark, typed) }))
    scored.sort((a, b) => b.score - a.score || b.bookmark.rowId - a.bookmark.rowId)
    const start = (page - 1) * limit
    const bookmarks = scored.slice(start, start + limit).map(({ bookmark: { rowId: _, ...rest } }) => rest)
    return { total: ids.length, atLeast: false, bookmarks }
  }

  return {
    searchBookmarks(caller: Caller, query: BookmarkQuery): BookmarkPage {
      const plan = filters(caller, query)
      if (plan === 'nothing') return NOTHING
      if (query.words === undefined) return listed(plan, query)
      const parsed = parseQuery(query.words)
      const exact = matchOf(parsed, false)
      if (!exact) {
        const except = exceptOf(parsed)
        return except === undefined ? NOTHING : listed(plan, query, except)
      }
      const typed = typedWords(parsed)
      const found = matched(exact, typed, plan, query)
      if (found.total > 0) return found
      const begun = matchOf(parsed, true)
      const continued = begun ? matched(begun, typed, plan, query) : NOTHING
      if (continued.total > 0) return continued
      for (const { query: other, note } of words.alternatives(parsed)) {
        const match = matchOf(other, false)
        const instead = match ? matched(match, typedWords(other), plan, query) : NOTHING
        if (instead.total > 0) return { ...instead, note }
      }
      return NOTHING
    },

    countBookmarks(caller: Caller): number {
      const plan = filters(caller, {})
      if (plan === 'nothing') return 0
      const where = ['b.deleted_at IS NULL', plan.all].filter((part) => part !== '').join(' AND ')
      return prepared(`SELECT count(*) FROM bookmarks b WHERE ${where}`).pluck().get(plan.allValues) as number
    },

    /** Rows that the background rebuild has not reached yet. */
    countUnindexed(): number {
      return prepared('SELECT count(*) FROM bookmarks WHERE filters IS NULL AND deleted_at IS NULL')
        .pluck()
        .get() as number
    }
  }
}

const NOTHING: BookmarkPage = { total: 0, atLeast: false, bookmarks: [] }

/** As many rows as the page needs and the total counts. */
function mostFor({ page, limit }: BookmarkQuery, cap: number): number {
  return Math.min(DEEPEST, Math.max(cap + 1, page * limit + 1))
}

function typedWords(query: ParsedQuery): string[] {
  return query.all.flatMap((group) => group.map((term) => term.text.toLowerCase()))
}

const FETCH = `SELECT b.id AS rowId, b.public_id AS id, b.type, b.visibility, o.name AS organization, b.url, b.domain,
  b.title, b.description, b.content, b.created_at AS createdAt, b.updated_at AS updatedAt,
  (SELECT json_group_array(name) FROM (SELECT t.name FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
    WHERE bt.bookmark_id = b.id ORDER BY t.folded)) AS tags
  FROM json_each(?) wanted JOIN bookmarks b ON b.id = wanted.value
  LEFT JOIN organizations o ON o.id = b.organization_id`

type StoredBookmark = Bookmark & { rowId: number }
type BookmarkRow = Omit<StoredBookmark, 'tags'> & { tags: string }

function toBookmark(row: BookmarkRow): StoredBookmark {
  return { ...row, tags: JSON.parse(row.tags) as string[] }
}
