/**
 * `npm run bench -- import [-- --rows N] [--check]`: what importing a Netscape HTML file costs, beside the least it could cost in
 * the same run, and how much it delays others: the event loop, and searches over HTTP. An import is answered when its rows are
 * on disk, listed and counted; the time until words find all of them is printed separately.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportReport } from '../../src-main/contract/import-report.ts'
import { createCorpus } from '../support/library.ts'
import {
  checkTargets,
  percentile,
  printTable,
  readNumbers,
  type Server,
  startServer,
  type Target,
  tempFolder,
  usageOf
} from './harness.ts'
import { loadEach, toolCall } from './load.ts'
import type { Health } from './server.ts'

const SEARCH_EVERY_MS = 25
const BUKU_TIMEOUT_MS = 125_000
/** Bookmarks in a folder of the file. */
const FOLDER_SIZE = 200

const { rows } = readNumbers({ rows: 100_000 })
const folder = tempFolder()
const file = join(folder, 'bookmarks.html')
const words = await writeBookmarks()
console.log(`${rows.toLocaleString('en')} bookmarks, ${(statSync(file).size / 1e6).toFixed(1)} MB of Netscape HTML.`)
const floor = await measureFloor('importFloor')
const indexed = await measureFloor('importIndexed')
const ours = await measureOurs()
const { imported, duplicate, rejected } = ours.report
console.log(`Earmark: ${imported} imported, ${duplicate} already there, ${rejected} rejected.`)
const line = (seconds: number) => ({ seconds, 'times the floor': seconds / floor })
printTable('Import', {
  'floor: parsed, bare rows, no index': line(floor),
  'the same rows and one full-text index': line(indexed),
  'Earmark: on disk, listed, answered': line(ours.seconds),
  'Earmark: all found by words': line(ours.searchable),
  ...measureBuku()
})
checkTargets({
  'answered, times the floor': { measured: ours.seconds / floor, most: rows > 300_000 ? 3 : 2.5 },
  'all found by words, times the floor': { measured: ours.searchable / floor, most: 6 },
  ...delays('importing', ours.importing),
  ...delays('indexing', ours.indexing),
  'memory growth, MB': { measured: ours.growth, most: 200 }
})

/** Writes a bookmark file as browsers export it. Returns some words of it. */
async function writeBookmarks(): Promise<string[]> {
  const corpus = createCorpus(7)
  const out = createWriteStream(file)
  const words: string[] = []
  out.write('<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n')
  for (let row = 0; row < rows; row++) {
    if (row % FOLDER_SIZE === 0) {
      const end = row > 0 ? '</DL><p>\n' : ''
      out.write(`${end}<DT><H3 ADD_DATE="1500000000">Folder ${row / FOLDER_SIZE}</H3>\n<DL><p>\n`)
    }
    const { url, title, description, tags, createdAt } = corpus.next()
    const tagged = tags.length > 0 ? ` TAGS="${escapeHtml(tags.join(','))}"` : ''
    const attributes = `HREF="${escapeHtml(url ?? '')}" ADD_DATE="${Math.floor(createdAt / 1000)}"${tagged}`
    const about = description === '' ? '' : `<DD>${escapeHtml(description)}\n`
    if (!out.write(`<DT><A ${attributes}>${escapeHtml(title)}</A>\n${about}`)) await once(out, 'drain')
    const word = title.split(' ').at(-1)
    if (words.length < 200 && row % 7 === 0 && word) words.push(word)
  }
  out.end('</DL><p>\n</DL><p>\n')
  await once(out, 'close')
  return words
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

async function measureFloor(kind: 'importFloor' | 'importIndexed'): Promise<number> {
  const server = await startServer(kind, file, folder)
  server.stop()
  return server.seconds
}

async function measureOurs() {
  const data = join(folder, 'library')
  mkdirSync(data, { mode: 0o700 })
  const server = await startServer('service', data)
  const { anonymousMB } = await server.health()
  const headers = { authorization: `Bearer ${server.token}` }
  const begun = performance.now()
  const secondsSince = () => (performance.now() - begun) / 1000
  const importing = await searchDuring(server, async () => {
    const body = Readable.toWeb(createReadStream(file)) as ReadableStream
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    const response = await fetch(`http://127.0.0.1:${server.port}/api/imports`, init)
    return { report: (await response.json()) as ImportReport, seconds: secondsSince() }
  })
  const indexing = await searchDuring(server, async () => {
    for (;;) {
      const status = await fetch(`http://127.0.0.1:${server.port}/api/status`, { headers })
      if (((await status.json()) as { unindexed: number }).unindexed === 0) return { searchable: secondsSince() }
      await sleep(500)
    }
  })
  server.stop()
  const growth = Math.max(importing.memory, indexing.memory) - anonymousMB
  return { ...importing.result, ...indexing.result, importing, indexing, growth }
}

interface Delays {
  health: Health
  /** Times of searches, in ms. */
  searches: number[]
}

/** Searches, and watches the event loop and the memory, until the work is done. */
async function searchDuring<Result>(server: Server, work: () => Promise<Result>) {
  let isWorking = true
  const searches: number[] = []
  let memory = 0
  const search = async () => {
    for (let index = 0; isWorking; index++) {
      const request = toolCall(server.port, server.key, 'bookmarks.search', { search: words[index % words.length] })
      searches.push(...(await loadEach(server.port, [request], 1)).times)
      await sleep(SEARCH_EVERY_MS)
    }
  }
  const watch = async () => {
    for (; isWorking; await sleep(250)) memory = Math.max(memory, usageOf(server.pid).anonymousMB)
  }
  // Each call resets the delay.
  await server.health()
  const both = Promise.all([search(), watch()])
  const result = await work()
  isWorking = false
  await both
  return { result, searches, memory, health: await server.health() }
}

function delays(during: string, { health, searches }: Delays): Record<string, Target> {
  return {
    [`${during}: event loop delay p99, ms`]: { measured: health.p99, most: 20 },
    [`${during}: event loop delay max, ms`]: { measured: health.max, most: 100 },
    [`${during}: search p99, ms, of ${searches.length}`]: { measured: percentile(searches, 0.99), most: 60 }
  }
}

/** Imports the file with buku, if that is installed. */
function measureBuku(): Record<string, object> {
  const env = { ...process.env, XDG_DATA_HOME: join(folder, 'buku') }
  if (spawnSync('buku', ['--version'], { env }).status !== 0) return {}
  const begun = performance.now()
  const options = { env, stdio: 'ignore', timeout: BUKU_TIMEOUT_MS } as const
  const { status, signal } = spawnSync('buku', ['--nostdin', '--tacit', '--import', file], options)
  const result = line((performance.now() - begun) / 1000)
  if (signal !== null) return { 'buku --import, more than': result }
  return { 'buku --import': status === 0 ? result : { seconds: 'failed' } }
}
