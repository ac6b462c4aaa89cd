/**
 * `npm run bench -- search [--rows N] [--rounds R] [--folder DIR] [--kinds] [--no-peers] [--check]`: how well a known bookmark is
 * found, and what a search costs over the endpoint and in process, beside the least it could cost and beside other search
 * engines, on the same library in the same run. Writes `tests/.results/bench-search-N.json` too. With `--folder` the library
 * stays there for the next run. With `--kinds` only the kinds of questions are measured.
 */
import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { pageKey } from '../../src-main/core/page-key.ts'
import { openReadConnection } from '../../src-main/database/connection.ts'
import { openLibraryFile } from '../../src-main/database/library-file.ts'
import { createMatch, exclusionExpression } from '../../src-main/search/match.ts'
import { parseQuery } from '../../src-main/search/query.ts'
import { saveBookmarks } from '../../src-main/store/bookmarks/bookmark-writes.ts'
import { searchBookmarks } from '../../src-main/store/search/searches.ts'
import { buildLibrary, createCorpus, PLACEMENT } from '../support/library.ts'
import {
  checkTargets,
  type Distribution,
  distribution,
  printTable,
  type Server,
  startServer,
  type Target,
  tempFolder
} from './harness.ts'
import { loadEach, post, toolCall } from './load.ts'
import { engines } from './search-engines.ts'
import {
  hardQueries,
  loosenedQueries,
  makeQuestions,
  mixedQueries,
  plainQueries,
  type Query,
  type Question,
  readSample
} from './search-queries.ts'

/** Engines of which all keep their index in memory. */
const QUALITY_ENGINES = ['bm25 AND', 'bm25 OR', 'Porter OR', 'MiniSearch OR', 'MiniSearch fuzzy']
const MAX_ROWS_FOR_KINDS = 200_000
const PEERS = ['ours', 'LIKE', 'MiniSearch', 'FlexSearch']
/** A scan takes so long that it gets fewer queries, once. */
const LIKE_QUERIES = 20

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '10' },
    folder: { type: 'string' },
    kinds: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: true },
    check: { type: 'boolean', default: false }
  },
  allowNegative: true
})
const rows = Number(values.rows)
const rounds = Number(values.rounds)
const folder = values.folder ?? tempFolder()
const file = join(folder, 'library.sqlite')

const savedPerSecond = buildLibrary(folder, rows)
const library = { savedPerSecond, fileMB: Math.round(statSync(file).size / 1e6), indexMB: indexSize() }
console.log(`${rows} bookmarks`, library)
const sample = readSample(file, rows)
const questions = makeQuestions(sample)
const kinds = rows <= MAX_ROWS_FOR_KINDS ? measureKinds() : {}
if (values.kinds) process.exit()

const speed = await measureSpeed()
const peers = values.peers ? await measurePeers(plainQueries(sample)) : {}
const inserts = measureInserts()
const out = join(import.meta.dirname, '../../tests/.results')
mkdirSync(out, { recursive: true })
const report = { rows, library, kinds, speed, peers, inserts }
writeFileSync(join(out, `bench-search-${rows}.json`), JSON.stringify(report, null, 2))
checkTargets({
  '1 client: p50, times the floor': ratio('1 client', 'p50', 2),
  '1 client: p99, times the floor': ratio('1 client', 'p99', 1.5),
  '16 clients, hard: p50, times the floor': ratio('16 clients, hard', 'p50', 4),
  'loosened: p50, ms': { measured: speed['1 client, loosened']?.ours.p50 ?? Number.NaN, most: 4 },
  'loosened: p95, ms': { measured: speed['1 client, loosened']?.ours.p95 ?? Number.NaN, most: 20 }
})

/** Returns the size of the indexes by which bookmarks are found, in MB. */
function indexSize(): number {
  const db = openReadConnection(file)
  const sizes = ['bookmark_texts', 'bookmark_titles', 'word_parts'].map(
    (table) => db.prepare(`SELECT sum(length(block)) FROM ${table}_data`).pluck().get() as number
  )
  db.close()
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1e6)
}

/** Measures how often each engine has the bookmark among the first five, by kind of question, and the time of our search. */
function measureKinds(): Record<string, Record<string, number>> {
  const db = openReadConnection(file)
  const all = engines(db)
  const others = QUALITY_ENGINES.map((name) => [name, all[name]?.()] as const)
  const times: number[] = []
  const kinds: Record<string, Record<string, number>> = {}
  for (const [kind, asked] of Map.groupBy(questions, (question: Question) => question.kind)) {
    const found: Record<string, number> = { ours: 0, ...Object.fromEntries(QUALITY_ENGINES.map((name) => [name, 0])) }
    const counts = { empty: 0, withoutHint: 0 }
    const own: number[] = []
    for (const { q, url } of asked) {
      const has = (bookmarks: { url: string | null }[] = []) =>
        bookmarks.some((bookmark) => pageKey(bookmark.url ?? '') === pageKey(url)) ? 1 : 0
      const begun = performance.now()
      const result = searchBookmarks(db, PROFILE, { words: q, page: 1, limit: 5 })
      own.push(performance.now() - begun)
      found.ours = (found.ours ?? 0) + has(result.bookmarks)
      for (const [name, search] of others) found[name] = (found[name] ?? 0) + has(search?.(q))
      if (result.total === 0) counts.empty += 1
      if (result.total === 0 && !result.note) counts.withoutHint += 1
    }
    times.push(...own)
    const shares = Object.entries(found).map(([name, count]) => [name, count / asked.length])
    kinds[kind] = { tries: asked.length, ...Object.fromEntries(shares), ...counts, ...distribution(own) }
  }
  db.close()
  printTable('A known bookmark among the first five, by kind of question; our time in process, in ms', kinds)
  console.log('ours, of all kinds, in process, ms', distribution(times))
  return kinds
}

