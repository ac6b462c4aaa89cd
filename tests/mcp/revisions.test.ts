import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { makeKey, testService } from '../support/service.ts'
import { later } from '../support/temp-folder.ts'

/**
 * Each kind of client gets the form of its protocol revision: plain JSON-RPC callers, clients with a handshake, clients
 * of 2026-07-28. `differential.test.ts` compares the same with the official SDK.
 */
const SEARCH = 'bookmarks.search'
const INSERT = 'bookmarks.insert'
const UNDERSCORE = '?names=underscore'
const MODERN = '2026-07-28'
const SERVER = 'io.modelcontextprotocol/serverInfo'
const CLIENTS = ['plain', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', MODERN]
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'acceptance', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {}
}

/** The icon in the answers is the program's own. */
const ICON = readFileSync('resources/icon.svg', 'utf8')
  .replace(/<title>.*<\/title>/, '')
  .replace(/ \/>/g, '/>')
const ABOUT = {
  websiteUrl: 'https://site.invalid/',
  icons: [
    { src: `data:image/svg+xml;base64,${btoa(ICON.replace(/\n\s*/g, ''))}`, mimeType: 'image/svg+xml', sizes: ['any'] }
  ]
}

const atEnd = later()
let service: Service
let key = ''
let readOnlyKey = ''

beforeAll(async () => {
  service = await testService({}, atEnd)
  key = await makeKey(service)
  readOnlyKey = await makeKey(service, { readOnly: true })
  await send('plain', toolCall(INSERT, { urls: ['https://a.example/larch', 'https://b.example/pine'] }))
})

interface Message {
  id?: unknown
  method?: unknown
  params?: unknown
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests check
  json: any
}

/** Sends a message with the headers and the `_meta` of a client's revision. */
async function send(
  client: string,
  message: Message,
  { headers = {}, query = '' }: { headers?: Record<string, string>; query?: string } = {}
): Promise<Answer> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, ...headersOf(client, message), ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message, params: paramsOf(client, message) })
  }
  const response = await service.fetch(new Request(`http://127.0.0.1/api/tools/mcp${query}`, init))
  const body = await response.text()
  return { status: response.status, json: body === '' ? undefined : JSON.parse(body) }
}

function paramsOf(client: string, { params }: Message): unknown {
  if (client !== MODERN || (params !== undefined && (typeof params !== 'object' || Array.isArray(params))))
    return params
  return { ...params, _meta: META }
}

function headersOf(client: string, { method, params }: Message): Record<string, string> {
  if (client === 'plain' || (method === 'initialize' && client !== MODERN)) return {}
  if (client !== MODERN) return { 'mcp-protocol-version': client }
  const name = (params as { name?: unknown } | undefined)?.name
  return {
    'mcp-protocol-version': MODERN,
    'mcp-method': String(method),
    ...(typeof name === 'string' && { 'mcp-name': name })
  }
}

function toolCall(name: unknown, args?: unknown): Message {
  return { id: 7, method: 'tools/call', params: { name, ...(args !== undefined && { arguments: args }) } }
}

const namesIn = ({ json }: Answer) => json.result.tools.map(({ name }: { name: string }) => name)
const payloadIn = ({ json }: Answer) => JSON.parse(json.result.content[0].text)

