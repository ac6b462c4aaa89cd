import type { ReadConnection } from '../../store/connection.ts'
import { foldWord, indexText } from '../segment.ts'

/** A library's size and common words, by which a search knows whether it may be slow. */
export interface CommonWords {
  /** Bookmarks, about. */
  bookmarks: number
  /** Tokens of the index that many bookmarks hold. */
  tokens: Set<string>
}

/** Bookmarks looked at: enough to meet a word that one in 300 holds several times. */
const SAMPLE = 4000

/** A token is common from this many of the sample on: about one bookmark in 670. */
const COMMON = 6

/** Of a long page, this much is looked at, in UTF-16 code units. */
const MOST_READ = 20_000

/** Estimates the library's common tokens from bookmarks taken evenly from all of it. */
export function commonWords(db: ReadConnection): CommonWords {
  const newest = db.prepare('SELECT ifnull(max(id), 0) FROM bookmarks').pluck().get() as number
  const one = db.prepare(
    `SELECT b.title, b.url, b.description, b.content,
       (SELECT substr(text, 1, ${MOST_READ}) FROM page_texts p WHERE p.bookmark_id = b.id) AS page, (SELECT group_concat(t.name, ' ') FROM bookmark_tags bt
       JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id) AS tags
     FROM bookmarks b WHERE b.id >= ? ORDER BY b.id LIMIT 1`
  )
  const counts = new Map<string, number>()
  for (let index = 0; index < Math.min(SAMPLE, newest); index++) {
    const row = one.get(1 + Math.floor((index * newest) / SAMPLE)) as Record<string, string | null> | undefined
    for (const token of row ? tokensOf(row) : []) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  const tokens = new Set<string>()
  for (const [token, count] of counts) if (count >= COMMON) tokens.add(token)
  return { bookmarks: newest, tokens }
}

function tokensOf(row: Record<string, string | null>): Set<string> {
  const text = indexText(Object.values(row).join(' ').slice(0, MOST_READ))
  return new Set([...text.matchAll(TOKEN)].map(([token]) => foldWord(token)))
}

const TOKEN = /[\p{L}\p{N}\p{M}]+/gu
