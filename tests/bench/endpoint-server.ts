/** One of the servers that `bench -- endpoint` measures, in a process of its own. Prints its port, then serves. */
import { mkdtempSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { startNodeProcess } from '../../src-main/host/child-process.ts'
import { openService } from '../../src-main/service.ts'
import { constantTool } from '../support/fixture-tools.ts'
import { noKeychain } from '../support/no-keychain.ts'
import { sdkHandler } from '../support/sdk-server.ts'
import { makeKey } from '../support/service.ts'

const SERVERS = { bare, ours, sdk }

const start = SERVERS[process.argv[2] as keyof typeof SERVERS]
console.log(JSON.stringify(await start()))

/** Reads the request and answers a constant: the least any server on node:http can do. */
async function bare(): Promise<{ port: number }> {
  const constant = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: '{"ok":true}' }] }
  })
  return serve((request, response) => {
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
}

/** The whole service on a library on disk, with a tool that answers a constant. */
async function ours(): Promise<{ port: number; key: string }> {
  const service = await openService({
    data: mkdtempSync(join(tmpdir(), 'earmark-bench-')),
    version: '0.0.0',
    dashboard: '.',
    startProcess: startNodeProcess,
    keychain: noKeychain,
    tools: [constantTool],
    onBug: (error) => console.error(error)
  })
  const key = await makeKey(service)
  return { port: (await service.listen(0)).port, key }
}

/** The official SDK's server with the same tool. */
async function sdk(): Promise<{ port: number }> {
  const handler = sdkHandler()
  return serve(getRequestListener((request) => handler.fetch(request)))
}

async function serve(listener: RequestListener): Promise<{ port: number }> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port }
}
