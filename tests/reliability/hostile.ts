/**
 * What strangers send, and what crashes, hangs or exhausts the code that reads it: pages, PDFs and pictures as pages of
 * bookmarks, as icons and previews, as uploads; listings of a WebDAV server; Firefox databases. Meanwhile searches are
 * answered in time.
 *
 * The planted fault is a service that ends half way.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import sharp from 'sharp'
import { openReadConnection } from '../../src-main/database/connection.ts'
import { callTool, runCommand, startWebService, toolRequest, withoutKeychain } from '../support/earmark.ts'
import { DATABASES, interlacedPng, LISTINGS, PDFS, pdfFile, SVGS } from '../support/hostile-files.ts'
import { logIn } from '../support/http.ts'
import { page, startTestWeb } from '../support/test-web.ts'
import { davServer } from '../support/webdav-server.ts'
import { figure, options, percentile, random, report, rssOf, tempFolder } from './harness.ts'

const FILES = options.n(200)
/** A bookmark that is searched for all the time. */
const KNOWN = 'http://known.example/'
const SEARCH_EVERY_MS = 20
const MAX_WAIT_MS = 200
const MB = 2 ** 20

interface TypedFile {
  contentType: string
  bytes: Uint8Array
}

const files = await makeFiles()
const data = tempFolder()
const web = await startTestWeb(answerFor, undefined, () => {})
const startService = () => startWebService(data, web.wire.port, { afterwards: () => {} })
let service = await startService()
const headers = await logIn(service)
await callTool(service.url, service.key, 'bookmarks.insert', { urls: [KNOWN] })
await callTool(service.url, service.key, 'bookmarks.insert', {
  urls: files.map((_, index) => `http://h${index}.example/`)
})

const waits: number[] = []
const most = { service: 0, decoder: 0 }
const count = { exits: 0, uploads: 0, listings: 0, databases: 0 }
let isWorking = true
const memoryForSix = await uploadSixLarge()
await Promise.all([readAll(), uploadAll(), syncAll(), importAll(), searchAll(), watchMemory()])
const before = await search().catch(() => 'no answer')
// Files that ended the decoder do not hold up the next start.
await service.end('SIGKILL')
service = await startService()
const isSame = (await search()) === before

report([
  figure.atLeast('files as pages, icons or uploads', files.length + count.uploads, FILES),
  figure.atLeast('pages that were read or given up', countReadPages(), files.length),
  figure.atLeast('listings of a WebDAV server', count.listings, LISTINGS.length),
  figure.atLeast('Firefox databases refused', count.databases, DATABASES.length),
  figure.atLeast('searches beside them', waits.length, 50),
  figure.zero('exits of the service', count.exits),
  figure.atMost('search p99', percentile(waits, 0.99), MAX_WAIT_MS, 'ms'),
  figure.atMost('longest wait of a search', Math.max(...waits), MAX_WAIT_MS, 'ms'),
  figure.atMost('RSS of the service', most.service / MB, 400, 'MB'),
  figure.atMost('RSS of its decoder', most.decoder / MB, 1050, 'MB'),
  figure.atMost('RSS of its decoder with six interlaced pictures of 40 megapixels', memoryForSix / MB, 400, 'MB'),
  figure.equal('known bookmark found the same', isSame ? 'yes' : 'no', 'yes')
])

/** Makes the files that are known to be hostile, and valid ones with some bytes changed or cut off. */
async function makeFiles(): Promise<TypedFile[]> {
  const plain = sharp({ create: { width: 300, height: 200, channels: 3, background: '#336699' } })
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z" filter="url(#a)"/></svg>'
  const valid: TypedFile[] = [
    { contentType: 'application/pdf', bytes: pdfFile([['A heron stood by the water.']], 'Herons') },
    { contentType: 'image/svg+xml', bytes: Buffer.from(svg) }
  ]
  for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
    valid.push({ contentType: `image/${format}`, bytes: await plain.clone().toFormat(format).toBuffer() })
  }
  const png = { contentType: 'image/png', bytes: await interlacedPng() }
  const known: TypedFile[] = [
    ...Object.values(SVGS).map((bytes) => ({ contentType: 'image/svg+xml', bytes })),
    ...Object.values(PDFS).map((bytes) => ({ contentType: 'application/pdf', bytes })),
    ...Array.from({ length: 6 }, () => png)
  ]
  const damaged = Array.from({ length: Math.max(0, FILES - known.length) }, () => {
    const { contentType, bytes } = random.pick(valid)
    const copy = Buffer.from(bytes.subarray(0, random.share() < 0.2 ? random.int(bytes.length) : bytes.length))
    for (let changes = random.int(20); changes > 0 && copy.length > 0; changes--) {
      copy[random.int(copy.length)] = random.int(256)
    }
    return { contentType, bytes: copy }
  })
  return [...known, ...damaged]
}

