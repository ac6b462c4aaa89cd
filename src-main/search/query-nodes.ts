import type { BookmarkFilter } from '../contract/bookmark.ts'

/** A column of the full-text index that a query can name. */
export type Column = 'title' | 'tags' | 'address'

/** A word, or a phrase whose words must be adjacent. Has no quote or control character, and not only punctuation. */
export interface Term {
  text: string
  phrase: boolean
  /** Whether every word with this beginning matches. */
  prefix?: boolean | undefined
  /** Only this column is searched. */
  column?: Column | undefined
  /** Whether this was a phrase in quotes that no bookmark has, so that its words are searched instead. */
  broken?: boolean | undefined
  /** The normalized URL, if the text is an address. */
  address?: string | undefined
}

/** A tree of words and filters that a bookmark matches or not. */
export type QueryNode =
  | { term: Term }
  | { filter: BookmarkFilter }
  | { all: QueryNode[] }
  | { any: QueryNode[] }
  | { not: QueryNode }

/** A parsed query. */
export interface ParsedQuery {
  /** One term of each inner list must match: `rust (go OR zig)` is `[[rust], [go, zig]]`. */
  all: Term[][]
  excludedTerms: Term[]
  /** Filters that must all match, such as `tag:a`. */
  filters: BookmarkFilter[]
  /** Filters that must not match, such as `-tag:a`. */
  excludedFilters: BookmarkFilter[]
  /** Other parts that must all match, such as `(tag:a OR site:b.example)`. */
  nodes: QueryNode[]
  /** The order by date; `undefined` orders by relevance. */
  order?: 'oldest' | 'newest' | undefined
  /** A sentence for each part that was read differently from what was typed, or was left out. */
  misread: string[]
  /**
   * A sentence for each part that looks like a filter and was read as words. `isKnownName` is false for names that are
   * no filter in any program, such as `node` in `node:fs`.
   */
  invalidFilters: { sentence: string; isKnownName: boolean }[]
}

/** Adds a part that must match to the list for its kind. */
export function addPart(query: ParsedQuery, node: QueryNode): void {
  if ('term' in node) query.all.push([node.term])
  else if ('filter' in node) addFilter(query.filters, node.filter)
  else if ('all' in node) for (const child of node.all) addPart(query, child)
  else if ('any' in node) addAny(query, node.any)
  else addNot(query, node.not)
}

function addAny(query: ParsedQuery, nodes: QueryNode[]): void {
  const terms = nodes.flatMap((node) => ('term' in node ? node.term : []))
  const filters = nodes.flatMap((node) => ('filter' in node ? node.filter : []))
  const tags = filters.flatMap((filter) => filter.tags ?? [])
  const linkMarks = filters.flatMap(({ is }) => is ?? [])
  if (terms.length === nodes.length) query.all.push(terms)
  else if (tags.length === nodes.length) addFilter(query.filters, { anyTag: tags })
  else if (linkMarks.length === nodes.length) addFilter(query.filters, { is: linkMarks })
  else query.nodes.push({ any: nodes })
}

function addNot(query: ParsedQuery, node: QueryNode): void {
  if ('term' in node) query.excludedTerms.push(node.term)
  else if ('filter' in node) addFilter(query.excludedFilters, node.filter)
  else if ('not' in node) addPart(query, node.not)
  else if ('any' in node) for (const child of node.any) addNot(query, child)
  else query.nodes.push({ not: node })
}

/**
 * Maximum number of words in all brackets that also contain a date or `is:untagged`. The index cannot check those
 * filters, so each word costs a search of the whole library.
 */
const MAX_BESIDE_DATES = 4

/** Removes brackets with dates or `is:untagged` once their words exceed the maximum, and adds a note to `misread`. */
export function removeCostlyNodes(query: ParsedQuery): void {
  let words = 0
  const cheap = query.nodes.filter((node) => {
    const filters = filtersOf(node)
    if (!filters.some(({ before, after, untagged }) => before !== undefined || after !== undefined || untagged)) {
      return true
    }
    words += termsOf({ all: [], excludedTerms: [], nodes: [node] }).length
    return words <= MAX_BESIDE_DATES
  })
  if (cheap.length === query.nodes.length) return
  query.nodes = cheap
  query.misread.push(
    `At most ${MAX_BESIDE_DATES} words can stand in brackets with before:, after: or is:untagged; the others were left out.`
  )
}

/**
 * Makes short prefixes plain words: one letter (`a*`) unless it is the whole query, and all but the first of two letters
 * (`ab*`). With 100,000 bookmarks, each search for one letter takes 30 ms.
 */
export function limitPrefixes(query: ParsedQuery): void {
  const terms = termsOf(query)
  const short = terms.filter(({ prefix, text }) => prefix === true && [...text].length <= 2)
  const costly = short.filter(({ text }, index) => index > 0 || ([...text].length < 2 && terms.length > 1))
  for (const term of costly) term.prefix = false
  if (costly.length > 0) {
    query.misread.push('A beginning of one letter is searched only by itself, and of two letters (ab*) only once.')
  }
}

/** Returns all filters in a node, also negated ones. */
export function filtersOf(node: QueryNode): BookmarkFilter[] {
  if ('filter' in node) return [node.filter]
  return 'term' in node ? [] : childrenOf(node).flatMap(filtersOf)
}

/** Adds a filter unless the list already has an equal one. */
function addFilter(filters: BookmarkFilter[], filter: BookmarkFilter): void {
  const json = JSON.stringify(filter)
  if (!filters.some((other) => JSON.stringify(other) === json)) filters.push(filter)
}

export function termsOf({ all, excludedTerms, nodes }: Pick<ParsedQuery, 'all' | 'excludedTerms' | 'nodes'>): Term[] {
  const terms = (node: QueryNode): Term[] => {
    if ('term' in node) return [node.term]
    return 'filter' in node ? [] : childrenOf(node).flatMap(terms)
  }
  return [...all.flat(), ...excludedTerms, ...nodes.flatMap(terms)]
}

/** Returns the terms of a node without negated ones. */
export function positiveTerms(node: QueryNode): Term[] {
  if ('term' in node) return [node.term]
  return 'filter' in node || 'not' in node ? [] : childrenOf(node).flatMap(positiveTerms)
}

export function childrenOf(node: Exclude<QueryNode, { term: Term } | { filter: BookmarkFilter }>): QueryNode[] {
  return 'not' in node ? [node.not] : 'all' in node ? node.all : node.any
}

export function hasFilter({ filters, excludedFilters, nodes }: ParsedQuery): boolean {
  return filters.length + excludedFilters.length + nodes.length > 0
}
