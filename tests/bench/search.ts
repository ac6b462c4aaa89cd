/**
 * `npm run bench -- search [--rows N] [--rounds R] [--folder DIR] [--corpus DIR] [--kinds] [--no-peers] [--check]`: how well a known bookmark is found, and what a
 * search costs over the endpoint and in process, beside the least it could cost and beside other search engines, on the
 * same library in the same run. Writes `tests/.results/bench-search-N.json` too. With `--folder` the library stays
 * there for the next run. With `--corpus` it is filled from `bookmarks.jsonl` in that folder, and asked its `queries.json`
 * (`[{ kind, q, url }]`). With `--kinds` nothing is measured but how each kind of question is answered, and its cost in process.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { percentile } from './load.ts'
import { measureKinds, readCorpus, syntheticQueries } from './search-kinds.ts'
import { fillLibrary, insertRates, sampleOf } from './search-library.ts'
import { measurePeers } from './search-peers.ts'
import { measureQuality } from './search-quality.ts'
import { hardQueries, mixedQueries, plainQueries, relaxedQueries } from './search-queries.ts'
import { type Measured, measureSpeed, startServers, stopServers } from './search-speed.ts'
import { checkTargets, type Target } from './targets.ts'

/** Other engines keep all of it in memory. */
const MOST_FOR_KINDS = 200_000

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '10' },
    folder: { type: 'string' },
    corpus: { type: 'string' },
    kinds: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: true },
    check: { type: 'boolean', default: false }
  },
  allowNegative: true
})
const corpus = values.corpus === undefined ? undefined : readCorpus(values.corpus)
const rows = corpus?.drafts.length ?? Number(values.rows)
const rounds = Number(values.rounds)
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'earmark-bench-'))
const file = join(folder, 'library.sqlite')

const library = fillLibrary(folder, rows, corpus?.drafts)
const sample = sampleOf(file, rows)
console.log(`${rows} bookmarks`, library)

const asked = corpus?.queries ?? syntheticQueries(sample)
const kinds = rows <= MOST_FOR_KINDS ? measureKinds(file, asked) : {}
console.log('\nby kind of question, a known bookmark among the first five')
console.table(
  Object.fromEntries(
    Object.entries(kinds).map(([kind, { tries, found, empty, withoutHint, times }]) => [
      kind,
      {
        tries,
        ...Object.fromEntries(Object.entries(found).map(([name, count]) => [name, (count / tries).toFixed(3)])),
        empty: (empty / tries).toFixed(3),
        'without hint': withoutHint,
        ...costOf(times)
      }
    ])
  )
)
const halfRemembered = Object.entries(kinds).filter(([kind]) => !kind.startsWith('whole title'))
for (const name of Object.keys(halfRemembered[0]?.[1].found ?? {})) {
  const mean =
    halfRemembered.reduce((sum, [, { found, tries }]) => sum + (found[name] ?? 0) / tries, 0) / halfRemembered.length
  console.log(`mean of ${halfRemembered.length} kinds, ${name}: ${mean.toFixed(3)}`)
}

console.log('ours, of all kinds, in process, ms', costOf(Object.values(kinds).flatMap(({ times }) => times)))
if (values.kinds) process.exit()

const quality = measureQuality(file, sample)
console.log('\na known bookmark among the first five')
console.table(
  Object.fromEntries(
    quality.map(({ name, tries, ours, bm25 }) => [
      name,
      {
        tries,
        ours: ours.toFixed(3),
        bm25: bm25?.toFixed(3),
        'ours / bm25': bm25 === null ? undefined : (ours / bm25).toFixed(3)
      }
    ])
  )
)

const servers = await startServers(folder)
const speed: Record<string, Measured> = {}
for (const clients of [1, 16]) {
  speed[`${clients} clients`] = await measureSpeed(servers, mixedQueries(sample), clients, rounds)
}
speed['1 client, loosened'] = await measureSpeed(servers, relaxedQueries(asked), 1, Math.ceil(rounds / 2))
speed['16 clients, hard'] = await measureSpeed(servers, hardQueries(sample), 16, Math.ceil(rounds / 4))
stopServers(servers)
console.log('\nover HTTP, ms; hard searches are many slow ones among common ones')
console.table(
  Object.fromEntries(
    Object.entries(speed).flatMap(([name, { floor, ours, loop }]) => [
      [`floor, ${name}`, shown(floor)],
      [`ours, ${name}`, { ...shown(ours), 'loop p99': loop.p99.toFixed(1), 'RssAnon MB': Math.round(loop.anonymous) }],
      [
        `ratio, ${name}`,
        Object.fromEntries(
          (['req/s', 'p50', 'p95', 'p99'] as const).map((key) => [key, (ours[key] / floor[key]).toFixed(2)])
        )
      ]
    ])
  )
)

const peers = values.peers ? await measurePeers(file, plainQueries(sample), rounds) : new Map()
if (values.peers) {
  console.log('\nin process, ms; times slower than ours in brackets')
  const { p50 = 1, p95 = 1, p99 = 1 } = peers.get('ours') ?? {}
  const beside = (time: number, ours: number) => `${time.toFixed(3)} (${(time / ours).toFixed(1)})`
  console.table(
    Object.fromEntries(
      [...peers].map(([name, peer]) => [
        name,
        {
          p50: beside(peer.p50, p50),
          p95: beside(peer.p95, p95),
          p99: beside(peer.p99, p99),
          'RssAnon MB': peer.memoryMB,
          'built in s': peer.builtSeconds
        }
      ])
    )
  )
}

// Last, as it adds to a copy of the library.
const copy = mkdtempSync(join(tmpdir(), 'earmark-bench-'))
copyFileSync(file, join(copy, 'library.sqlite'))
const inserts = insertRates(join(copy, 'library.sqlite'))
rmSync(copy, { recursive: true, force: true })
console.log('\nbookmarks saved a second, by the size of a transaction', inserts)

const out = join(import.meta.dirname, '../../tests/.results')
mkdirSync(out, { recursive: true })
const report = { rows, library, quality, kinds, speed, peers: Object.fromEntries(peers), inserts }
writeFileSync(join(out, `bench-search-${rows}.json`), JSON.stringify(report, null, 2))
checkTargets({
  '1 client: p50, times the floor': ratioOf('1 clients', 'p50', 2),
  '1 client: p99, times the floor': ratioOf('1 clients', 'p99', 1.5),
  '16 clients, hard: p50, times the floor': ratioOf('16 clients, hard', 'p50', 4),
  'loosened: p50, ms': { measured: speed['1 client, loosened']?.ours.p50 ?? Number.NaN, most: 4 },
  'loosened: p95, ms': { measured: speed['1 client, loosened']?.ours.p95 ?? Number.NaN, most: 20 }
})
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })

function ratioOf(name: string, share: 'p50' | 'p99', most: number): Target {
  const { ours, floor } = speed[name] ?? {}
  return { measured: (ours?.[share] ?? Number.NaN) / (floor?.[share] ?? Number.NaN), most }
}

/** Of many times in milliseconds. */
function costOf(times: number[]) {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => percentile(sorted, share).toFixed(2)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

function shown({ p50, p95, p99, ...rest }: Measured['ours']) {
  return { ...rest, p50: p50.toFixed(3), p95: p95.toFixed(3), p99: p99.toFixed(3) }
}
