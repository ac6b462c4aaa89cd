import type { BookmarkFilter } from '../contract/bookmark.ts'

/** A part of a bookmark’s texts, as the index names it. */
export type Column = 'title' | 'tags' | 'address'

/** A word, or a phrase whose words must stand together. Never holds a quote, a control character or only punctuation. */
export interface Term {
  text: string
  phrase: boolean
  /** Whether it stands for every word that begins so. */
  prefix?: boolean | undefined
  /** The only part of a bookmark that counts. */
  column?: Column | undefined
  /** A phrase that no bookmark holds. */
  broken?: boolean | undefined
  /** The address that the text is. */
  address?: string | undefined
}

/** A tree of words and filters that a bookmark holds or not. */
export type QueryNode =
  | { term: Term }
  | { filter: BookmarkFilter }
  | { all: QueryNode[] }
  | { any: QueryNode[] }
  | { not: QueryNode }

/** A query in parts: one term of every group in `all` must match, and none of `none`. */
export interface ParsedQuery {
  all: Term[][]
  none: Term[]
  /** Filters of `tag:` and its like: all of them hold. */
  filters: BookmarkFilter[]
  /** Filters of `-tag:` and its like: none of them holds. */
  without: BookmarkFilter[]
  /** Parts that do not fit into those lists, such as `(tag:a OR site:b.example)`: each of them holds. */
  nodes: QueryNode[]
  /** By date instead of by how well it matches. */
  order?: 'oldest' | 'newest' | undefined
  /** Sentences on parts that were read otherwise than they look, or left out. */
  misread: string[]
  /** Parts that look like filters, and were read as words; of `node:fs` nobody knows a filter of that name. */
  unread: { sentence: string; isKnownName: boolean }[]
}

/** Puts a part that must hold where it belongs. */
export function place(query: ParsedQuery, node: QueryNode): void {
  if ('term' in node) query.all.push([node.term])
  else if ('filter' in node) addFilter(query.filters, node.filter)
  else if ('all' in node) for (const one of node.all) place(query, one)
  else if ('any' in node) placeAny(query, node.any)
  else placeNot(query, node.not)
}

function placeAny(query: ParsedQuery, nodes: QueryNode[]): void {
  const terms = nodes.flatMap((node) => ('term' in node ? node.term : []))
  const filters = nodes.flatMap((node) => ('filter' in node ? node.filter : []))
  const tags = filters.flatMap(({ tags: some }) => some ?? [])
  const marks = filters.flatMap(({ is }) => is ?? [])
  if (terms.length === nodes.length) query.all.push(terms)
  else if (tags.length === nodes.length) addFilter(query.filters, { anyTag: tags })
  else if (marks.length === nodes.length) addFilter(query.filters, { is: marks })
  else query.nodes.push({ any: nodes })
}

function placeNot(query: ParsedQuery, node: QueryNode): void {
  if ('term' in node) query.none.push(node.term)
  else if ('filter' in node) addFilter(query.without, node.filter)
  else if ('not' in node) place(query, node.not)
  else if ('any' in node) for (const one of node.any) placeNot(query, one)
  else query.nodes.push({ not: node })
}

/**
 * Maximum number of words in brackets with filters that only the row has, because each is looked up in the whole
 * library.
 */
const MAX_BESIDE_DATES = 4

/** Leaves out brackets with dates in which there are more words, together, than are looked up; `misread` says so. */
export function leaveOutCostly(query: ParsedQuery): void {
  let words = 0
  const cheap = query.nodes.filter((node) => {
    if (!filtersOf(node).some((one) => one.before !== undefined || one.after !== undefined || one.untagged)) return true
    words += termsOf({ all: [], none: [], nodes: [node] }).length
    return words <= MAX_BESIDE_DATES
  })
  if (cheap.length === query.nodes.length) return
  query.nodes = cheap
  query.misread.push(
    `At most ${MAX_BESIDE_DATES} words can stand in brackets with before:, after: or is:untagged; the others were left out.`
  )
}

/** Returns all filters in a part. */
export function filtersOf(node: QueryNode): BookmarkFilter[] {
  if ('filter' in node) return [node.filter]
  return 'term' in node ? [] : within(node).flatMap(filtersOf)
}

/** Adds a filter that is not among them yet. */
function addFilter(filters: BookmarkFilter[], filter: BookmarkFilter): void {
  const same = JSON.stringify(filter)
  if (!filters.some((one) => JSON.stringify(one) === same)) filters.push(filter)
}

/** Returns all terms of these parts. */
export function termsOf({ all, none, nodes }: Pick<ParsedQuery, 'all' | 'none' | 'nodes'>): Term[] {
  const terms = (node: QueryNode): Term[] => {
    if ('term' in node) return [node.term]
    return 'filter' in node ? [] : within(node).flatMap(terms)
  }
  return [...all.flat(), ...none, ...nodes.flatMap(terms)]
}

/** Returns the terms of a part that a bookmark may have, without those that it must not have. */
export function positiveTerms(node: QueryNode): Term[] {
  if ('term' in node) return [node.term]
  return 'filter' in node || 'not' in node ? [] : within(node).flatMap(positiveTerms)
}

function within(node: Exclude<QueryNode, { term: Term } | { filter: BookmarkFilter }>): QueryNode[] {
  return 'not' in node ? [node.not] : 'all' in node ? node.all : node.any
}

/** Returns whether a query has filters. */
export function hasFilter({ filters, without, nodes }: ParsedQuery): boolean {
  return filters.length + without.length + nodes.length > 0
}
