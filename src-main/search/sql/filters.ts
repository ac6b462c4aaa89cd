import type { AskedFilter } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { siteOf } from '../../core/address.ts'
import { foldName } from '../../core/fold-name.ts'
import type { ReadConnection } from '../../store/connection.ts'
import { readValue } from '../../store/statements.ts'
import { filterToken } from '../filter-tokens.ts'
import { marksOfBoth, type ParsedQuery } from '../query.ts'
import { countAll, countOf } from './filter-counts.ts'

/** One filter, as the full-text index and as the rows know it. */
export interface Filter {
  kind: 'permission' | 'type' | 'visibility' | 'organization' | 'domain' | 'tag' | 'link' | 'date' | 'untagged'
  /** The name its value is bound to. No two filters of a query share one. */
  name: string
  value: string | number
  /** SQL on `bookmarks b`. */
  condition: string
  /** The index's tokens: a bookmark passes that has one of them. Empty where only the row tells. */
  tokens: string[]
  /** How many bookmarks pass; `Infinity` where that is not counted. */
  bookmarks: number
}

/** Filters divided into those that join a full-text match and those that are checked on the row. */
export interface FilterPlan {
  /** Of each filter that joins a full-text match, the tokens of which one must be there. */
  tokens: string[][]
  /** The other filters as SQL on `bookmarks b`; empty where there is none. */
  rowCondition: string
  /** All filters as SQL on `bookmarks b`, for where nothing is matched; empty where there is none. */
  condition: string
  values: Record<string, string | number>
  /** How many bookmarks pass the narrowest filter; `Infinity` without filters. */
  narrowest: number
  /** How many filters there are. */
  count: number
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
  beside: AskedFilter,
  parsed: ParsedQuery | undefined
): FilterPlan | undefined {
  const all = [{ ...beside, is: marksOfBoth(beside.is, parsed?.is) }, ...(parsed?.filters ?? [])]
  // A key of an organization takes the same way whether a tag is unknown or only on bookmarks it may not see.
  const unknownTag = caller.owner === null ? undefined : NO_TAG
  const wanted = all.map((filter, index) => readFilters(db, filter, index === 0 ? '' : `_${index}`, unknownTag))
  if (wanted.includes(undefined)) return undefined
  const excluded = (parsed?.without ?? []).flatMap((filter, index) => readFilters(db, filter, `_not${index}`) ?? [])
  return planFilters(db, [
    ...permissionOf(db, caller),
    ...wanted.flatMap((filters) => filters ?? []),
    ...excluded.map(negate)
  ])
}

/** Plans what a caller may see, without any other filter. */
export function planPermission(db: ReadConnection, caller: Caller): FilterPlan {
  return planFilters(db, permissionOf(db, caller))
}

/** Returns about how many bookmarks the caller may see. Those it may not see must not even weigh words. */
export function countVisible(db: ReadConnection, caller: Caller): number {
  return caller.owner === null ? countAll(db) : planPermission(db, caller).narrowest
}

function planFilters(db: ReadConnection, filters: Filter[]): FilterPlan {
  const total = filters.length === 0 ? 0 : countAll(db)
  const isNarrow = ({ tokens, bookmarks }: Filter) => tokens.length > 0 && bookmarks <= total * WIDE
  return {
    tokens: filters.filter(isNarrow).map(({ tokens }) => tokens),
    rowCondition: joinConditions(filters.filter((filter) => !isNarrow(filter))),
    condition: joinConditions(filters),
    values: Object.fromEntries(filters.map(({ name, value }) => [name, value])),
    narrowest: Math.min(...filters.map(({ bookmarks }) => bookmarks)),
    count: filters.length
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

/** The id of no tag. */
const NO_TAG = 0

/**
 * Reads the filters that a query has in one place.
 *
 * @param suffix of the names that values are bound to, a different one for each place of a query
 * @param unknownTag the id that stands for a tag that does not exist
 * @returns `undefined` where no bookmark can pass, because a tag does not exist and nothing stands for it
 */
export function readFilters(
  db: ReadConnection,
  asked: AskedFilter,
  suffix = '',
  unknownTag?: number
): Filter[] | undefined {
  const filters: Filter[] = []
  const add = (
    kind: Filter['kind'],
    key: string,
    value: string | number,
    condition: (name: string) => string,
    tokens: string[] = []
  ) => {
    const name = `${key}${suffix}`
    const bookmarks = tokens.length === 0 ? Infinity : countAny(db, tokens)
    filters.push({ kind, name, value, condition: condition(name), tokens, bookmarks })
  }
  const { type, visibility, organization, domain, tags = [], anyTag, is, before, after, untagged } = asked
  if (type) add('type', 'type', type, (name) => `b.type = @${name}`, [filterToken.type(type)])
  if (visibility) {
    add('visibility', 'visibility', visibility, (name) => `b.visibility = @${name}`, [
      filterToken.visibility(visibility)
    ])
  }
  if (organization !== undefined) {
    const token = filterToken.organization(organization)
    add('organization', 'organization', organization, (name) => `b.organization_id = @${name}`, [token])
  }
  if (domain) add('domain', 'domain', siteOf(domain), (name) => isOfSite('b', name), [filterToken.site(siteOf(domain))])
  if (is) {
    if (is.length === 0) return undefined
    add('link', 'is', JSON.stringify(is), hasMark, is.map(filterToken.link))
  }
  if (before !== undefined) add('date', 'before', before, (name) => `b.created_at < @${name}`)
  if (after !== undefined) add('date', 'after', after, (name) => `b.created_at >= @${name}`)
  if (untagged) add('untagged', 'untagged', 1, (name) => `@${name} = 1 AND ${IS_UNTAGGED}`)
  if (anyTag) {
    const ids = anyTag.flatMap((tag) => findTag(db, tag) ?? unknownTag ?? [])
    if (ids.length === 0) return undefined
    add('tag', 'anyTag', JSON.stringify(ids), hasAnyTag, ids.map(filterToken.tag))
  }
  for (const [index, tag] of tags.entries()) {
    const id = findTag(db, tag) ?? unknownTag
    if (id === undefined) return undefined
    add('tag', `tag${index}`, id, hasTag, [filterToken.tag(id)])
  }
  return filters
}

function countAny(db: ReadConnection, tokens: string[]): number {
  return tokens.reduce((sum, token) => sum + countOf(db, token), 0)
}

function findTag(db: ReadConnection, name: string): number | undefined {
  return readValue(db, 'SELECT id FROM tags WHERE folded = ?', foldName(name))
}

function hasMark(name: string): string {
  return `EXISTS (SELECT 1 FROM link_checks l
    WHERE l.bookmark_id = b.id AND l.mark IN (SELECT value FROM json_each(@${name})))`
}

function hasTag(name: string): string {
  return `EXISTS (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = b.id AND bt.tag_id = @${name})`
}

function hasAnyTag(name: string): string {
  return `EXISTS (SELECT 1 FROM bookmark_tags bt
    WHERE bt.bookmark_id = b.id AND bt.tag_id IN (SELECT value FROM json_each(@${name})))`
}

const IS_UNTAGGED = 'NOT EXISTS (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = b.id)'

/** Returns the SQL that a row's domain is the bound one, or below it. */
export function isOfSite(alias: string, name = 'domain'): string {
  return `(${alias}.domain = @${name} OR substr(${alias}.domain, -length(@${name}) - 1) = '.' || @${name})`
}
