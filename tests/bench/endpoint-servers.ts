/** The three servers that `bench:endpoint` measures, in one process of their own. Prints where they are, then serves. */
import { mkdtempSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { openService } from '../../src-main/service.ts'
import { constantTool } from '../support/fixture-tools.ts'
import { sdkHandler } from '../support/sdk-server.ts'
import { makeKey, noKeychain } from '../support/service.ts'

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const constant = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '{"ok":true}' }] } })

/** Reads the request and answers a constant: the least any server on node:http can do. */
const bare = await serve((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(constant) }
    response.writeHead(body === '' ? 400 : 200, headers).end(constant)
  })
})

const service = await openService({
  data: mkdtempSync(join(tmpdir(), 'earmark-bench-')),
  version: '0.0.0',
  dashboard: '.',
  keychain: noKeychain,
  tools: [constantTool],
  onBug: (error) => console.error(error)
})
const key = await makeKey(service)
const ours = (await service.listen(0)).port

const sdk = await serve(getRequestListener((request) => sdkHandler().fetch(request)))

console.log(JSON.stringify({ bare, ours, sdk, key }))
