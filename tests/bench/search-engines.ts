/** Search engines over the same library. All but LIKE split texts into the same words; all return five rows of the file. */
import Sqlite from 'better-sqlite3'
import FlexSearch from 'flexsearch'
import MiniSearch from 'minisearch'
import { PROFILE } from '../../src-main/contract/caller.ts'
import type { openReadConnection } from '../../src-main/database/connection.ts'
import { foldWord, indexText, queryTokens } from '../../src-main/search/segment.ts'
import { searchBookmarks } from '../../src-main/store/search/searches.ts'

export type Engine = (words: string) => { url: string | null }[]

const FIELDS = ['title', 'tags', 'url', 'description', 'content'] as const
const BOOST = { title: 10, tags: 8, url: 4, description: 2 }

type Texts = Record<(typeof FIELDS)[number], string> & { id: number }

/** Returns the engines by name. Calling one builds its index. */
export function engines(db: ReturnType<typeof openReadConnection>): Record<string, () => Engine> {
  const row = db.prepare('SELECT public_id, title, url, description, domain FROM bookmarks WHERE id = ?')
  const rows = (ids: number[]) => ids.slice(0, 5).map((id) => row.get(id) as { url: string })

  function* allTexts(): Generator<Texts> {
    const newest = db.prepare('SELECT max(id) FROM bookmarks').pluck().get() as number
    const batch = db.prepare(
      `SELECT b.id, b.title, ifnull(b.url, '') AS url, b.description, b.content, ifnull((SELECT group_concat(t.name, ' ')
         FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id), '') AS tags
       FROM bookmarks b WHERE b.id > ? AND b.id <= ?`
    )
    for (let from = 0; from < newest; from += 5000) yield* batch.all(from, from + 5000) as Texts[]
  }

  function like(): Engine {
    return (words) => {
      const parts = words.split(' ')
      const condition = '(title LIKE ? OR url LIKE ? OR description LIKE ? OR content LIKE ?)'
      const conditions = parts.map(() => condition).join(' AND ')
      const find = db.prepare(`SELECT id FROM bookmarks WHERE ${conditions} ORDER BY id DESC LIMIT 5`).pluck()
      return rows(find.all(parts.flatMap((part) => Array(4).fill(`%${part}%`))) as number[])
    }
  }

  /** Weighted bm25 in a plain full-text index. */
  function bm25(joint: ' AND ' | ' OR ', stemmer = ''): Engine {
    const memory = new Sqlite(':memory:')
    const tokenizer = `${stemmer}unicode61 remove_diacritics 2`
    memory.exec(`CREATE VIRTUAL TABLE texts USING fts5 (${FIELDS}, tokenize = "${tokenizer}")`)
    const add = memory.prepare(`INSERT INTO texts (rowid, ${FIELDS}) VALUES (?, ?, ?, ?, ?, ?)`)
    memory.transaction(() => {
      for (const texts of allTexts()) add.run(texts.id, ...FIELDS.map((field) => indexText(texts[field])))
    })()
    const find = memory
      .prepare('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 10, 8, 4, 2, 1) LIMIT 5')
      .pluck()
    const quote = (word: string) => `"${word}"`
    return (words) => rows(find.all(queryWords(words).map(quote).join(joint) || '"x"') as number[])
  }

  function miniSearch(options: object): Engine {
    const index = new MiniSearch<Texts>({ fields: [...FIELDS], tokenize, processTerm: (term) => term })
    for (const texts of allTexts()) index.add(texts)
    const usual = { boost: BOOST, tokenize: queryWords }
    return (words) => rows(index.search(words, { ...usual, ...options }).map(({ id }) => id as number))
  }

  function flexSearch(): Engine {
    const index = new FlexSearch.Index({ tokenize: 'strict', encode: tokenize })
    for (const texts of allTexts()) index.add(texts.id, FIELDS.map((field) => texts[field]).join(' '))
    return (words) => rows(index.search(words, { limit: 5 }) as number[])
  }

  return {
    ours: () => (words) => searchBookmarks(db, PROFILE, { words, page: 1, limit: 5 }).bookmarks,
    LIKE: like,
    MiniSearch: () => miniSearch({ combineWith: 'AND' }),
    FlexSearch: flexSearch,
    'bm25 AND': () => bm25(' AND '),
    'bm25 OR': () => bm25(' OR '),
    'Porter OR': () => bm25(' OR ', 'porter '),
    'MiniSearch OR': () => miniSearch({ combineWith: 'OR' }),
    'MiniSearch fuzzy': () => miniSearch({ combineWith: 'OR', fuzzy: 0.2, prefix: true })
  }
}

function tokenize(text: string): string[] {
  return [...indexText(text).matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(([word]) => foldWord(word))
}

function queryWords(words: string): string[] {
  return words.split(' ').flatMap((word) => queryTokens(word).tokens.map(foldWord))
}
