/**
 * The processes that benchmarks measure: `node server.js KIND ARGUMENT…`. It sends its facts over IPC when it is ready and then
 * answers questions. Beside the service there are servers and searches that do the least possible.
 */

import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getRequestListener } from '@hono/node-server'
import Sqlite from 'better-sqlite3'
import type { ImportedRecord } from '../../src-main/contract/import-format.ts'
import { openReadConnection } from '../../src-main/database/connection.ts'
import { netscapeHtml } from '../../src-main/formats/netscape-html.ts'
import { startNodeProcess } from '../../src-main/host/own-program.ts'
import type { Tool } from '../../src-main/mcp/tools/tool.ts'
import { openService } from '../../src-main/service.ts'
import { constantTool, sdkHandler } from '../support/mcp-server.ts'
import { makeKey, noKeychain, testHost } from '../support/service.ts'
import { usageOf } from './harness.ts'
import { engines } from './search-engines.ts'

/** What a process sends when it is ready. */
export interface Facts {
  port: number
  key: string
  /** The token of commands. */
  token: string
  /** Time that building an index or writing rows took. */
  seconds: number
}

export interface Searched {
  /** In ms. */
  times: number[]
  anonymousMB: number
}

export interface Health {
  /** Delay of the event loop, in ms. */
  p99: number
  max: number
  anonymousMB: number
}

const KINDS = { service, constant, bare, sdk, searchFloor, importFloor, importIndexed, peer }
export type Kind = keyof typeof KINDS

/** Rows in a transaction, as in an import. */
const BATCH = 500

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
let search: ((words: string) => unknown) | undefined
const [kind = '', ...args] = process.argv.slice(2)
process.on('message', ({ queries }: { queries?: string[] }) => {
  process.send?.(queries ? timeSearches(queries) : readHealth())
})
process.on('disconnect', () => process.exit())
process.send?.(await KINDS[kind as Kind](args[0] ?? '', args[1] ?? ''))

function readHealth(): Health {
  const health = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 }
  delay.reset()
  return { ...health, anonymousMB: usageOf(process.pid).anonymousMB }
}

function timeSearches(queries: string[]): Searched {
  const times = queries.map((words) => {
    const begun = performance.now()
    search?.(words)
    return performance.now() - begun
  })
  return { times, anonymousMB: usageOf(process.pid).anonymousMB }
}

/** The whole service. */
async function service(data: string, _: string, tools?: Tool[]): Promise<Partial<Facts>> {
  const opened = await openService({
    ...testHost,
    data,
    startProcess: startNodeProcess,
    keychain: noKeychain,
    onBug: (error) => console.error(error),
    ...(tools && { tools })
  })
  const key = await makeKey(opened)
  return { port: (await opened.listen(0)).port, key, token: opened.commandToken }
}

/** The whole service with a tool that always answers the same. */
function constant(data: string): Promise<Partial<Facts>> {
  return service(data, '', [constantTool])
}

/** Reads the request and always answers the same: the least that a server on node:http can do. */
function bare(): Promise<Partial<Facts>> {
  const result = { content: [{ type: 'text', text: '{"ok":true}' }] }
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result })
  return serveText(() => text)
}

/** The official SDK's server with the same tool. */
function sdk(): Promise<Partial<Facts>> {
  const handler = sdkHandler()
  return serve(getRequestListener((request) => handler.fetch(request)))
}

/** A bare node:http server with one raw full-text query and its rows: the least that a search can do. */
function searchFloor(data: string): Promise<Partial<Facts>> {
  const db = openReadConnection(join(data, 'library.sqlite'))
  const match = db
    .prepare('SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH ? ORDER BY rowid DESC LIMIT 5 OFFSET ?')
    .pluck()
  const row = db.prepare('SELECT public_id, title, url, description, domain FROM bookmarks WHERE id = ?')
  return serveText((body) => {
    const { expression, offset } = JSON.parse(body) as { expression: string; offset: number }
    return JSON.stringify(match.all(expression, offset).map((id) => row.get(id)))
  })
}

function serveText(answer: (body: string) => string): Promise<Partial<Facts>> {
  return serve((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const text = answer(body)
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
      response.writeHead(200, headers).end(text)
    })
  })
}

async function serve(listener: RequestListener): Promise<Partial<Facts>> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port }
}

/** Parses a bookmark file and writes its rows into a table without an index: the least that an import can do. */
function importFloor(file: string, folder: string): Promise<Partial<Facts>> {
  return importPlain(file, join(folder, 'floor.sqlite'), false)
}

/** The same, and one full-text index by SQLite itself. */
function importIndexed(file: string, folder: string): Promise<Partial<Facts>> {
  return importPlain(file, join(folder, 'indexed.sqlite'), true)
}

async function importPlain(file: string, database: string, withIndex: boolean): Promise<Partial<Facts>> {
  const begun = performance.now()
  const db = new Sqlite(database)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('CREATE TABLE bookmarks (url TEXT, title TEXT, description TEXT, tags TEXT, created_at INTEGER) STRICT')
  db.exec("CREATE VIRTUAL TABLE texts USING fts5 (url, title, description, tags, content = '')")
  const insert = db.prepare('INSERT INTO bookmarks VALUES (?, ?, ?, ?, ?)')
  const index = db.prepare('INSERT INTO texts (rowid, url, title, description, tags) VALUES (?, ?, ?, ?, ?)')
  const insertAll = db.transaction((records: ImportedRecord[]) => {
    for (const { url, title, description, tags, createdAt = 0 } of records) {
      const { lastInsertRowid } = insert.run(url, title, description, tags.join(), createdAt)
      if (withIndex) index.run(lastInsertRowid, url, title, description, tags.join())
    }
  })
  const batch: ImportedRecord[] = []
  for (const entry of netscapeHtml.read(readFileSync(file, 'utf8'))) {
    if ('url' in entry && batch.push(entry) === BATCH) insertAll(batch.splice(0))
  }
  insertAll(batch)
  db.close()
  return { seconds: (performance.now() - begun) / 1000 }
}

/** A search engine in the memory of this process, without a server. */
async function peer(name: string, file: string): Promise<Partial<Facts>> {
  const begun = performance.now()
  search = engines(openReadConnection(file))[name]?.()
  return { seconds: (performance.now() - begun) / 1000 }
}
