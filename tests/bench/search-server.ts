/**
 * The processes that `bench -- search` measures. `ours` is the whole service on the library; `floor` answers the same
 * calls with the least there is: a bare node:http server, one raw full-text query and its rows.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startNodeProcess } from '../../src-main/host/child-process.ts'
import { openService } from '../../src-main/service.ts'
import { openReadConnection } from '../../src-main/store/connection.ts'
import { noKeychain } from '../support/no-keychain.ts'
import { makeKey } from '../support/service.ts'

const [kind, folder = ''] = process.argv.slice(2)
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', (message) => {
  if (message === 'reset') delay.reset()
  else process.send?.({ p99: delay.percentile(99) / 1e6, max: delay.max / 1e6, anonymous: anonymousMemory() })
})
process.on('disconnect', () => process.exit())
process.send?.(kind === 'floor' ? await floor() : await ours())

async function floor(): Promise<{ port: number }> {
  const db = openReadConnection(join(folder, 'library.sqlite'))
  const match = db.prepare(
    'SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH ? ORDER BY rowid DESC LIMIT 5 OFFSET ?'
  )
  const row = db.prepare('SELECT public_id, title, url, description, domain FROM bookmarks WHERE id = ?')
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { expression, offset } = JSON.parse(body) as { expression: string; offset: number }
      const found = (match.pluck().all(expression, offset) as number[]).map((id) => row.get(id))
      const text = JSON.stringify(found)
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        .end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port }
}

async function ours(): Promise<{ port: number; key: string }> {
  const service = await openService({
    data: folder,
    version: '0.0.0',
    dashboard: '.',
    startProcess: startNodeProcess,
    keychain: noKeychain,
    onBug: (error) => console.error(error)
  })
  const key = await makeKey(service)
  return { port: (await service.listen(0)).port, key }
}

/** Memory of this process alone, in MB; mapped pages of the library are the system's. */
function anonymousMemory(): number {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const line = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))
  return Number(line?.[1] ?? 0) / 1024
}
