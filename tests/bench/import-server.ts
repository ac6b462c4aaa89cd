/**
 * The processes that `bench -- import` measures. `service` is the whole service on an empty library; `floor` parses the
 * file and writes its rows as they are into a table without an index, and does nothing else; `searchable` also writes
 * them into one full-text index, as SQLite makes it by itself.
 */
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import Sqlite from 'better-sqlite3'
import type { ImportedEntry, ImportedRecord } from '../../src-main/contract/import-format.ts'
import { netscapeHtml } from '../../src-main/formats/netscape-html.ts'
import { startNodeProcess } from '../../src-main/host/child-process.ts'
import { openService } from '../../src-main/service.ts'
import { noKeychain } from '../support/no-keychain.ts'
import { makeKey } from '../support/service.ts'

/** Rows a transaction, as an import has. */
const BATCH = 500

const [kind, argument = ''] = process.argv.slice(2)
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', (message: 'reset' | { id: number }) => {
  if (message === 'reset') delay.reset()
  else
    process.send?.({ ...message, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6, anonymous: anonymousMemory() })
})
process.on('disconnect', () => process.exit())
process.send?.(kind === 'service' ? await service(argument) : await floor(argument, kind === 'searchable'))

async function service(data: string): Promise<{ port: number; key: string; token: string }> {
  const opened = await openService({
    data,
    version: '0.0.0',
    dashboard: '.',
    startProcess: startNodeProcess,
    keychain: noKeychain,
    onBug: (error) => console.error(error)
  })
  const key = await makeKey(opened)
  return { port: (await opened.listen(0)).port, key, token: opened.commandToken }
}

async function floor(file: string, searchable: boolean): Promise<{ seconds: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'earmark-bench-floor-'))
  const begun = performance.now()
  const db = new Sqlite(join(folder, 'floor.sqlite'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('CREATE TABLE bookmarks (url TEXT, title TEXT, description TEXT, tags TEXT, created_at INTEGER) STRICT')
  const insert = db.prepare('INSERT INTO bookmarks VALUES (?, ?, ?, ?, ?)')
  if (searchable) db.exec("CREATE VIRTUAL TABLE texts USING fts5 (url, title, description, tags, content = '')")
  const index = searchable
    ? db.prepare('INSERT INTO texts (rowid, url, title, description, tags) VALUES (?, ?, ?, ?, ?)')
    : undefined
  const insertAll = db.transaction((records: ImportedRecord[]) => {
    for (const { url, title, description, tags, createdAt = 0 } of records) {
      const { lastInsertRowid } = insert.run(url, title, description, tags.join(), createdAt)
      index?.run(lastInsertRowid, url, title, description, tags.join())
    }
  })
  const reader = netscapeHtml.reader()
  const batch: ImportedRecord[] = []
  const take = (records: ImportedEntry[]) => {
    batch.push(...records.filter((record) => 'url' in record))
    while (batch.length >= BATCH) insertAll(batch.splice(0, BATCH))
  }
  for await (const text of createReadStream(file, 'utf8')) take(reader.write(text))
  take(reader.end())
  insertAll(batch)
  db.close()
  const seconds = (performance.now() - begun) / 1000
  rmSync(folder, { recursive: true, force: true })
  return { seconds }
}

/** Memory of this process alone, in MB; mapped pages of the library are the system's. */
function anonymousMemory(): number {
  const line = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))
  return Number(line?.[1] ?? 0) / 1024
}
