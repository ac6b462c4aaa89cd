/**
 * `npm run bench:search -- [--rows N]`: searches over the endpoint against the least they could cost, on the same
 * library in the same run, and how well a known bookmark is found. Writes `tests/.results/bench-search-N.json` too.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BookmarkDraft } from '../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { parseQuery } from '../../src-main/core/parse-query.ts'
import { bookmarkReads } from '../../src-main/store/bookmark-reads.ts'
import { openReadConnection } from '../../src-main/store/connection.ts'
import { matchOf } from '../../src-main/store/match.ts'
import { openLibraryFile } from '../../src-main/store/open-library-file.ts'
import { allWrites } from '../../src-main/store/writes.ts'
import { createCorpus, randomFrom } from './corpus.ts'
import { loadEach, percentile, post } from './load.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '10' } }
})
const ROWS = Number(values.rows)
const ROUNDS = Number(values.rounds)
const PLACEMENT = { owner: null, visibility: 'private', savedAt: 1_700_000_000_000 } as const

const folder = mkdtempSync(join(tmpdir(), 'earmark-bench-'))
const file = join(folder, 'library.sqlite')
const report: Record<string, unknown> = { rows: ROWS }
const sample = fill()
quality()
await speed()
const out = join(import.meta.dirname, '../.results')
mkdirSync(out, { recursive: true })
writeFileSync(join(out, `bench-search-${ROWS}.json`), JSON.stringify(report, null, 2))
rmSync(folder, { recursive: true, force: true })

/** Fills the library and keeps every so-manieth bookmark to look for. */
function fill(): { draft: BookmarkDraft; id: string }[] {
  const corpus = createCorpus(7)
  const db = openLibraryFile(file)
  const { saveBookmarks } = allWrites(db)
  const kept: { draft: BookmarkDraft; id: string }[] = []
  const every = Math.max(1, Math.floor(ROWS / 2000))
  const begun = performance.now()
  for (let done = 0; done < ROWS; done += 500) {
    const drafts = Array.from({ length: Math.min(500, ROWS - done) }, () => corpus.next())
    const saved = saveBookmarks(PLACEMENT, drafts)
    for (let index = 0; index < drafts.length; index += every) {
      const [draft, one] = [drafts[index], saved[index]]
      if (draft && one) kept.push({ draft, id: one.id })
    }
  }
  const seconds = (performance.now() - begun) / 1000
  report.insertsPerSecond = { batchesOf500: Math.round(ROWS / seconds), ...rates(corpus, saveBookmarks) }
  db.close()
  report.fileMB = Math.round(statSync(file).size / 1e6)
  console.log(`${ROWS} bookmarks in ${seconds.toFixed(1)} s, ${report.fileMB} MB; inserts/s`, report.insertsPerSecond)
  return kept
}

function rates(corpus: ReturnType<typeof createCorpus>, save: ReturnType<typeof allWrites>['saveBookmarks']) {
  const rate = (batch: number, times: number) => {
    const begun = performance.now()
    for (let time = 0; time < times; time++)
      save(
        PLACEMENT,
        Array.from({ length: batch }, () => corpus.next())
      )
    return Math.round((batch * times * 1000) / (performance.now() - begun))
  }
  return { single: rate(1, 300), batchesOf100: rate(100, 10) }
}

/** How often a bookmark is among the first five, by a few words of its title: ours beside weighted bm25. */
function quality(): void {
  const db = openReadConnection(file)
  const { searchBookmarks } = bookmarkReads(db)
  const bm25 = db.prepare(
    `SELECT b.public_id FROM bookmark_texts f JOIN bookmarks b ON b.id = f.rowid WHERE bookmark_texts MATCH ?
     ORDER BY bm25(bookmark_texts, 10, 8, 4, 2, 1, 0), f.rowid DESC LIMIT 5`
  )
  const random = randomFrom(11)
  const share = { ours: {} as Record<string, number>, bm25: {} as Record<string, number> }
  const kinds: [string, (title: string) => string | undefined][] = [
    ['2 words', (title) => someWords(title, 2, random)],
    ['3 words', (title) => someWords(title, 3, random)],
    ['4 characters', (title) => someCharacters(title, 4, random)]
  ]
  for (const [name, choose] of kinds) {
    let tried = 0
    let ours = 0
    let theirs = 0
    for (const { draft, id } of sample) {
      const words = choose(draft.title)
      if (words === undefined || tried === 400) continue
      tried += 1
      const { bookmarks } = searchBookmarks(PROFILE, { words, page: 1, limit: 5 })
      if (bookmarks.some((one) => one.id === id)) ours += 1
      if (
        bm25
          .pluck()
          .all(matchOf(parseQuery(words), false)?.texts ?? '')
          .includes(id)
      )
        theirs += 1
    }
    share.ours[name] = ours / tried
    share.bm25[name] = theirs / tried
    console.log(
      `known item by ${name}: ours ${(ours / tried).toFixed(3)}, bm25 ${(theirs / tried).toFixed(3)}, ` +
        `ratio ${(ours / theirs).toFixed(3)} (${tried} tries)`
    )
  }
  report.knownItem = share
  db.close()
}

