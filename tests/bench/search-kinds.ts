import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import MiniSearch from 'minisearch'
import type { BookmarkDraft } from '../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { parseAddress } from '../../src-main/core/address.ts'
import { pageKey } from '../../src-main/core/page-key.ts'
import { foldWord, indexText, queryTokens } from '../../src-main/search/segment.ts'
import { openReadConnection } from '../../src-main/store/connection.ts'
import { searchBookmarks } from '../../src-main/store/search/searches.ts'
import { randomFrom } from '../support/random.ts'
import type { Known } from './search-library.ts'

/** A way of asking for a bookmark that is known to be there. */
export interface KindQuery {
  kind: string
  q: string
  url: string
}

/** Bookmarks and questions in the format of a folder with `bookmarks.jsonl` and `queries.json`. */
export function readCorpus(folder: string): { drafts: BookmarkDraft[]; queries: KindQuery[] } {
  const lines = readFileSync(join(folder, 'bookmarks.jsonl'), 'utf8').trim().split('\n')
  const drafts = lines.flatMap((line, index): BookmarkDraft[] => {
    const { url, title, description, tags } = JSON.parse(line) as BookmarkDraft & { url: string }
    const address = parseAddress(url)
    const createdAt = 1_500_000_000_000 + index * 900_000
    return 'fault' in address ? [] : [{ type: 'link', ...address, title, description, content: '', tags, createdAt }]
  })
  const queries = JSON.parse(readFileSync(join(folder, 'queries.json'), 'utf8')) as KindQuery[]
  return { drafts, queries: [...queries, ...wholeTitles(drafts)] }
}

const TRIES = 150

