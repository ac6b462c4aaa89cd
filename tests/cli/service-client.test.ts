import { cpSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createFindService } from '../../src-main/cli/find-service.ts'
import { createClient, type ServiceClient, withConnection } from '../../src-main/cli/service-client.ts'
import { programOrigin } from '../../src-main/contract/endpoint.ts'
import { writeServiceFile } from '../../src-main/host/service-file.ts'
import { makeKey, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** A service on a port, with its service file. */
async function serving() {
  const data = tempFolder()
  const service = await testService({ data })
  const { port } = await service.listen(0)
  const facts = { url: programOrigin(port), token: service.commandToken, pid: process.pid }
  await writeServiceFile(data, facts)
  return { data, service, port, facts, key: await makeKey(service) }
}

async function listening(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Another program on a port. @returns everything it receives, as sent */
async function otherProgram(port: number, answer: RequestListener = (_, response) => response.end('{}')) {
  const received: string[] = []
  const server = createServer(answer)
  server.on('connection', (socket) => socket.on('data', (bytes) => received.push(String(bytes))))
  onTestFinished(() => server.closeAllConnections())
  return { received, port: await listening(server, port) }
}

const OTHER_PROGRAM = /Another program answers at http:\/\/127\.0\.0\.1:\d+\. Stop it, then start Earmark again\./

const finding = (data: string) => createFindService({ data, start: undefined, howToStart: 'Start it.' })

function ask({ url, fetch }: ServiceClient, key: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  return fetch(new Request(`${url}/api/tools/mcp`, { method: 'POST', headers, body: '{}' }))
}

test('another program that takes the port of a service receives neither key nor token', async () => {
  const { data, service, port, key, facts } = await serving()
  const find = finding(data)
  const client = await find({})
  expect((await ask(client, key)).status).toBe(400)
  await service.close()
  const { received } = await otherProgram(port)
  expect(await find({})).toBe(client)
  await expect(ask(client, key)).rejects.toThrow() // the open connection has ended
  await expect(ask(client, key)).rejects.toThrow(OTHER_PROGRAM)
  await expect(find({ lost: true })).rejects.toThrow(OTHER_PROGRAM)
  expect(received.length).toBeGreaterThan(0)
  expect(received.join()).not.toContain(key)
  expect(received.join()).not.toContain(facts.token)
})

test.each<[name: string, answer: RequestListener]>([
  ['an empty answer', (_, response) => response.end()],
  ['another proof', (_, response) => response.end('{"proof":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}')],
  ['an error', (_, response) => response.writeHead(500).end('{"proof":"x"}')],
  ['a proof that is too long', (_, response) => response.end(`{"proof":"${'x'.repeat(100_000)}"}`)],
  ['an answer without a length', (_, response) => response.write('{"proof":') && response.end('"x"}')]
])('%s does not prove that the service answers', async (_, answer) => {
  const { received, port } = await otherProgram(0, answer)
  const client = createClient({ url: programOrigin(port), token: 'secret' })
  await expect(ask(client, 'emk_key')).rejects.toThrow(OTHER_PROGRAM)
  expect(received).toHaveLength(1)
  expect(received[0]).toMatch(/^GET \/api\/proof\?nonce=[\w-]{22} HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n\r\n$/)
})

test('a service that replaces a killed one is found as soon as it writes its own file', async () => {
  const { data, facts } = await serving()
  await writeServiceFile(data, { ...facts, token: 'of the killed service' })
  const client = finding(data)({})
  setTimeout(() => void writeServiceFile(data, facts), 300)
  expect((await client).token).toBe(facts.token)
})

test('a service that replaces one which still accepts connections is found', async () => {
  const { data, facts } = await serving()
  // The old service accepts a connection but answers nothing while the new one writes its file.
  const old = createSocketServer((socket) => {
    setTimeout(async () => {
      await writeServiceFile(data, facts)
      socket.destroy()
    }, 1100)
  })
  const url = programOrigin(await listening(old))
  await writeServiceFile(data, { url, token: 'of the old service', pid: process.pid })
  expect((await finding(data)({})).url).toBe(facts.url)
})

test('a command uses the service of its data folder, but not from a copy of the folder', async () => {
  const { data } = await serving()
  const copy = join(tempFolder(), 'copy')
  cpSync(data, copy, { recursive: true })
  const isServed = (folder: string) => withConnection(folder, async ({ running }) => running)
  expect(await isServed(data)).toBe(true)
  expect(await isServed(copy)).toBe(false)
})

test('a text body is sent with its length, a stream piece by piece', async () => {
  const { facts } = await serving()
  const { url, token, fetch } = createClient(facts)
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
