/**
 * What strangers send, and what crashes, hangs or exhausts the code that reads it: pages, PDFs and pictures as pages of
 * bookmarks, as icons and previews, as uploads; listings of a WebDAV server; Firefox databases. Searches go on beside
 * all of it.
 *
 * The planted fault is a service that ends half way.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import sharp from 'sharp'
import { openReadConnection } from '../../src-main/store/connection.ts'
import { DATABASES, interlacedPng, LISTINGS, PDFS, SVGS } from '../support/hostile-files.ts'
import { logIn } from '../support/log-in.ts'
import { pdfFile } from '../support/pdf-file.ts'
import { randomFrom } from '../support/random.ts'
import { page, startTestWeb } from '../support/test-web.ts'
import { davServer } from '../support/webdav-server.ts'
import {
  below,
  call,
  endWithUs,
  env,
  type Figure,
  options,
  percentile,
  program,
  report,
  rssOf,
  tempFolder,
  tried
} from './support.ts'

const FILES = options.n(200)
/** The page of a bookmark that is found beside all others. */
const KNOWN = 'http://known.example/'
/** Time between two searches, in milliseconds. */
const SEARCH_EVERY_MS = 20
const MAX_WAIT_MS = 200
const MB = 2 ** 20

const random = randomFrom(options.seed)
const files = await hostileFiles()
const data = tempFolder()
const web = await startTestWeb(answerFor, undefined, () => {})

let service = await startService()
const owner = { headers: await logIn(service) }
await call(service.url, service.key, 'bookmarks.insert', { urls: [KNOWN] })
await call(service.url, service.key, 'bookmarks.insert', { urls: files.map((_, index) => `http://h${index}.example/`) })
const waits: number[] = []
const most = { service: 0, decoder: 0 }
let exits = 0
let uploads = 0
let listings = 0
let databases = 0
let working = true
const mostOfSix = await drawSix()
await Promise.all([readAll(), uploadAll(), syncAll(), importAll(), searchAll(), watchMemory()])
const before = await search().catch(() => 'no answer')
// What ended the decoder once or twice does not hold up the next start.
service.child.kill('SIGKILL')
await service.closed
service = await startService()
const same = (await search()) === before

report('hostile', [
  tried('files as pages, icons or uploads', files.length + uploads, FILES),
  tried('pages that were read or given up', readPages(), files.length),
  tried('listings of a WebDAV server', listings, LISTINGS.length),
  tried('Firefox databases refused', databases, DATABASES.length),
  tried('searches beside them', waits.length, 50),
  { what: 'exits of the service', value: String(exits), target: '0', met: exits === 0 },
  below('search p99', percentile(waits, 0.99), MAX_WAIT_MS, 'ms'),
  below('longest wait of a search', Math.max(...waits), MAX_WAIT_MS, 'ms'),
  below('RSS of the service', most.service / MB, 400, 'MB'),
  below('RSS of its decoder', most.decoder / MB, 1050, 'MB'),
  below('RSS of its decoder with six interlaced pictures of 40 megapixels', mostOfSix / MB, 400, 'MB'),
  { what: 'known bookmark found the same', value: same ? 'yes' : 'no', target: 'yes', met: same }
] satisfies Figure[])

interface Served {
  contentType: string
  bytes: Uint8Array
}

/** The files that are known to be hostile, and valid ones with some bytes changed or cut off. */
async function hostileFiles(): Promise<Served[]> {
  const plain = sharp({ create: { width: 300, height: 200, channels: 3, background: '#336699' } })
  const valid: Served[] = await Promise.all(
    (['png', 'jpeg', 'webp', 'gif', 'avif'] as const).map(async (format) => ({
      contentType: `image/${format}`,
      bytes: await plain.clone().toFormat(format).toBuffer()
    }))
  )
  valid.push({ contentType: 'application/pdf', bytes: pdfFile([['A heron stood by the water.']], 'Herons') })
  valid.push({
    contentType: 'image/svg+xml',
    bytes: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z" filter="url(#a)"/></svg>'
    )
  })
  const png = await interlacedPng()
  const known: Served[] = [
    ...Object.values(SVGS).map((bytes) => ({ contentType: 'image/svg+xml', bytes })),
    ...Object.values(PDFS).map((bytes) => ({ contentType: 'application/pdf', bytes })),
    ...Array.from({ length: 6 }, () => ({ contentType: 'image/png', bytes: png }))
  ]
  const changed = Array.from({ length: Math.max(0, FILES - known.length) }, () => {
    const { contentType, bytes } = valid[Math.floor(random() * valid.length)] as Served
    const odd = Buffer.from(bytes.subarray(0, random() < 0.2 ? Math.floor(random() * bytes.length) : bytes.length))
    for (let count = random() * 20; count > 0 && odd.length > 0; count--)
      odd[Math.floor(random() * odd.length)] = random() * 256
    return { contentType, bytes: odd }
  })
  return [...known, ...changed]
}

