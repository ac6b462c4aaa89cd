import type { BookmarkFilter } from '../contract/bookmark.ts'
import type { Caller } from '../contract/caller.ts'
import { siteOf } from '../core/address.ts'
import { foldName } from '../core/fold-name.ts'
import type { ReadConnection } from './connection.ts'
import { filterToken } from './filter-tokens.ts'

/** How filters are applied: the narrow ones in the index, the wide ones on the row. Values are always bound. */
export interface FilterPlan {
  /** Filters that join a full-text match; each holds with one of its tokens. */
  tokens: string[][]
  /** The others as SQL on `bookmarks b`; empty where there is none. */
  rows: string
  values: Record<string, string | number>
  /** All of them as SQL, for where nothing is matched. */
  all: string
  allValues: Record<string, string | number>
  /** How many bookmarks the narrowest filter lets through; `Infinity` without filters. */
  narrowest: number
  /** How many filters there are. */
  filters: number
}

/** A filter that lets more than this share through costs more as a token than a look at the row. */
const WIDE = 0.2

interface Part {
  tokens: string[]
  sql: string
  values: Record<string, string | number>
}

/** Plans the filters of a search, with the caller's permissions as one of them. `nothing` can match an unknown tag. */
export function planFilters(db: ReadConnection) {
  const findTag = db.prepare('SELECT id FROM tags WHERE folded = ?').pluck()
  const readCount = db.prepare('SELECT bookmarks FROM filter_counts WHERE filter = ?').pluck()
  const countOf = (tokens: string[]) =>
    tokens.reduce((sum, token) => sum + ((readCount.get(token) as number | undefined) ?? 0), 0)
  const everything = ['link', 'image', 'color', 'text'].map((type) => filterToken.type(type as 'link'))

  return (caller: Caller, filter: BookmarkFilter): FilterPlan | 'nothing' => {
    const parts: Part[] = []
    if (caller.owner !== null) {
      parts.push({
        tokens: [filterToken.organization(caller.owner), filterToken.visibility('public')],
        sql: "(b.organization_id = @owner OR b.visibility = 'public')",
        values: { owner: caller.owner }
      })
    }
    if (filter.type) {
      parts.push({ tokens: [filterToken.type(filter.type)], sql: 'b.type = @type', values: { type: filter.type } })
    }
    if (filter.visibility) {
      const { visibility } = filter
      parts.push({
        tokens: [filterToken.visibility(visibility)],
        sql: 'b.visibility = @visibility',
        values: { visibility }
      })
    }
    if (filter.organization !== undefined) {
      const { organization } = filter
      parts.push({
        tokens: [filterToken.organization(organization)],
        sql: 'b.organization_id = @organization',
        values: { organization }
      })
    }
    if (filter.domain) {
      const domain = siteOf(filter.domain)
      parts.push({
        tokens: [filterToken.site(domain)],
        sql: "(b.domain = @domain OR substr(b.domain, -length(@domain) - 1) = '.' || @domain)",
        values: { domain }
      })
    }
    for (const [index, name] of (filter.tags ?? []).entries()) {
      const tag = findTag.get(foldName(name)) as number | undefined
      if (tag === undefined) return 'nothing'
      const sql = `EXISTS (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = b.id AND bt.tag_id = @tag${index})`
      parts.push({ tokens: [filterToken.tag(tag)], sql, values: { [`tag${index}`]: tag } })
    }
    const total = parts.length === 0 ? 0 : countOf(everything)
    const counts = new Map(parts.map((part) => [part, countOf(part.tokens)]))
    const isNarrow = (part: Part) => (counts.get(part) ?? 0) <= total * WIDE
    const narrow = parts.filter(isNarrow)
    const wide = parts.filter((part) => !isNarrow(part))
    return {
      narrowest: Math.min(...counts.values()),
      filters: parts.length,
      tokens: narrow.map((part) => part.tokens),
      ...sqlOf(wide),
      all: sqlOf(parts).rows,
      allValues: sqlOf(parts).values
    }
  }
}

function sqlOf(parts: Part[]): { rows: string; values: Record<string, string | number> } {
  return {
    rows: parts.map((part) => part.sql).join(' AND '),
    values: Object.assign({}, ...parts.map((part) => part.values))
  }
}
