/**
 * A process that searches the bench's library in its own memory, for `bench -- search` to ask: Earmark's store, a LIKE
 * scan, MiniSearch or FlexSearch. All but LIKE cut texts into the same words; all answer with five rows from the file.
 */
import { readFileSync } from 'node:fs'
import FlexSearch from 'flexsearch'
import MiniSearch from 'minisearch'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { foldWord, indexText, queryTokens } from '../../src-main/search/segment.ts'
import { openReadConnection } from '../../src-main/store/connection.ts'
import { searchBookmarks } from '../../src-main/store/search/searches.ts'

const [kind = '', file = ''] = process.argv.slice(2)
const db = openReadConnection(file)
const row = db.prepare('SELECT public_id, title, url, description, domain FROM bookmarks WHERE id = ?')
const rows = (ids: number[]) => ids.map((id) => row.get(id))

interface Texts {
  id: number
  title: string
  url: string
  description: string
  content: string
  tags: string
}

/** The same words for every engine. */
function tokens(text: string): string[] {
  return [...indexText(text).matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(([word]) => foldWord(word))
}

function queryWords(words: string): string[] {
  return words.split(' ').flatMap((word) => queryTokens(word).tokens.map(foldWord))
}

function* everyRow(): Generator<Texts> {
  const newest = db.prepare('SELECT max(id) FROM bookmarks').pluck().get() as number
  const some = db.prepare(
    `SELECT b.id, b.title, b.url, b.description, b.content, ifnull((SELECT group_concat(t.name, ' ')
       FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id), '') AS tags
     FROM bookmarks b WHERE b.id > ? AND b.id <= ?`
  )
  for (let from = 0; from < newest; from += 5000) yield* some.all(from, from + 5000) as Texts[]
}

const FIELDS = ['title', 'tags', 'url', 'description', 'content'] as const

const engines: Record<string, () => (words: string) => unknown> = {
  ours() {
    return (words) => searchBookmarks(db, PROFILE, { words, page: 1, limit: 5 })
  },
  LIKE() {
    return (words) => {
      const one = '(title LIKE ? OR url LIKE ? OR description LIKE ? OR content LIKE ?)'
      const parts = words.split(' ')
      const sql = `SELECT id FROM bookmarks WHERE ${parts.map(() => one).join(' AND ')} ORDER BY id DESC LIMIT 5`
      const values = parts.flatMap((part) => Array(4).fill(`%${part}%`) as string[])
      return rows(db.prepare(sql).pluck().all(values) as number[])
    }
  },
  MiniSearch() {
    const index = new MiniSearch<Texts>({ fields: [...FIELDS], tokenize: tokens, processTerm: (term) => term })
    for (const one of everyRow()) index.add(one)
    const boost = { title: 10, tags: 8, url: 4, description: 2 }
    const options = { combineWith: 'AND', boost, tokenize: queryWords } as const
    return (words) => {
      const found = index.search(words, options)
      return rows(found.slice(0, 5).map(({ id }) => id as number))
    }
  },
  FlexSearch() {
    const index = new FlexSearch.Index({ tokenize: 'strict', encode: tokens })
    for (const one of everyRow()) index.add(one.id, FIELDS.map((field) => one[field]).join(' '))
    return (words) => rows(index.search(words, { limit: 5 }) as number[])
  }
}

const begun = performance.now()
const search = engines[kind]?.()
const built = (performance.now() - begun) / 1000
process.on('disconnect', () => process.exit())
process.on('message', (queries: string[]) => {
  const times = queries.map((words) => {
    const started = performance.now()
    search?.(words)
    return performance.now() - started
  })
  const memory = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))
  process.send?.({ times, memoryMB: Math.round(Number(memory?.[1] ?? 0) / 1024), builtSeconds: Math.round(built) })
})
process.send?.('ready')