interface Speed {
  floor: Distribution & { perSecond: number }
  ours: Distribution & { perSecond: number }
  /** Of the event loop of our process, in ms. */
  loopP99: number
  anonymousMB: number
}

/** Measures searches over HTTP, beside a server that runs one full-text query. Times are in ms. */
async function measureSpeed(): Promise<Record<string, Speed>> {
  // The service first: it opens no library that another process has open.
  const ours = await startServer('service', folder)
  const floor = await startServer('searchFloor', folder)
  const measure = (queries: Query[], clients: number, share = 1) =>
    compareServers({ ours, floor }, queries, clients, Math.ceil(rounds * share))
  const speed = {
    '1 client': await measure(mixedQueries(sample), 1),
    '16 clients': await measure(mixedQueries(sample), 16),
    '1 client, loosened': await measure(loosenedQueries(questions), 1, 0.5),
    '16 clients, hard': await measure(hardQueries(sample), 16, 0.25)
  }
  for (const server of [ours, floor]) server.stop()
  const lines = Object.entries(speed).flatMap(([name, { floor, ours, loopP99, anonymousMB }]) => [
    [`floor, ${name}`, floor],
    [`ours, ${name}`, { ...ours, loopP99, anonymousMB }],
    [
      `ratio, ${name}`,
      Object.fromEntries(Object.entries(ours).map(([key, value]) => [key, value / Object(floor)[key]]))
    ]
  ])
  printTable('Searches over HTTP, ms; hard ones are many slow searches among common ones', Object.fromEntries(lines))
  return speed
}

/** Sends the same searches to both in turn, so that noise affects both alike. */
async function compareServers(
  { ours, floor }: Record<'ours' | 'floor', Server>,
  queries: Query[],
  clients: number,
  rounds: number
): Promise<Speed> {
  const both = {
    floor: { port: floor.port, requests: queries.map((query) => floorRequest(floor, query)) },
    ours: { port: ours.port, requests: queries.map((query) => searchRequest(ours, query)) }
  }
  const times: Record<string, number[]> = { floor: [], ours: [] }
  const seconds: Record<string, number> = { floor: 0, ours: 0 }
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { port, requests }] of Object.entries(both)) {
      const measured = await loadEach(port, requests, clients)
      if (round === 0) continue // warms up
      times[name]?.push(...measured.times)
      seconds[name] = (seconds[name] ?? 0) + measured.seconds
    }
    if (round === 0) await ours.health()
  }
  const { p99: loopP99, anonymousMB } = await ours.health()
  const summary = (name: string) => {
    const all = times[name] ?? []
    return { perSecond: all.length / (seconds[name] ?? 1), ...distribution(all) }
  }
  return { floor: summary('floor'), ours: summary('ours'), loopP99, anonymousMB }
}

function floorRequest({ port }: Server, { words, page }: Query): Buffer {
  const parsed = parseQuery(words)
  const expression = createMatch(parsed, false)?.texts ?? exclusionExpression(parsed) ?? '"x"'
  return post(port, '/', {}, JSON.stringify({ expression, offset: (page - 1) * 5 }))
}

function searchRequest({ port, key }: Server, { words, page, filters }: Query): Buffer {
  return toolCall(port, key, 'bookmarks.search', { search: words, page, ...filters })
}

/** Measures the same searches in a process for each engine, in turn, without a server. Times are in ms. */
async function measurePeers(queries: string[]): Promise<Record<string, object>> {
  const peers: { name: string; server: Server; times: number[]; anonymousMB: number }[] = []
  for (const name of PEERS) {
    peers.push({ name, server: await startServer('peer', name, file), times: [], anonymousMB: 0 })
  }
  for (let round = 0; round <= rounds; round++) {
    for (const peer of peers) {
      const isScan = peer.name === 'LIKE'
      if (isScan && round > 1) continue
      const answer = await peer.server.search(isScan ? queries.slice(0, LIKE_QUERIES) : queries)
      if (round > 0) peer.times.push(...answer.times)
      peer.anonymousMB = answer.anonymousMB
    }
  }
  for (const { server } of peers) server.stop()
  const { p50 } = distribution(peers[0]?.times ?? [])
  const results = peers.map(({ name, server, times, anonymousMB }) => {
    const own = distribution(times)
    return [name, { ...own, 'p50 / ours': own.p50 / p50, anonymousMB, 'built in s': server.seconds }]
  })
  const table = Object.fromEntries(results)
  printTable('In process, ms', table)
  return table
}

/** Measures bookmarks saved per second by the size of a transaction, in a copy of the library. */
function measureInserts(): Record<string, number> {
  const copy = join(tempFolder(), 'library.sqlite')
  copyFileSync(file, copy)
  const db = openLibraryFile(copy)
  const save = db.transaction(saveBookmarks)
  const made = createCorpus(1_000_003)
  const rate = (batch: number, times: number) => {
    const batches = Array.from({ length: times }, () => Array.from({ length: batch }, () => made.next()))
    const begun = performance.now()
    for (const drafts of batches) save(db, PLACEMENT, drafts)
    return Math.round((batch * times * 1000) / (performance.now() - begun))
  }
  const rates = { single: rate(1, 500), batchesOf100: rate(100, 20), batchesOf500: rate(500, 8) }
  db.close()
  console.log('\nbookmarks saved per second, by the size of a transaction', rates)
  return rates
}

function ratio(name: string, share: 'p50' | 'p99', most: number): Target {
  const { ours, floor } = speed[name] ?? {}
  return { measured: (ours?.[share] ?? Number.NaN) / (floor?.[share] ?? Number.NaN), most }
}
