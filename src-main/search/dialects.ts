/**
 * Translates the syntax of agents and other search engines into the query language of `query.ts`: function calls, `||`,
 * `NEAR(…)`, Lucene’s weights, curly quotes. The patterns are applied in this order.
 */
const REWRITINGS: [pattern: RegExp, replacement: string][] = [
  // bookmarks.search("rust http"), search('rust http');
  [/^\s*[\w.]*search\w*\(\s*(?:\{\s*\w+\s*:\s*)?(["'`])(.*)\1[^"'`]*\)\s*;?\s*$/is, '$2'],
  // query=rust http, search for: rust http
  [/^\s*(?:search|query|q|keywords?|find|look)(?:\s+for)?\s*[:=]\s*/i, ''],
  [/[“”„«»]/g, '"'],
  [/\s\|\|?\s/g, ' OR '],
  [/\s&&?\s/g, ' '],
  // rust|go|zig
  [/(?<![^\s(])([\p{L}\p{N}-]+(?:\|[\p{L}\p{N}-]+)+)(?![^\s)])/gu, '($1)'],
  [/(?<=\([^\s()]*)\|(?=[^\s()]*\))/g, ' OR '],
  // FTS5 and Lucene: NEAR(rust http, 5), rust^2, rust~1, +rust
  [/\bNEAR(?:\/\d+)?\s*\(([^()]*?)(?:,\s*\d+\s*)?\)/g, '($1)'],
  [/(?<=[\p{L}\p{N}"])(?:\^\d+(?:\.\d+)?|~\d*)(?![^\s)])/gu, ''],
  [/(?<![^\s("])[+*]+(?=[\p{L}\p{N}"])/gu, ''],
  // 2024/05/01..2024/06/01
  [/(?<![^\s(])(\d{4}(?:[-/]\d{1,2}){0,2})\.\.(\d{4}(?:[-/]\d{1,2}){0,2})(?![^\s)])/g, 'from:$1 to:$2']
]

/** Translates a query from the syntax of other programs into the query language. */
export function readDialect(text: string): string {
  const query = /^\s*[[{]/.test(text) ? readJson(text) : text
  return REWRITINGS.reduce((rewritten, [pattern, replacement]) => rewritten.replace(pattern, replacement), query)
}

/** Reads `{"query": "rust", "tags": ["web"]}` as `rust tags:"web"`. A text that is not JSON is returned unchanged. */
function readJson(text: string): string {
  try {
    return queryParts(JSON.parse(text)).join(' ')
  } catch {
    return text
  }
}

function queryParts(value: unknown, key?: string): string[] {
  if (typeof value === 'string') return [key && FILTER_KEY.test(key) ? `${key}:"${value.replaceAll('"', ' ')}"` : value]
  if (Array.isArray(value)) return value.flatMap((item) => queryParts(item, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => queryParts(item, key))
}

/** JSON keys whose strings are filters. */
const FILTER_KEY = /^(?:tags?|labels?|site|domain|type|before|after|since|until)$/i

/** A query that excludes something in words: `rust but not the official one` is read as `rust -official`. */
export interface ExclusionPhrase {
  /** The query with `-word` instead of the phrase. */
  words: string
  /** The phrase as typed. */
  typed: string
  /** The excluded word. */
  excluded: string
}

const ONES = '(?: (?:one|ones|version|versions|edition))?'
const WORD = "([\\p{L}\\p{N}][\\p{L}\\p{N}.+#'-]*)"

/** “but not the official one”, “without ads”, at the end of a query. */
const EXCLUSIONS = [
  RegExp(
    `[, ]+(?:but |and )?(?:not|no) (?:the |a |an |from |by |in )?${WORD} (?:one|ones|version|versions|edition)$`,
    'iu'
  ),
  RegExp(`[, ]+but (?:not|no|isn't|is not) (?:the |a |an |from |by |in |for )?${WORD}${ONES}$`, 'iu'),
  RegExp(`[, ]+(?:without|except|excluding|other than) (?:the |a |an |from |any )?${WORD}${ONES}$`, 'iu')
]

/** Reads an exclusion in words; returns `undefined` if there is none, or if the query has quotes. */
export function readExclusion(text: string): ExclusionPhrase | undefined {
  if (text.includes('"')) return undefined
  const query = text.trim().replace(/[?.!]+$/, '')
  for (const pattern of EXCLUSIONS) {
    const match = pattern.exec(query)
    const [typed = '', excluded = ''] = match ?? []
    if (match && match.index > 0)
      return { words: `${query.slice(0, match.index)} -${excluded}`, typed: typed.replace(/^[, ]+/, ''), excluded }
  }
  return undefined
}
