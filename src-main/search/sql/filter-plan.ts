import type { BookmarkFilter } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { filterToken } from '../filter-tokens.ts'
import { EVERYTHING, matchTerm, withFilters } from '../match.ts'
import { hasFilter, type ParsedQuery, type QueryNode } from '../query-nodes.ts'
import { countAll, countAny, type Filter, NO_TAG, readFilters } from './filters.ts'

/** Filters divided into those that join a full-text match and those that are checked on the row. */
export interface FilterPlan {
  /** Of each filter that joins a full-text match, the tokens of which one must be there. */
  tokens: string[][]
  /** Full-text expressions that must match in all texts. */
  expressions: string[]
  /** The other filters as SQL on `bookmarks b`; empty where there is none. */
  rowCondition: string
  /** All filters as SQL on `bookmarks b`, for where nothing is matched; empty where there is none. */
  condition: string
  values: Record<string, string | number>
  /** How many bookmarks pass the narrowest filter; `Infinity` without filters. */
  narrowest: number
  /** How many filters there are. */
  count: number
  /** Whether filters stand in the words, which anybody may combine: then only so many rows are looked at. */
  isBounded: boolean
}

/** A filter that lets more than this share of all bookmarks pass costs more as a token than as a look at the row. */
const WIDE = 0.2

/**
 * Plans the filters of a query: those beside its words, and those its words hold.
 *
 * @returns `undefined` where no bookmark can pass, because a tag does not exist
 */
export function planQuery(
  db: ReadConnection,
  caller: Caller,
  beside: BookmarkFilter,
  parsed: ParsedQuery | undefined
): FilterPlan | undefined {
  const all = withOneTime([beside, ...(parsed?.filters ?? [])])
  // A key of an organization takes the same way whether a tag is unknown or only on bookmarks it may not see.
  const unknownTag = caller.owner === null ? undefined : NO_TAG
  const wanted = all.map((filter, index) => readFilters(db, filter, index === 0 ? '' : `_${index}`, unknownTag))
  if (wanted.includes(undefined)) return undefined
  const excluded = (parsed?.without ?? []).flatMap(
    (filter, index) => readFilters(db, filter, `_not${index}`, unknownTag) ?? []
  )
  const permission = permissionOf(db, caller)
  const filters = [...permission, ...wanted.flatMap((some) => some ?? []), ...excluded.map(negate)]
  const plan = { ...planFilters(db, caller, filters), isBounded: parsed !== undefined && hasFilter(parsed) }
  if (!parsed?.nodes.length) return plan
  return withNodes(db, plan, parsed.nodes, { unknownTag, visible: permission.map(({ tokens }) => tokens) })
}

/** Joins all dates of filters that must all pass into one time, which has fewer tokens than each of them. */
function withOneTime(filters: BookmarkFilter[]): BookmarkFilter[] {
  const after = Math.max(...filters.map((one) => one.after ?? -Infinity))
  const before = Math.min(...filters.map((one) => one.before ?? Infinity))
  const [first, ...others] = filters.map(({ after: _, before: __, ...rest }) => rest)
  const time = {
    ...(after === -Infinity ? {} : { after }),
    ...(before === Infinity ? {} : { before })
  }
  return [{ ...first, ...time }, ...others]
}

/** The limits that a caller's permission sets to the nodes of its query. */
interface Limits {
  /** The id that stands for a tag that does not exist. */
  unknownTag: number | undefined
  /** Of each filter of the permission, the tokens of which one must be there. */
  visible: string[][]
}

/** Adds what words and filters say together: to the full-text match where the index knows all of it, or else on the row. */
function withNodes(db: ReadConnection, plan: FilterPlan, nodes: QueryNode[], limits: Limits): FilterPlan {
  const values: Record<string, string | number> = { ...plan.values }
  const conditions = nodes.map((node) => conditionOf(db, node, values, limits))
  const expressions = nodes.map((node) => expressionOf(db, node, limits.unknownTag))
  const and = (...all: string[]) => all.filter((one) => one !== '').join(' AND ')
  return {
    ...plan,
    expressions: expressions.filter((one) => one !== undefined),
    rowCondition: and(plan.rowCondition, ...conditions.filter((_, at) => expressions[at] === undefined)),
    condition: and(plan.condition, ...conditions),
    values,
    count: plan.count + nodes.length
  }
}

/** The token that no bookmark has. */
const NOTHING = filterToken.tag(NO_TAG)