/** A bookmark's address is the file itself, or every third time a page with the file as its icon and preview. */
function answerFor(target: string) {
  if (target === 'known.example/') return page('<title>A known page</title>')
  const index = Number(/^h(\d+)\.example\//.exec(target)?.[1] ?? Number.NaN)
  const file = files[index]
  if (!file) return undefined
  if (target.endsWith('.example/') && index % 3 === 0) {
    return page('<title>Page</title><link rel="icon" href="/i"><meta property="og:image" content="/p">')
  }
  return page(file.bytes, { 'content-type': file.contentType })
}

function countReadPages(): number {
  const db = openReadConnection(join(data, 'library.sqlite'))
  const sql = "SELECT count(*) FROM page_details WHERE state IN ('done', 'failed') OR attempts > 0"
  const pages = db.prepare(sql).pluck().get() as number
  db.close()
  return pages
}

/** Waits until all pages are read, and ends the other work. */
async function readAll(): Promise<void> {
  const deadline = Date.now() + Math.max(FILES, 60) * 2000
  for (; Date.now() < deadline && count.exits === 0; await sleep(500)) {
    const read = countReadPages()
    if (options.plant && read > files.length / 2) service.child.kill('SIGKILL')
    if (service.child.exitCode !== null || service.child.signalCode !== null) count.exits++
    if (read > files.length) break
  }
  isWorking = false
}

/** Uploads six interlaced pictures at once. Returns the most memory that the decoder used, in bytes. */
async function uploadSixLarge(): Promise<number> {
  const png = { contentType: 'image/png', bytes: await interlacedPng() }
  const watching = watchMemory()
  const answers = await Promise.all(Array.from({ length: 6 }, () => upload(png)))
  isWorking = false
  await watching
  isWorking = true
  if (!answers.every((answer) => answer?.ok)) throw new Error('an interlaced picture was refused')
  const { decoder } = most
  most.decoder = 0
  return decoder
}

function upload({ contentType, bytes }: TypedFile): Promise<Response | undefined> {
  const body = new FormData()
  body.set('picture', new File([new Uint8Array(bytes)], 'picture', { type: contentType }))
  body.set('bookmark', '{}')
  return fetch(`${service.url}/api/pictures`, { method: 'POST', headers, body }).catch(() => undefined)
}

async function uploadAll(): Promise<void> {
  for (const file of files) {
    if (!isWorking) return
    const answer = await upload(file)
    if (answer && answer.status < 500) count.uploads++
    else if (count.exits === 0) console.error(`an upload was answered ${answer?.status ?? 'not at all'}`)
  }
}

/** Synchronizes through a WebDAV server that sends another listing in each round. */
async function syncAll(): Promise<void> {
  const dav = await davServer(() => {})
  const post = (path: string, body: object) => {
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    return fetch(`${service.url}/api${path}`, { ...init, body: JSON.stringify(body) })
  }
  const folder = `http://ada@127.0.0.1:${dav.port}/dav`
  const begun = await post('/sync', { folder, password: 'secret', name: 'laptop' })
  if (!begun.ok) throw new Error(`synchronization did not begin: ${await begun.text()}`)
  for (const [, listing] of LISTINGS) {
    const bytes = Buffer.from(listing)
    dav.answer = (_, response) => void response.writeHead(207).end(bytes)
    const answer = await post('/sync-now', {}).catch(() => undefined)
    if (answer && answer.status < 500) count.listings++
  }
}

/** Imports databases with the command line, in a process of its own. */
async function importAll(): Promise<void> {
  for (const [, sql] of DATABASES) {
    const file = join(tempFolder(), 'places.sqlite')
    const db = new Sqlite(file)
    db.exec(sql)
    db.close()
    const { code } = await runCommand(['import', file, '--data', tempFolder()], withoutKeychain)
    if (code === 1) count.databases++
  }
}

async function search(): Promise<string> {
  const { payload } = await callTool(service.url, service.key, 'bookmarks.search', { search: 'known page' })
  return JSON.stringify(payload)
}

/** Searches from a thread of its own, because this thread also serves the web. */
async function searchAll(): Promise<void> {
  const source = `
    const { parentPort, workerData: { address, init, pause } } = require('node:worker_threads')
    let isWorking = true
    parentPort.once('message', () => (isWorking = false))
    void (async () => {
      // The first search is for what a client and a service load only once.
      await fetch(address, init).catch(() => undefined)
      for (; isWorking; await new Promise((resolve) => setTimeout(resolve, pause))) {
        const begun = performance.now()
        await fetch(address, init).then((answer) => answer.text()).catch(() => undefined)
        parentPort.postMessage(performance.now() - begun)
      }
    })()`
  const address = `${service.url}/api/tools/mcp`
  const init = toolRequest(service.key, 'bookmarks.search', { search: 'known' })
  const thread = new Worker(source, { eval: true, workerData: { address, init, pause: SEARCH_EVERY_MS } })
  thread.on('message', (wait: number) => waits.push(wait))
  while (isWorking) await sleep(100)
  thread.postMessage('end')
  await once(thread, 'exit')
}

async function watchMemory(): Promise<void> {
  for (; isWorking; await sleep(50)) {
    try {
      most.service = Math.max(most.service, rssOf(service.child.pid))
      const children = execFileSync('ps', ['-o', 'rss=', '--ppid', String(service.child.pid)]).toString()
      for (const rss of children.trim().split(/\s+/)) most.decoder = Math.max(most.decoder, Number(rss) * 1024)
    } catch {
      // No decoder runs at the moment.
    }
  }
}
