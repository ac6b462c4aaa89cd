import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { leaveServiceFile } from '../../src-main/host/service-file.ts'
import { createFindService } from '../../src-main/serve/bridge/find-service.ts'
import { clientOf, type ServiceClient } from '../../src-main/serve/service-client.ts'
import { makeKey, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** A service on a port, found by its file. */
async function serving() {
  const data = tempFolder()
  const service = await testService({ data })
  const { port } = await service.listen(0)
  const facts = { url: `http://127.0.0.1:${port}`, token: service.commandToken, pid: process.pid }
  leaveServiceFile(data, facts)
  return { data, service, port, facts, key: await makeKey(service) }
}

async function listening(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Another program on a port. @returns all it was sent, as it stood on the wire */
async function stranger(port: number, answer: RequestListener = (_, response) => response.end('{}')) {
  const sent: string[] = []
  const server = createServer(answer)
  server.on('connection', (socket) => socket.on('data', (bytes) => sent.push(String(bytes))))
  onTestFinished(() => server.closeAllConnections())
  return { sent, port: await listening(server, port) }
}

const told = /Another program answers at http:\/\/127\.0\.0\.1:\d+\. Stop it, then start Earmark again\./

const finding = (data: string) => createFindService({ data, start: undefined, howToStart: 'Start it.' })

function ask({ url, fetch }: ServiceClient, key: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  return fetch(new Request(`${url}/api/tools/mcp`, { method: 'POST', headers, body: '{}' }))
}

test('another program on the port of a service that was known a moment ago is sent neither key nor token', async () => {
  const { data, service, port, key, facts } = await serving()
  const find = finding(data)
  const known = await find(false)
  expect((await ask(known, key)).status).toBe(400)
  await service.close()
  const { sent } = await stranger(port)
  expect(await find(false)).toBe(known)
  await expect(ask(known, key)).rejects.toThrow() // the connection that was kept has ended
  await expect(ask(known, key)).rejects.toThrow(told)
  await expect(find(true)).rejects.toThrow(told)
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.join()).not.toContain(key)
  expect(sent.join()).not.toContain(facts.token)
})

test.each<[what: string, answer: RequestListener]>([
  ['nothing', (_, response) => response.end()],
  ['another proof', (_, response) => response.end('{"proof":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}')],
  ['an error', (_, response) => response.writeHead(500).end('{"proof":"x"}')],
  ['more than a proof', (_, response) => response.end(`{"proof":"${'x'.repeat(100_000)}"}`)],
  ['pieces without a length', (_, response) => response.write('{"proof":') && response.end('"x"}')]
])('%s is no proof', async (_, answer) => {
  const { sent, port } = await stranger(0, answer)
  await expect(ask(clientOf({ url: `http://127.0.0.1:${port}`, token: 'secret' }), 'emk_key')).rejects.toThrow(told)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatch(/^GET \/api\/proof\?nonce=[\w-]{22} HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n\r\n$/)
})

test('the service is found that took the place of a killed one and has not yet left its own file', async () => {
  const { data, facts } = await serving()
  leaveServiceFile(data, { ...facts, token: 'of the killed one' })
  const found = finding(data)(false)
  setTimeout(() => leaveServiceFile(data, facts), 300)
  expect((await found).token).toBe(facts.token)
})

test('a body goes out with its length, and a stream piece by piece', async () => {
  const { facts } = await serving()
  const { url, token, fetch } = clientOf(facts)
  const send = (path: string, init: object) => {
    const headers = { authorization: `Bearer ${token}`, ...Object(init).headers }
    return fetch(new Request(`${url}/api/${path}`, { method: 'POST', ...init, headers }))
  }
  const json = { 'content-type': 'application/json' }
  expect((await send('keys', { headers: json, body: '{"name":"Zoë"}' })).status).toBe(201)
  const body = Readable.toWeb(Readable.from([Buffer.from('https://one.exa'), Buffer.from('mple/\n')]))
  const sent = await send('imports?name=x&format=urls', { body, duplex: 'half' })
  expect(await sent.json()).toMatchObject({ imported: 1, rejected: 0 })
})
