import { type ParsedQuery, parseQuery, type Term } from '../core/parse-query.ts'
import type { WriteConnection } from './connection.ts'

/** The texts a bookmark is found by. */
export interface IndexedTexts {
  title: string
  tags: string[]
  url: string | null
  description: string
  content: string
}

/** Keeps the full-text index beside the rows; call it inside the transaction that changes the row. */
export function bookmarkIndex(db: WriteConnection) {
  const insert = db.prepare(
    'INSERT INTO bookmark_words (rowid, title, tags, address, description, content) VALUES (?, ?, ?, ?, ?, ?)'
  )
  return {
    add(rowId: number, texts: IndexedTexts): void {
      const address = texts.url === null ? '' : readable(texts.url)
      insert.run(rowId, texts.title, texts.tags.join(' , '), address, texts.description, texts.content)
    }
  }
}

/** How a page of matches is joined and ordered: title and tags count most, then the address, then the rest. */
export const MATCHED = {
  from: 'bookmark_words JOIN bookmarks b ON b.id = bookmark_words.rowid',
  where: 'bookmark_words MATCH @match',
  order: 'bm25(bookmark_words, 10, 8, 4, 2, 1), b.id DESC'
} as const

/**
 * The FTS5 expressions to try for what a person typed, the first that finds something wins: all words as they are,
 * then the last word as the beginning of one. `except` stands for words that must not match, where no other must.
 */
export function matchExpressions(text: string): { try: string[] } | { except: string } {
  const query = parseQuery(text)
  if (query.all.length === 0) {
    return query.none.length === 0 ? { try: [] } : { except: query.none.map(quote).join(' OR ') }
  }
  const last = query.all.at(-1)?.at(-1)
  const exact = expression(query, quote)
  if (!last || last.phrase) return { try: [exact] }
  return { try: [exact, expression(query, (term) => (term === last ? `${quote(term)}*` : quote(term)))] }
}

function expression(query: ParsedQuery, write: (term: Term) => string): string {
  const all = query.all.map((group) => `(${group.map(write).join(' OR ')})`).join(' AND ')
  return query.none.length === 0 ? all : `(${all}) NOT (${query.none.map(quote).join(' OR ')})`
}

/** Nothing reaches FTS5 unquoted: raw text is a syntax error as often as not. */
function quote(term: Term): string {
  return `"${term.text.replaceAll('"', '""')}"`
}

/** The words of an address: percent-encoding undone, so that `%E6%97%A5` is found by its character. */
function readable(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
