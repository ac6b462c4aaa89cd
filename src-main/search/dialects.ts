/**
 * Reads what agents and other search engines write into the query language (`query.ts`): JSON, function calls, `||`,
 * `NEAR(…)`, Lucene’s weights, curly quotes. Each line of the table is one habit.
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

/** Returns a query with what other programs mean by it written as the query language has it. */
export function readDialect(text: string): string {
  const words = /^\s*[[{]/.test(text) ? wordsOfJson(text) : text
  return REWRITINGS.reduce((read, [pattern, replacement]) => read.replace(pattern, replacement), words)
}

/** Returns the texts of JSON as words, and those of a name such as `tags` as filters; a text that is no JSON as it is. */
function wordsOfJson(text: string): string {
  try {
    return wordsOf(JSON.parse(text)).join(' ')
  } catch {
    return text
  }
}

function wordsOf(value: unknown, name?: string): string[] {
  if (typeof value === 'string') return [name && NAMED.test(name) ? `${name}:"${value.replaceAll('"', ' ')}"` : value]
  if (Array.isArray(value)) return value.flatMap((one) => wordsOf(one, name))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => wordsOf(one, key))
}

/** Names of JSON whose texts are filters. */
const NAMED = /^(?:tags?|labels?|site|domain|type|before|after|since|until)$/i

/** A question with its exclusion in words, such as “but not the official one”, read as `-official`. */
export interface ExclusionPhrase {
  /** The question with `-word` in its place. */
  words: string
  /** As it was typed. */
  typed: string
  excluded: string
}

const ONES = '(?: (?:one|ones|version|versions|edition))?'
const WORD = "([\\p{L}\\p{N}][\\p{L}\\p{N}.+#'-]*)"

/** “but not the official one”, “without ads”, at the end of a question. */
const PATTERNS = [
  RegExp(
    `[, ]+(?:but |and )?(?:not|no) (?:the |a |an |from |by |in )?${WORD} (?:one|ones|version|versions|edition)$`,
    'iu'
  ),
  RegExp(`[, ]+but (?:not|no|isn't|is not) (?:the |a |an |from |by |in |for )?${WORD}${ONES}$`, 'iu'),
  RegExp(`[, ]+(?:without|except|excluding|other than) (?:the |a |an |from |any )?${WORD}${ONES}$`, 'iu')
]

/** Reads an exclusion in words; `undefined` if there is none, or if something is in quotes. */
export function readExclusion(text: string): ExclusionPhrase | undefined {
  if (text.includes('"')) return undefined
  const plain = text.trim().replace(/[?.!]+$/, '')
  for (const pattern of PATTERNS) {
    const match = pattern.exec(plain)
    const [typed = '', excluded = ''] = match ?? []
    if (match && match.index > 0)
      return { words: `${plain.slice(0, match.index)} -${excluded}`, typed: typed.replace(/^[, ]+/, ''), excluded }
  }
  return undefined
}
