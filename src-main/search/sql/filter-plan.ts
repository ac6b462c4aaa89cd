import type { BookmarkFilter } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { filterToken } from '../filter-tokens.ts'
import { ALL_BOOKMARKS, termExpression, withFilters } from '../match.ts'
import { hasFilter, type ParsedQuery, type QueryNode } from '../query-nodes.ts'
import { countAll, countWithTokens, type Filter, NO_TAG, readFilters } from './filters.ts'

/** The filters of a search, divided into those that the full-text index checks and those that are checked on rows. */
export interface FilterPlan {
  /** For each filter that the index checks, the tokens of which a bookmark must have one. */
  tokens: string[][]
  /** Further expressions for the index of all texts, which must all match. */
  expressions: string[]
  /** The filters that the index does not check, as SQL on `bookmarks b`; empty if there are none. */
  rowCondition: string
  /** All filters as SQL on `bookmarks b`, for searches without the index; empty if there are none. */
  condition: string
  /** The values of both conditions, by parameter name. */
  values: Record<string, string | number>
  /** How many bookmarks match the narrowest filter; `Infinity` without filters. */
  narrowestCount: number
  /** The number of filters. */
  count: number
  /** Whether the words have filters. Any combination of them is possible, so the number of checked rows is limited. */
  isBounded: boolean
}

/** A filter that more than this share of all bookmarks match is slower as a token than as a check of each row. */
const WIDE_SHARE = 0.2

/**
 * Plans the filters of a query.
 *
 * @param filter the filters given besides the words
 * @param parsed the words, with their filters
 * @returns `undefined` if no bookmark can match, because a tag does not exist
 */
export function planQuery(
  db: ReadConnection,
  caller: Caller,
  filter: BookmarkFilter,
  parsed: ParsedQuery | undefined
): FilterPlan | undefined {
  const all = mergeDates([filter, ...(parsed?.filters ?? [])])
  // For an organization's key, a tag that does not exist must not differ from one on bookmarks that the key may not see.
  const unknownTag = caller.owner === null ? undefined : NO_TAG
  const required = all.map((filter, index) => readFilters(db, filter, index === 0 ? '' : `_${index}`, unknownTag))
  if (required.includes(undefined)) return undefined
  const excluded = (parsed?.excludedFilters ?? []).flatMap(
    (filter, index) => readFilters(db, filter, `_not${index}`, unknownTag) ?? []
  )
  const permission = permissionFilters(db, caller)
  const filters = [...permission, ...required.flatMap((filters) => filters ?? []), ...excluded.map(negate)]
  const plan = { ...planFilters(db, caller, filters), isBounded: parsed !== undefined && hasFilter(parsed) }
  if (!parsed?.nodes.length) return plan
  return addNodes(db, plan, parsed.nodes, { unknownTag, visible: permission.map(({ tokens }) => tokens) })
}

/** Merges the dates of all filters into one period, which has fewer tokens than each of them. */
function mergeDates(filters: BookmarkFilter[]): BookmarkFilter[] {
  const after = Math.max(...filters.map((filter) => filter.after ?? -Infinity))
  const before = Math.min(...filters.map((filter) => filter.before ?? Infinity))
  const [first, ...others] = filters.map(({ after: _, before: __, ...rest }) => rest)
  const time = {
    ...(after === -Infinity ? {} : { after }),
    ...(before === Infinity ? {} : { before })
  }
  return [{ ...first, ...time }, ...others]
}

/** The limits that a caller's permission sets for its query. */
interface Limits {
  /** The id to use for a tag that does not exist. */
  unknownTag: number | undefined
  /** The tokens of what the caller may see, in the form of `FilterPlan.tokens`. */
  visible: string[][]
}

/** Adds combinations of words and filters: as full-text expressions if the index can check all of them, or else as SQL. */
function addNodes(db: ReadConnection, plan: FilterPlan, nodes: QueryNode[], limits: Limits): FilterPlan {
  const values: Record<string, string | number> = { ...plan.values }
  const conditions = nodes.map((node) => nodeCondition(db, node, values, limits))
  const expressions = nodes.map((node) => nodeExpression(db, node, limits.unknownTag))
  const and = (...conditions: string[]) => conditions.filter((condition) => condition !== '').join(' AND ')
  return {
    ...plan,
    expressions: expressions.filter((expression) => expression !== undefined),
    rowCondition: and(plan.rowCondition, ...conditions.filter((_, index) => expressions[index] === undefined)),
    condition: and(plan.condition, ...conditions),
    values,
    count: plan.count + nodes.length
  }
}

/** A token that no bookmark has. */
const NO_BOOKMARK = filterToken.tag(NO_TAG)