/** Returns what is said of a bookmark as a full-text expression; `undefined` where only the row can tell. */
function expressionOf(db: ReadConnection, node: QueryNode, unknownTag: number | undefined): string | undefined {
  if ('term' in node) return matchTerm(node.term) ?? `"${NOTHING}"`
  if ('filter' in node) {
    const filters = readFilters(db, node.filter, '', unknownTag) ?? [{ tokens: [NOTHING], isInexact: false }]
    return filters.every(({ tokens, isInexact }) => tokens.length > 0 && !isInexact)
      ? `(${withFilters(
          '',
          filters.map(({ tokens }) => tokens)
        )})`
      : undefined
  }
  if ('not' in node) {
    const left = expressionOf(db, node.not, unknownTag)
    return left && `((${EVERYTHING}) NOT ${left})`
  }
  const parts = ('all' in node ? node.all : node.any).map((one) => expressionOf(db, one, unknownTag))
  return parts.includes(undefined) ? undefined : `(${parts.join('all' in node ? ' AND ' : ' OR ')})`
}

/**
 * Returns what is said of a bookmark as SQL on `bookmarks b`.
 *
 * @param values what is bound to names; gets those of the condition
 */
function conditionOf(
  db: ReadConnection,
  node: QueryNode,
  values: Record<string, string | number>,
  limits: Limits
): string {
  const each = (nodes: QueryNode[], word: string) =>
    `(${nodes.map((one) => conditionOf(db, one, values, limits)).join(` ${word} `)})`
  if ('all' in node) return each(node.all, 'AND')
  if ('any' in node) return each(node.any, 'OR')
  if ('not' in node) return `(${conditionOf(db, node.not, values, limits)}) IS NOT TRUE`
  const suffix = `_node${Object.keys(values).length}`
  if ('filter' in node) {
    const filters = readFilters(db, node.filter, suffix, limits.unknownTag)
    for (const { name, value } of filters ?? []) values[name] = value
    return filters ? `(${joinConditions(filters)})` : '0'
  }
  // Matches that the caller may not see must not even cost time.
  values[`match${suffix}`] = withFilters(matchTerm(node.term) ?? `"${NOTHING}"`, limits.visible)
  return `b.id IN (SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH @match${suffix})`
}

/** Plans what a caller may see, without any other filter. */
export function planPermission(db: ReadConnection, caller: Caller): FilterPlan {
  return planFilters(db, caller, permissionOf(db, caller))
}

/** Returns about how many bookmarks the caller may see. Those it may not see must not even weigh words. */
export function countVisible(db: ReadConnection, caller: Caller): number {
  return caller.owner === null ? countAll(db) : planPermission(db, caller).narrowest
}

function planFilters(db: ReadConnection, { owner }: Caller, filters: Filter[]): FilterPlan {
  const total = filters.length === 0 ? 0 : countAll(db)
  // What an organization's key may not see must not decide how its search is made: that told which private tags are wide.
  const isNarrow = ({ tokens, bookmarks }: Filter) => tokens.length > 0 && (owner !== null || bookmarks <= total * WIDE)
  return {
    tokens: filters.filter(isNarrow).map(({ tokens }) => tokens),
    expressions: [],
    rowCondition: joinConditions(filters.filter((filter) => !isNarrow(filter) || filter.isInexact)),
    condition: joinConditions(filters),
    values: Object.fromEntries(filters.map(({ name, value }) => [name, value])),
    // The counts of tags and sites are everybody's.
    narrowest: Math.min(
      ...filters.filter(({ kind }) => owner === null || kind === 'permission').map(({ bookmarks }) => bookmarks)
    ),
    count: filters.length,
    isBounded: false
  }
}

function joinConditions(filters: Filter[]): string {
  return filters.map(({ condition }) => condition).join(' AND ')
}

/** Returns what limits a caller to what it may see: nothing for the profile. */
function permissionOf(db: ReadConnection, { owner }: Caller): Filter[] {
  if (owner === null) return []
  const tokens = [filterToken.organization(owner), filterToken.visibility('public')]
  const condition = "(b.organization_id = @owner OR b.visibility = 'public')"
  return [{ kind: 'permission', name: 'owner', value: owner, condition, tokens, bookmarks: countAny(db, tokens) }]
}

function negate(filter: Filter): Filter {
  return { ...filter, tokens: [], condition: `(${filter.condition}) IS NOT TRUE`, bookmarks: Infinity }
}