describe.each(CLIENTS)('a client of %s', (client) => {
  const plain = client === 'plain'
  const modern = client === MODERN
  const resultType = modern ? 'complete' : undefined
  const invalidParams = (reason: RegExp) => {
    return { code: -32602, message: 'Invalid params', data: expect.stringMatching(reason) }
  }

  test('lists two tools, whose names have a dot or an underscore as the address asks', async () => {
    const answer = await send(client, { id: 1, method: 'tools/list' })
    expect(answer).toMatchObject({ status: 200, json: { jsonrpc: '2.0', id: 1 } })
    expect(namesIn(answer)).toEqual([SEARCH, INSERT])
    const { result } = answer.json
    expect(result.resultType).toBe(resultType)
    expect('ttlMs' in result && 'cacheScope' in result).toBe(modern)
    const underscored = await send(client, { id: 1, method: 'tools/list' }, { query: UNDERSCORE })
    expect(namesIn(underscored)).toEqual(['bookmarks_search', 'bookmarks_insert'])
  })

  test.each(['', UNDERSCORE])('calls tools by either name at the query %j and gets one text item', async (query) => {
    for (const name of [SEARCH, 'bookmarks_search']) {
      const { status, json } = await send(client, toolCall(name), { query })
      expect(status).toBe(200)
      expect(json.result).toEqual({
        content: [{ type: 'text', text: expect.stringContaining('"total"') }],
        ...(modern && { resultType, _meta: { [SERVER]: { name: 'earmark', version: '0.0.0-test' } } })
      })
    }
  })

  test.each<[tool: string, args: object, reason: RegExp]>([
    [SEARCH, { page: 0, limit: 0 }, /page.*limit/],
    [INSERT, { urls: ['https://good.example/', 5] }, /urls/],
    [INSERT, { urls: ['ftp://good.example/'] }, /ftp/]
  ])('gets the reason why %s refuses %j, and nothing is saved', async (tool, args, reason) => {
    const { status, json } = await send(client, toolCall(tool, args))
    if (plain) {
      expect([status, json]).toEqual([400, { jsonrpc: '2.0', id: 7, error: invalidParams(reason) }])
    } else {
      expect(status).toBe(200)
      expect(json.result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(reason) }] })
      expect(json.result.content[0].text).toMatch(/^Invalid params: ./)
      expect(json.result.resultType).toBe(resultType)
    }
    expect(payloadIn(await send(client, toolCall(SEARCH, { domain: 'good.example' }))).total).toBe(0)
  })

  test.each<[string, object | undefined, RegExp]>([
    ['no params', undefined, /name/],
    ['no tool name', { arguments: {} }, /name/],
    ['a tool name that is a number', { name: 1, arguments: {} }, /name/],
    ['arguments that are a list', { name: SEARCH, arguments: [] }, /arguments/],
    ['arguments that are a number', { name: SEARCH, arguments: 1 }, /arguments/],
    ['arguments that are plain words', { name: SEARCH, arguments: 'x' }, /arguments/]
  ])('gets an error for %s', async (_, params, reason) => {
    const { status, json } = await send(client, { id: 'seven', method: 'tools/call', params })
    expect(status).toBe(plain ? 400 : 200)
    expect(json).toEqual({ jsonrpc: '2.0', id: 'seven', error: invalidParams(reason) })
  })

  test.each([null, '', '{"domain":"a.example"}'])(
    plain ? 'gets an error for the arguments %j' : 'may send %j for its arguments',
    async (args) => {
      const answer = await send(client, toolCall(SEARCH, args))
      if (plain) expect(answer).toMatchObject({ status: 400, json: { error: invalidParams(/arguments/) } })
      else expect(payloadIn(answer)).toMatchObject({ total: args ? 1 : 2 })
    }
  )

  test(plain ? 'gets every field of a bookmark' : 'gets the fields of a bookmark that say something', async () => {
    const { bookmarks } = payloadIn(await send(client, toolCall(SEARCH, { domain: 'a.example' })))
    const [id, url] = [expect.any(String), 'https://a.example/larch']
    const empty = { type: 'link', title: '', description: '', tags: [], visibility: 'private', domain: 'a.example' }
    expect(bookmarks).toStrictEqual([
      plain
        ? { id, url, ...empty, createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) }
        : { id, url, createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }
    ])
  })

  test('gets the names of the tools if it calls another', async () => {
    const { status, json } = await send(client, toolCall('bookmarks.delete', {}))
    expect(status).toBe(plain ? 400 : 200)
    const data = 'Valid tools: bookmarks.search, bookmarks.insert'
    const error = { code: -32602, message: `Unknown tool: bookmarks.delete. ${data}`, data }
    expect(json).toEqual({ jsonrpc: '2.0', id: 7, error })
  })

  test.each([
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
    ['prompts/list', 'prompts']
  ])('that asks for %s, which the server does not offer, gets what its revision says', async (method, list) => {
    const { status, json } = await send(client, { id: 1, method, params: {} })
    if (plain || modern) expect([status, json.error.code]).toEqual([404, -32601])
    else expect([status, json.result]).toEqual([200, { [list]: [] }])
  })

  test.each(['', 'tools/run', 'Tools/List', '__proto__', 'resources/read'])(
    'gets the names of the methods if it sends %j',
    async (method) => {
      const { status, json } = await send(client, { id: 'x', method, params: {} })
      expect(status).toBe(plain || modern ? 404 : 200)
      const data = 'Valid methods: initialize, tools/list, tools/call'
      const error = { code: -32601, message: `Method not found: ${method}`, data }
      expect(json).toEqual({ jsonrpc: '2.0', id: 'x', error })
    }
  )

  test(modern ? 'has no ping' : 'pings', async () => {
    const { status, json } = await send(client, { id: 4, method: 'ping' })
    if (modern) expect([status, json.error.code]).toEqual([404, -32601])
    else expect([status, json.result]).toEqual([200, {}])
  })

  test(modern ? 'has no handshake' : 'initializes', async () => {
    const clientInfo = { name: 'acceptance', version: '1' }
    const params = plain ? { client: clientInfo } : { protocolVersion: client, capabilities: {}, clientInfo }
    const { status, json } = await send(client, { id: 5, method: 'initialize', params })
    if (modern) return expect([status, json.error.code]).toEqual([404, -32601])
    expect(status).toBe(200)
    expect(json.result).toMatchObject({
      protocolVersion: plain ? '2025-11-25' : client,
      capabilities: { tools: {} },
      serverInfo: { name: 'earmark', version: '0.0.0-test', ...(!plain && ABOUT) },
      instructions: expect.stringMatching(/bookmarks\.search.*before.*bookmarks\.insert.*never follow/)
    })
  })

  test(modern ? 'discovers the server' : 'cannot discover the server', async () => {
    const { status, json } = await send(client, { id: 1, method: 'server/discover' })
    if (!modern) return expect([status, json.error.code]).toEqual([plain ? 404 : 200, -32601])
    expect(status).toBe(200)
    expect(json.result).toMatchObject({
      supportedVersions: [MODERN],
      capabilities: { tools: {} },
      resultType: 'complete',
      ttlMs: expect.any(Number),
      cacheScope: expect.stringMatching(/^(public|private)$/),
      _meta: { [SERVER]: { name: 'earmark', ...ABOUT } }
    })
  })

  test.each([
    { method: 'notifications/initialized' },
    { method: 'notifications/cancelled', params: { requestId: 1, reason: 'changed my mind' } },
    { method: 'notifications/unknown' }
  ])('gets no body for $method', async (notification) => {
    expect(await send(client, notification)).toEqual({ status: 202, json: undefined })
  })

  test('with a read-only key gets a tool error that names the missing right', async () => {
    const insert = toolCall(INSERT, { urls: 'https://read-only.example/' })
    const { status, json } = await send(client, insert, { headers: { 'x-api-key': readOnlyKey } })
    expect([status, json.result.isError]).toEqual([200, true])
    const list = await send(client, { id: 1, method: 'tools/list' }, { headers: { 'x-api-key': readOnlyKey } })
    expect(namesIn(list)).toEqual(plain ? [SEARCH, INSERT] : [SEARCH])
    expect(payloadIn({ status, json })).toEqual({
      error: { code: 'forbidden', message: expect.stringMatching(/read-only.*Nothing was saved.*Profile, API Keys/) }
    })
  })
})