function someWords(title: string, count: number, random: () => number): string | undefined {
  const words = [...new Set(title.split(' '))].filter((word) => /^[a-z]{4,}$/.test(word))
  if (words.length < count) return undefined
  return words
    .toSorted(() => random() - 0.5)
    .slice(0, count)
    .join(' ')
}

function someCharacters(title: string, count: number, random: () => number): string | undefined {
  const characters = [...title]
  if (/[a-z]/.test(title) || characters.length < count) return undefined
  const start = Math.floor(random() * (characters.length - count + 1))
  return characters.slice(start, start + count).join('')
}

interface Query {
  words: string
  page: number
  filters: Record<string, unknown>
}

/** Two hundred searches of the kinds people and agents make. */
function queries(): Query[] {
  const random = randomFrom(13)
  const any = () => sample[Math.floor(random() * sample.length)]?.draft as BookmarkDraft
  const words = (count: number) => someWords(any().title, count, random) ?? 'guide'
  const makers: (() => Query)[] = [
    () => ({ words: words(1), page: 1, filters: {} }),
    () => ({ words: words(2), page: 1, filters: {} }),
    () => ({ words: words(3), page: 1, filters: {} }),
    () => ({ words: someCharacters(any().title, 2, random) ?? '中文', page: 1, filters: {} }),
    () => ({ words: someCharacters(any().title, 4, random) ?? '日本', page: 1, filters: {} }),
    () => ({ words: `"${any().title.split(' ').slice(0, 2).join(' ')}"`, page: 1, filters: {} }),
    () => ({ words: 'the', page: 1, filters: {} }),
    () => ({ words: 'guide', page: 20, filters: {} }),
    () => ({ words: `${words(1)} -the`, page: 1, filters: {} }),
    () => ({ words: words(1), page: 1, filters: { domain: any().domain } })
  ]
  return Array.from({ length: 200 }, (_, index) => (makers[index % makers.length] as () => Query)())
}

async function speed(): Promise<void> {
  const [floor, ours] = await Promise.all([start('floor'), start('ours')])
  const all = queries()
  const requests = {
    floor: all.map(({ words, page }) => {
      const expression = matchOf(parseQuery(words), false)?.texts ?? '"x"'
      return post(floor.port, '/', {}, JSON.stringify({ expression, offset: (page - 1) * 5 }))
    }),
    ours: all.map(({ words, page, filters }) => {
      const params = { name: 'bookmarks.search', arguments: { search: words, page, ...filters } }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      const headers = { 'content-type': 'application/json', 'x-api-key': ours.key ?? '' }
      return post(ours.port, '/api/tools/mcp', headers, body)
    })
  }
  for (const clients of [1, 16]) {
    const times: Record<'floor' | 'ours', number[]> = { floor: [], ours: [] }
    const seconds = { floor: 0, ours: 0 }
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, port] of [
        ['floor', floor.port],
        ['ours', ours.port]
      ] as const) {
        const measured = await loadEach(port, requests[name], clients)
        if (round === 0) continue
        for (const time of measured.times) times[name].push(time)
        seconds[name] += measured.seconds
      }
      if (round === 0) ours.child.send('reset')
    }
    const of = (name: 'floor' | 'ours') => {
      const sorted = Float64Array.from(times[name]).sort()
      const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(sorted, share))
      return { 'req/s': Math.round(sorted.length / seconds[name]), p50: p50 ?? 0, p95: p95 ?? 0, p99: p99 ?? 0 }
    }
    const result = { floor: of('floor'), ours: of('ours') }
    console.log(`\n${clients} ${clients === 1 ? 'client' : 'clients'} (ms)`)
    console.table(result)
    console.log(
      `ours / floor: p50 ${(result.ours.p50 / result.floor.p50).toFixed(2)}, p99 ${(result.ours.p99 / result.floor.p99).toFixed(2)}`
    )
    ours.child.send('ask')
    const [loop] = await once(ours.child, 'message')
    console.log('event loop of ours (ms) and memory (MB)', loop)
    report[`clients${clients}`] = { ...result, loop }
  }
  floor.child.disconnect()
  ours.child.disconnect()
}

async function start(kind: string): Promise<{ child: ChildProcess; port: number; key?: string }> {
  const child = fork(join(import.meta.dirname, 'search-server.ts'), [kind, folder])
  const [facts] = await once(child, 'message')
  return { child, ...(facts as { port: number; key?: string }) }
}