/** A bookmark's address is the file itself, or every third time a page that has it as its icon and preview. */
function answerFor(target: string) {
  const index = Number(/^h(\d+)\.example\//.exec(target)?.[1] ?? Number.NaN)
  const file = files[index]
  if (target === 'known.example/') return page('<title>A known page</title>')
  if (!file) return undefined
  if (target.endsWith('.example/') && index % 3 === 0) {
    return page('<title>Page</title><link rel="icon" href="/i"><meta property="og:image" content="/p">')
  }
  return page(file.bytes, { 'content-type': file.contentType })
}

async function startService() {
  const file = join(import.meta.dirname, '../../out/tests/web-service.js')
  const child = spawn(process.execPath, [file, data, String(web.wire.port)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = endWithUs(child)
  const [line] = await once(createInterface(child.stdout), 'line')
  return { ...(JSON.parse(line) as { url: string; port: number; key: string; login: string }), child, closed }
}

function readPages(): number {
  const db = openReadConnection(join(data, 'library.sqlite'))
  const sql = "SELECT count(*) FROM page_details WHERE state IN ('done', 'failed') OR attempts > 0"
  const count = db.prepare(sql).pluck().get() as number
  db.close()
  return count
}

async function readAll(): Promise<void> {
  for (
    const deadline = Date.now() + Math.max(FILES, 60) * 2000;
    Date.now() < deadline && exits === 0;
    await sleep(500)
  ) {
    const read = readPages()
    if (options.plant && read > files.length / 2) service.child.kill('SIGKILL')
    if (service.child.exitCode !== null || service.child.signalCode !== null) exits++
    if (read > files.length) break
  }
  working = false
}

/** Uploads six interlaced pictures at once. Returns the most memory that the decoder held, in bytes. */
async function drawSix(): Promise<number> {
  const png = { contentType: 'image/png', bytes: await interlacedPng() }
  const watching = watchMemory()
  const sent = await Promise.all(Array.from({ length: 6 }, () => upload(png)))
  working = false
  await watching
  working = true
  if (!sent.every((answer) => answer?.ok)) throw new Error('an interlaced picture was refused')
  const mostOfDecoder = most.decoder
  most.decoder = 0
  return mostOfDecoder
}

function upload({ contentType, bytes }: Served): Promise<Response | undefined> {
  const form = new FormData()
  form.set('picture', new File([new Uint8Array(bytes)], 'picture', { type: contentType }))
  form.set('bookmark', '{}')
  const init = { method: 'POST', headers: owner.headers, body: form }
  return fetch(`${service.url}/api/pictures`, init).catch(() => undefined)
}

async function uploadAll(): Promise<void> {
  for (const file of files) {
    if (!working) return
    const sent = await upload(file)
    if (sent && sent.status < 500) uploads++
    else if (exits === 0) console.error(`an upload was answered ${sent?.status ?? 'not at all'}`)
  }
}

/** Synchronizes through a WebDAV server that sends another listing to each round. */
async function syncAll(): Promise<void> {
  const dav = await davServer(() => {})
  const headers = { ...owner.headers, 'content-type': 'application/json' }
  const ask = (path: string, body: object) =>
    fetch(`${service.url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const begun = await ask('/sync', {
    folder: `http://ada@127.0.0.1:${dav.port}/dav`,
    password: 'secret',
    name: 'laptop'
  })
  if (!begun.ok) throw new Error(`synchronization did not begin: ${await begun.text()}`)
  for (const [, listing] of LISTINGS) {
    const bytes = Buffer.from(listing)
    dav.answer = (_, response) => void response.writeHead(207).end(bytes)
    const answer = await ask('/sync-now', {}).catch(() => undefined)
    if (answer && answer.status < 500) listings++
  }
}

/** Imports databases with the command line, in a process of its own. */
async function importAll(): Promise<void> {
  for (const [, sql] of DATABASES) {
    const file = join(tempFolder(), 'places.sqlite')
    const db = new Sqlite(file)
    db.exec(sql)
    db.close()
    const child = spawn(process.execPath, [program, 'import', file, '--data', tempFolder()], { env, stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    if (code === 1) databases++
  }
}

async function search(): Promise<string> {
  const { payload } = await call(service.url, service.key, 'bookmarks.search', { search: 'known page' })
  return JSON.stringify(payload)
}

/** Searches from a thread of its own, because this one also is the web that is read. */
async function searchAll(): Promise<void> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'bookmarks.search', arguments: { search: 'known' } }
  }
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': service.key },
    body: JSON.stringify(body)
  }
  const source = `
    const { parentPort, workerData: { address, init, pause } } = require('node:worker_threads')
    let working = true
    parentPort.once('message', () => (working = false))
    void (async () => {
      // The first one is for what a client and a service load only once.
      await fetch(address, init).catch(() => undefined)
      for (; working; await new Promise((resolve) => setTimeout(resolve, pause))) {
        const begun = performance.now()
        await fetch(address, init).then((answer) => answer.text()).catch(() => undefined)
        parentPort.postMessage(performance.now() - begun)
      }
    })()`
  const address = `${service.url}/api/tools/mcp`
  const thread = new Worker(source, { eval: true, workerData: { address, init, pause: SEARCH_EVERY_MS } })
  thread.on('message', (wait: number) => waits.push(wait))
  while (working) await sleep(100)
  thread.postMessage('end')
  await once(thread, 'exit')
}

async function watchMemory(): Promise<void> {
  for (; working; await sleep(50)) {
    try {
      most.service = Math.max(most.service, rssOf(service.child.pid))
      const children = execFileSync('ps', ['-o', 'rss=', '--ppid', String(service.child.pid)]).toString()
      for (const rss of children.trim().split(/\s+/)) most.decoder = Math.max(most.decoder, Number(rss) * 1024)
    } catch {
      // No decoder runs at the moment.
    }
  }
}
