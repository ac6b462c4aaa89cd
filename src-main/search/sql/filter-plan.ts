import type { AskedFilter } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import type { ReadConnection } from '../../store/connection.ts'
import { filterToken } from '../filter-tokens.ts'
import { createFilterCounts } from './filter-counts.ts'
import { createFilterParts, type FilterPart } from './filter-parts.ts'

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
  bookmarks: number
}

/** Plans the filters of a search, with the caller's permissions as one of them. `nothing` can match an unknown tag. */
export function planFilters(db: ReadConnection) {
  const { countOf, countAll } = createFilterCounts(db)
  const partsOf = createFilterParts(db)

  /** What a caller may see; everything is the profile's. */
  function permissionOf(caller: Caller): Part[] {
    if (caller.owner === null) return []
    const tokens = [filterToken.organization(caller.owner), filterToken.visibility('public')]
    return [
      {
        tokens,
        sql: "(b.organization_id = @owner OR b.visibility = 'public')",
        values: { owner: caller.owner },
        bookmarks: tokens.reduce((sum, token) => sum + countOf(token), 0)
      }
    ]
  }

  /** What all of these filters ask for; `undefined` where one lets nothing through. */
  function askedBy(filters: AskedFilter[]): Part[] | undefined {
    const parts = filters.map((filter, index) => partsOf(filter, index === 0 ? '' : `_${index}`))
    return parts.includes(undefined) ? undefined : parts.flatMap((some) => (some ?? []).map(partOf))
  }

  /** What none of these lets through. */
  function notAskedBy(filters: AskedFilter[]): Part[] {
    const parts = filters.flatMap((filter, index) => partsOf(filter, `_not${index}`) ?? []).map(partOf)
    return parts.map((part) => ({ ...part, tokens: [], sql: `(${part.sql}) IS NOT TRUE`, bookmarks: Infinity }))
  }

  /**
   * @param asked filters that hold together
   * @param without filters of which none holds
   */
  return (caller: Caller, asked: AskedFilter[], without: AskedFilter[] = []): FilterPlan | 'nothing' => {
    const wanted = askedBy(asked)
    if (!wanted) return 'nothing'
    const parts: Part[] = [...permissionOf(caller), ...wanted, ...notAskedBy(without)]
    const total = parts.length === 0 ? 0 : countAll()
    const isNarrow = (part: Part) => part.tokens.length > 0 && part.bookmarks <= total * WIDE
    const narrow = parts.filter(isNarrow)
    const wide = parts.filter((part) => !isNarrow(part))
    return {
      narrowest: Math.min(...parts.map((part) => part.bookmarks)),
      filters: parts.length,
      tokens: narrow.map((part) => part.tokens),
      ...sqlOf(wide),
      all: sqlOf(parts).rows,
      allValues: sqlOf(parts).values
    }
  }
}

function partOf({ tokens, condition, name, value, bookmarks }: FilterPart): Part {
  return { tokens, sql: condition, values: { [name]: value }, bookmarks }
}

function sqlOf(parts: Part[]): { rows: string; values: Record<string, string | number> } {
  return {
    rows: parts.map((part) => part.sql).join(' AND '),
    values: Object.assign({}, ...parts.map((part) => part.values))
  }
}