/** Writes a node as a full-text expression; returns `undefined` if the index cannot check all of it. */
function nodeExpression(db: ReadConnection, node: QueryNode, unknownTag: number | undefined): string | undefined {
  if ('term' in node) return termExpression(node.term) ?? `"${NO_BOOKMARK}"`
  if ('filter' in node) {
    const filters = readFilters(db, node.filter, '', unknownTag) ?? [{ tokens: [NO_BOOKMARK], isInexact: false }]
    return filters.every(({ tokens, isInexact }) => tokens.length > 0 && !isInexact)
      ? `(${withFilters(
          '',
          filters.map(({ tokens }) => tokens)
        )})`
      : undefined
  }
  if ('not' in node) {
    const excluded = nodeExpression(db, node.not, unknownTag)
    return excluded && `((${ALL_BOOKMARKS}) NOT ${excluded})`
  }
  const parts = ('all' in node ? node.all : node.any).map((child) => nodeExpression(db, child, unknownTag))
  return parts.includes(undefined) ? undefined : `(${parts.join('all' in node ? ' AND ' : ' OR ')})`
}

/**
 * Writes a node as SQL on `bookmarks b`.
 *
 * @param values the parameters of the statement; those of the condition are added
 */
function nodeCondition(
  db: ReadConnection,
  node: QueryNode,
  values: Record<string, string | number>,
  limits: Limits
): string {
  const join = (nodes: QueryNode[], operator: string) =>
    `(${nodes.map((child) => nodeCondition(db, child, values, limits)).join(` ${operator} `)})`
  if ('all' in node) return join(node.all, 'AND')
  if ('any' in node) return join(node.any, 'OR')
  if ('not' in node) return `(${nodeCondition(db, node.not, values, limits)}) IS NOT TRUE`
  const suffix = `_node${Object.keys(values).length}`
  if ('filter' in node) {
    const filters = readFilters(db, node.filter, suffix, limits.unknownTag)
    for (const { name, value } of filters ?? []) values[name] = value
    return filters ? `(${joinConditions(filters)})` : '0'
  }
  // Limited to visible bookmarks, so that matches that the caller may not see cost no time.
  values[`match${suffix}`] = withFilters(termExpression(node.term) ?? `"${NO_BOOKMARK}"`, limits.visible)
  return `b.id IN (SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH @match${suffix})`
}

/** Plans a search for all bookmarks that a caller may see. */
export function planPermission(db: ReadConnection, caller: Caller): FilterPlan {
  return planFilters(db, caller, permissionFilters(db, caller))
}

/** Returns the approximate number of bookmarks that the caller may see. Word weights must not depend on any others. */
export function countVisible(db: ReadConnection, caller: Caller): number {
  return caller.owner === null ? countAll(db) : planPermission(db, caller).narrowestCount
}

function planFilters(db: ReadConnection, { owner }: Caller, filters: Filter[]): FilterPlan {
  const total = filters.length === 0 ? 0 : countAll(db)
  // For an organization's key, every filter with tokens uses them: a choice by count would reveal which private tags are
  // common.
  const isNarrow = ({ tokens, bookmarks }: Filter) =>
    tokens.length > 0 && (owner !== null || bookmarks <= total * WIDE_SHARE)
  return {
    tokens: filters.filter(isNarrow).map(({ tokens }) => tokens),
    expressions: [],
    rowCondition: joinConditions(filters.filter((filter) => !isNarrow(filter) || filter.isInexact)),
    condition: joinConditions(filters),
    values: Object.fromEntries(filters.map(({ name, value }) => [name, value])),
    // The counts of other filters include bookmarks that an organization's key may not see.
    narrowestCount: Math.min(
      ...filters.filter(({ kind }) => owner === null || kind === 'permission').map(({ bookmarks }) => bookmarks)
    ),
    count: filters.length,
    isBounded: false
  }
}

function joinConditions(filters: Filter[]): string {
  return filters.map(({ condition }) => condition).join(' AND ')
}

/** Returns the filters that limit a caller to what it may see: none for the profile. */
function permissionFilters(db: ReadConnection, { owner }: Caller): Filter[] {
  if (owner === null) return []
  const tokens = [filterToken.organization(owner), filterToken.visibility('public')]
  const condition = "(b.organization_id = @owner OR b.visibility = 'public')"
  return [
    { kind: 'permission', name: 'owner', value: owner, condition, tokens, bookmarks: countWithTokens(db, tokens) }
  ]
}

function negate(filter: Filter): Filter {
  return { ...filter, tokens: [], condition: `(${filter.condition}) IS NOT TRUE`, bookmarks: Infinity }
}
