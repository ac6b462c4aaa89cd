/**
 * `node stress-threads.js DATA READS SEED [die]`: reads pages and PDFs on a thread that is ended and started again all the
 * while, beside a service that saves and searches, and services that come and go, threads and all. Prints what it did as
 * JSON. With `die` it ends half way, as a crash would.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openService, type Service } from '../../src-main/service.ts'
import { createPageReader } from '../../src-main/web/page-reader.ts'
import { WebFault } from '../../src-main/web/web-fault.ts'
import { noKeychain } from './no-keychain.ts'
import { pdfFile } from './pdf-file.ts'
import { randomFrom } from './random.ts'
import { callTool, makeKey } from './service.ts'

const [data = '', times = '0', seed = '1', end] = process.argv.slice(2)
const READS = Number(times)
/** A thread lives for so many reads, about. */
const READS_PER_THREAD = 20
/** So often another service comes and goes. */
const READS_PER_SERVICE = 200
/** Between a save, or a search, and the next: reading is what this is about. */
const PAUSE_MS = 10

const service = await open('library')
const key = await makeKey(service)
const reader = createPageReader()
const did = { reads: 0, cut: 0, services: 0, saves: 0, searches: 0, found: 0 }
let isReading = true
await Promise.all([readAll(), saveAll(), searchAll()])
for (let index = 0; index < did.saves; index++) {
  const { bookmarks } = await call('bookmarks.search', { search: `number${index}` })
  if (bookmarks.some(({ url }) => url === `https://a.example/number${index}`)) did.found += 1
}
await reader.close()
await service.close()
console.log(JSON.stringify(did))

async function readAll(): Promise<void> {
  const next = randomFrom(Number(seed))
  while (did.reads < READS) {
    const reading = reader.read(page(did.reads++)).catch((error) => {
      if (!(error instanceof WebFault)) throw error
      did.cut += 1
    })
    // Now and then in the middle of a page, where pdf.js may be at work.
    if (next() < 1 / READS_PER_THREAD) void setTimeout(next() * 20).then(reader.close)
    await reading
    if (did.reads % READS_PER_SERVICE === 0) {
      await (await open('other')).close()
      rmSync(join(data, 'other'), { recursive: true })
      did.services += 1
    }
    if (end === 'die' && did.reads * 2 > READS) process.abort()
  }
  isReading = false
}

async function saveAll(): Promise<void> {
  while (isReading) {
    await call('bookmarks.insert', { urls: [`https://a.example/number${did.saves++}`] })
    await setTimeout(PAUSE_MS)
  }
}

async function searchAll(): Promise<void> {
  while (isReading) {
    await call('bookmarks.search', { search: `numbr${did.searches++ % 100} example` })
    await setTimeout(PAUSE_MS)
  }
}

/** A page of some paragraphs, or every third time a PDF. */
function page(index: number) {
  const lines = Array.from({ length: 20 + (index % 200) }, (_, line) => `Line ${line} of page ${index}, said in words.`)
  const url = `https://a.example/${index}`
  const facts = { charset: undefined, asked: url, url }
  if (index % 3 === 0) return { ...facts, contentType: 'application/pdf', bytes: pdfFile([lines, lines], 'A file') }
  const html = `<title>Page ${index}</title><article>${lines.map((line) => `<p>${line}</p>`).join('')}</article>`
  return { ...facts, contentType: 'text/html', bytes: new TextEncoder().encode(html) }
}

function open(name: string): Promise<Service> {
  mkdirSync(join(data, name))
  return openService({
    data: join(data, name),
    version: '0.0.0-test',
    dashboard: join(import.meta.dirname, '../../out/renderer'),
    keychain: noKeychain,
    onBug: (error) => console.error(error)
  })
}

async function call(name: string, args: object): Promise<{ bookmarks: { url: string }[] }> {
  const { payload, isError } = await callTool(service, key, name, args)
  if (isError) throw new Error(JSON.stringify(payload))
  return payload
}