/** Titles of one usual word, and of two. */
function wholeTitles(drafts: BookmarkDraft[]): KindQuery[] {
  const counts = new Map<string, number>()
  const words = ({ title }: BookmarkDraft) =>
    title
      .toLowerCase()
      .match(/^[a-z]{3,}( [a-z]{3,})?$/)?.[0]
      .split(' ')
  for (const { title, description } of drafts) {
    for (const word of new Set(`${title} ${description}`.toLowerCase().match(/[a-z]{3,}/g))) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  const usual = drafts.filter((draft) => words(draft)?.every((word) => (counts.get(word) ?? 0) > drafts.length / 400))
  return [1, 2].flatMap((length) =>
    usual
      .filter((draft) => words(draft)?.length === length)
      .slice(0, TRIES)
      .map(({ title, url }) => ({ kind: `whole title, ${length} usual`, q: title.toLowerCase(), url: url ?? '' }))
  )
}

/** Questions of kinds that need no language, for made-up bookmarks. */
export function syntheticQueries(sample: Known[]): KindQuery[] {
  const random = randomFrom(29)
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T
  const latin = sample.map((one) => ({
    ...one,
    words: one.title.split(' ').filter((word) => /^[a-z]{5,}$/.test(word))
  }))
  const han = sample.filter(({ title }) => !/[a-z]/.test(title) && [...title].length >= 8)
  const asked: KindQuery[] = []
  for (const { url, words } of latin.filter((one) => one.words.length >= 3)) {
    if (asked.length >= TRIES * 5) break
    const [a = '', b = '', c = ''] = words
    const other = pick(latin).words[0] ?? 'xylophone'
    const at = 1 + Math.floor(random() * (c.length - 2))
    asked.push({ kind: 'one word too many', q: `${a} ${other} ${b} ${c}`, url })
    asked.push({ kind: 'two words too many', q: `${a} ${other} ${b} ${pick(latin).words[0] ?? 'xylophone'} ${c}`, url })
    asked.push({ kind: 'a typo', q: `${a} ${b} ${c.slice(0, at)}${c.slice(at + 1)}`, url })
    asked.push({ kind: 'joined words', q: `${a}${words[1]} ${c}`, url })
    asked.push({ kind: 'three words', q: `${c} ${a} ${b}`, url })
  }
  for (const { title, url } of han.slice(0, TRIES)) {
    const characters = [...title]
    asked.push({ kind: 'Han, unspaced', q: [...characters.slice(0, 3), ...characters.slice(-3)].join(''), url })
  }
  return asked
}

export interface KindResult {
  tries: number
  /** By engine, how often the bookmark is among the first five. */
  found: Record<string, number>
  empty: number
  withoutHint: number
  /** Of our searches, in process, in milliseconds. */
  times: number[]
}

/** How often each engine has the bookmark among the first five, by kind, and what ours costs. */
export function measureKinds(file: string, queries: KindQuery[]): Record<string, KindResult> {
  const db = openReadConnection(file)
  const rows = db
    .prepare(
      `SELECT b.id, b.title, ifnull(b.url, '') AS url, b.description, ifnull((SELECT group_concat(t.name, ' ')
         FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id), '') AS tags FROM bookmarks b`
    )
    .all() as Texts[]
  const keys = new Map(rows.map(({ id, url }) => [id, keyOf(url)]))
  const engines = { ...fullText(rows), ...miniSearch(rows) }
  const results: Record<string, KindResult> = {}
  for (const { kind, q, url } of queries) {
    results[kind] ??= { tries: 0, found: {}, empty: 0, withoutHint: 0, times: [] }
    const result = results[kind]
    const wanted = keyOf(url)
    const count = (name: string, found: string[]) => {
      result.found[name] = (result.found[name] ?? 0) + (found.includes(wanted) ? 1 : 0)
    }
    const begun = performance.now()
    const ours = searchBookmarks(db, PROFILE, { words: q, page: 1, limit: 5 })
    result.times.push(performance.now() - begun)
    result.tries += 1
    if (ours.total === 0) result.empty += 1
    if (ours.total === 0 && !ours.note) result.withoutHint += 1
    count(
      'ours',
      ours.bookmarks.map((one) => keyOf(one.url ?? ''))
    )
    for (const [name, search] of Object.entries(engines))
      count(
        name,
        search(q).map((id) => keys.get(id) ?? '')
      )
  }
  db.close()
  return results
}

interface Texts {
  id: number
  title: string
  url: string
  description: string
  tags: string
}

type Engine = (query: string) => number[]

function keyOf(url: string): string {
  return url === '' ? '' : pageKey(url)
}

function tokens(text: string): string[] {
  return [...indexText(text).matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(([word]) => foldWord(word))
}

function queryWords(query: string): string[] {
  return query.split(' ').flatMap((word) => queryTokens(word).tokens.map(foldWord))
}

/** bm25 over all words, over any, and over any by their stems. */
function fullText(rows: Texts[]): Record<string, Engine> {
  const memory = new Sqlite(':memory:')
  for (const [name, tokenize] of [
    ['plain', 'unicode61 remove_diacritics 2'],
    ['porter', 'porter unicode61 remove_diacritics 2']
  ]) {
    memory.exec(`CREATE VIRTUAL TABLE ${name} USING fts5 (title, tags, url, description, tokenize = "${tokenize}")`)
    const add = memory.prepare(`INSERT INTO ${name} (rowid, title, tags, url, description) VALUES (?, ?, ?, ?, ?)`)
    memory.transaction(() => {
      for (const { id, title, tags, url, description } of rows) {
        add.run(id, indexText(title), indexText(tags), indexText(url), indexText(description))
      }
    })()
  }
  const ask = (table: string, joint: string): Engine => {
    const search = memory
      .prepare(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? ORDER BY bm25(${table}, 10, 8, 4, 2) LIMIT 5`)
      .pluck()
    return (query) =>
      search.all(
        queryWords(query)
          .map((word) => `"${word}"`)
          .join(joint) || '"x"'
      ) as number[]
  }
  return { 'bm25 AND': ask('plain', ' AND '), 'bm25 OR': ask('plain', ' OR '), 'Porter OR': ask('porter', ' OR ') }
}

function miniSearch(rows: Texts[]): Record<string, Engine> {
  const fields = ['title', 'tags', 'url', 'description']
  const index = new MiniSearch<Texts>({ fields, tokenize: tokens, processTerm: (term) => term })
  index.addAll(rows)
  const boost = { title: 10, tags: 8, url: 4, description: 2 }
  const ask =
    (options: object): Engine =>
    (query) =>
      index
        .search(query, { combineWith: 'OR', boost, tokenize: queryWords, ...options })
        .slice(0, 5)
        .map(({ id }) => id as number)
  return { 'MiniSearch OR': ask({}), 'MiniSearch fuzzy': ask({ fuzzy: 0.2, prefix: true }) }
}
