/**
 * `npm run bench -- import [-- --rows N]`: what importing a Netscape HTML file costs, beside the least it could cost in the
 * same run, and what others notice of it meanwhile: the event loop's delay, and searches over HTTP. An import is answered
 * when its rows are on disk, listed and counted; how long it takes until words find all of them is printed by itself.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ImportReport } from '../../src-main/contract/import-report.ts'
import { bookmarkHtml } from './bookmark-html.ts'
import { loadEach, percentile, post } from './load.ts'
import { checkTargets, type Target } from './targets.ts'

/** Between two searches while the import runs, in milliseconds. */
const SEARCH_EVERY = 25

/** How long is waited for buku, in milliseconds. */
const PATIENCE_MS = 125_000

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, check: { type: 'boolean', default: false } }
})
const rows = Number(values.rows)
const folder = mkdtempSync(join(tmpdir(), 'earmark-bench-import-'))
try {
  const file = join(folder, 'bookmarks.html')
  const words = await bookmarkHtml(file, rows)
  console.log(`${rows.toLocaleString('en')} entries, ${(statSync(file).size / 1e6).toFixed(1)} MB of Netscape HTML.`)
  const floor = await measureFloor('floor', file)
  const searchable = await measureFloor('searchable', file)
  const ours = await measureOurs(file, words)
  const { imported, duplicate, rejected } = ours.report
  console.log(`Earmark: ${imported} imported, ${duplicate} already there, ${rejected} rejected.`)
  console.table({
    'floor: parsed, bare rows, no index': { seconds: floor.toFixed(1), 'times the floor': '1.00' },
    'the same rows and one full-text index': {
      seconds: searchable.toFixed(1),
      'times the floor': (searchable / floor).toFixed(2)
    },
    'Earmark: on disk, listed, answered': {
      seconds: ours.seconds.toFixed(1),
      'times the floor': (ours.seconds / floor).toFixed(2)
    },
    'Earmark: all found by words': {
      seconds: ours.searchable.toFixed(1),
      'times the floor': (ours.searchable / floor).toFixed(2)
    }
  })
  checkTargets({
    'answered, times the floor': { measured: ours.seconds / floor, most: rows > 300_000 ? 3 : 2.5 },
    'all found by words, times the floor': { measured: ours.searchable / floor, most: 6 },
    ...noticed('importing', ours.importing),
    ...noticed('indexing', ours.indexing),
    'memory growth, MB': { measured: ours.growth, most: 200 }
  })
  const buku = measureBuku(file, floor)
  if (buku) console.table(buku)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function noticed(during: string, { loop, searches }: Noticed): Record<string, Target> {
  return {
    [`${during}: event loop delay p99, ms`]: { measured: loop.p99, most: 20 },
    [`${during}: event loop delay max, ms`]: { measured: loop.max, most: 100 },
    [`${during}: search p99, ms, of ${searches.length}`]: { measured: percentile(searches, 0.99), most: 60 }
  }
}

async function measureFloor(kind: 'floor' | 'searchable', file: string): Promise<number> {
  const child = start(kind, file)
  const [{ seconds }] = (await once(child, 'message')) as [{ seconds: number }]
  child.disconnect()
  return seconds
}

async function measureOurs(file: string, words: string[]) {
  const data = join(folder, 'library')
  mkdirSync(data, { mode: 0o700 })
  const child = start('service', data)
  const [{ port, key, token }] = (await once(child, 'message')) as [{ port: number; key: string; token: string }]
  const before = (await health(child)).anonymous
  child.send('reset')
  const [done, imported] = [new AbortController(), new AbortController()]
  const watching = watchMemory(child, done.signal)
  const searching = searchMeanwhile(port, key, words, imported.signal)
  const begun = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/api/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: Readable.toWeb(createReadStream(file)) as ReadableStream,
    duplex: 'half'
  } as RequestInit)
  const report = (await response.json()) as ImportReport
  const seconds = (performance.now() - begun) / 1000
  imported.abort()
  const importing = { loop: await health(child), searches: await searching }
  child.send('reset')
  const searchingOn = searchMeanwhile(port, key, words, done.signal)
  while ((await unindexed(port, token)) > 0) await sleep(500)
  const searchable = (performance.now() - begun) / 1000
  done.abort()
  const indexing = { loop: await health(child), searches: await searchingOn }
  const growth = (await watching) - before
  child.disconnect()
  return { seconds, searchable, report, importing, indexing, growth }
}

async function unindexed(port: number, token: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/status`, { headers: { authorization: `Bearer ${token}` } })
  return ((await response.json()) as { unindexed: number }).unindexed
}

/** The most memory of its own that the process had, in MB. */
async function watchMemory(child: ChildProcess, signal: AbortSignal): Promise<number> {
  let most = 0
  while (!signal.aborted) {
    most = Math.max(most, (await health(child)).anonymous)
    await sleep(250)
  }
  return most
}

async function searchMeanwhile(port: number, key: string, words: string[], signal: AbortSignal): Promise<Float64Array> {
  const times: number[] = []
  for (let index = 0; !signal.aborted; index += 1) {
    const params = { name: 'bookmarks.search', arguments: { search: words[index % words.length] } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const request = post(port, '/api/tools/mcp', { 'content-type': 'application/json', 'x-api-key': key }, body)
    times.push(...(await loadEach(port, [request], 1)).times)
    await sleep(SEARCH_EVERY)
  }
  return Float64Array.from(times).sort()
}

interface Noticed {
  loop: Health
  searches: Float64Array
}

interface Health {
  p99: number
  max: number
  anonymous: number
}

/** The event loop's delay since it was last reset, and memory. */
async function health(child: ChildProcess): Promise<Health> {
  const id = performance.now()
  const answered = new Promise<Health>((resolve) => {
    const take = (message: Health & { id: number }) => {
      if (message.id !== id) return
      child.off('message', take)
      resolve(message)
    }
    child.on('message', take)
  })
  child.send({ id })
  return answered
}

/** Where buku is installed. */
function measureBuku(file: string, floor: number): Record<string, Record<string, string>> | undefined {
  const env = { ...process.env, XDG_DATA_HOME: join(folder, 'buku') }
  if (spawnSync('buku', ['--version'], { env }).status !== 0) return undefined
  const begun = performance.now()
  const options = { env, stdio: 'ignore', timeout: PATIENCE_MS } as const
  const { status, signal } = spawnSync('buku', ['--nostdin', '--tacit', '--import', file], options)
  const seconds = (performance.now() - begun) / 1000
  const more = signal === null ? '' : 'more than '
  if (status !== 0 && signal === null) return { 'buku --import': { seconds: 'failed', 'times the floor': '' } }
  return {
    'buku --import': { seconds: more + seconds.toFixed(1), 'times the floor': more + (seconds / floor).toFixed(2) }
  }
}

function start(kind: 'floor' | 'searchable' | 'service', argument: string): ChildProcess {
  return fork(join(import.meta.dirname, 'import-server.js'), [kind, argument])
}