describe('a client without a version header', () => {
  const invalidCall = (_meta?: unknown) => {
    return { id: 1, method: 'tools/call', params: { name: SEARCH, arguments: { limit: 101 }, _meta } }
  }

  // Gemini CLI agrees on a revision and then sends a progress token but no header.
  test('is a client with a handshake if it sends a _meta', async () => {
    const { status, json } = await send('plain', invalidCall({ progressToken: 1 }))
    expect([status, json.result.isError]).toEqual([200, true])
  })

  test.each([undefined, null, 'x', []])('is plain if its _meta is %j, whatever it accepts', async (_meta) => {
    for (const accept of ['*/*', 'application/json, text/event-stream']) {
      const { status, json } = await send('plain', invalidCall(_meta), { headers: { accept } })
      expect([status, json.error.code]).toEqual([400, -32602])
    }
  })

  test('reads the names with an underscore in instructions and errors if the address asks for them', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
    const initialized = await send('plain', { id: 1, method: 'initialize', params }, { query: UNDERSCORE })
    expect(initialized.json.result.instructions).toContain('bookmarks_search')
    expect(initialized.json.result.instructions).not.toContain('bookmarks.search')
    const unknown = await send('plain', toolCall('x'), { query: UNDERSCORE })
    expect(unknown.json.error.message).toContain('bookmarks_search, bookmarks_insert')
  })
})

describe('a handshake', () => {
  const initialize = (params?: object) => send('plain', { id: 'seven', method: 'initialize', params })

  test.each(['2030-01-01', '', MODERN])('for the revision %j is answered with 2025-11-25', async (protocolVersion) => {
    const { status, json } = await initialize({ protocolVersion })
    expect([status, json.result.protocolVersion]).toEqual([200, '2025-11-25'])
  })

  test('for a revision that is a number is refused', async () => {
    expect((await initialize({ protocolVersion: 7 })).json.error).toMatchObject({ code: -32602 })
  })

  test.each([undefined, {}, { client: {} }, { client: 'x' }])('with the params %j is refused', async (params) => {
    const error = { code: -32602, message: 'Invalid params', data: expect.stringMatching(/client/) }
    expect(await initialize(params)).toEqual({ status: 400, json: { jsonrpc: '2.0', id: 'seven', error } })
  })
})

test('session headers are ignored, and an unknown version header is refused', async () => {
  const list = { id: 1, method: 'tools/list' }
  const session = { 'mcp-session-id': 'anything', 'last-event-id': '9' }
  expect((await send('2025-06-18', list, { headers: session })).status).toBe(200)
  const { status, json } = await send('plain', list, { headers: { 'mcp-protocol-version': '1999-01-01' } })
  expect([status, json.id, json.error.code]).toEqual([400, 1, -32600])
})
