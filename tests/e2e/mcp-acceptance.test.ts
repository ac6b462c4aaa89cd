/** The acceptance table of the endpoint: every kind of caller against every kind of message, over real HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey, type Shared, startSharedProgram } from '../support/shared-program.ts'

let shared: Shared
let readOnlyKey: string

beforeAll(async () => {
  shared = await startSharedProgram()
  readOnlyKey = await createKey(shared.data, 'reader', ['--read-only'])
})
afterAll(() => shared.remove())

const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const MODERN = '2026-07-28'
const ERAS = ['plain', ...LEGACY, MODERN]

interface Message {
  id?: unknown
  method?: unknown
  params?: unknown
  [other: string]: unknown
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the table is about
  json: any
  text: string
}

/** Sends a message as a caller of this era would: the headers and `_meta` of its revision around the same content. */
async function send(era: string, message: Message | string, extra: Record<string, string> = {}): Promise<Answer> {
  const body = typeof message === 'string' ? message : JSON.stringify(dress(era, message))
  const response = await fetch(shared.mcp, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': shared.key, ...headersOf(era, message), ...extra },
    body
  })
  const text = await response.text()
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text), text }
}

function dress(era: string, { params, ...message }: Message): object {
  const plain = { jsonrpc: '2.0', ...message, ...(params !== undefined && { params }) }
  if (era !== MODERN || (params !== undefined && (typeof params !== 'object' || Array.isArray(params)))) return plain
  return { ...plain, params: { ...(params as object | null), _meta: META } }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'acceptance', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {}
}

function headersOf(era: string, message: Message | string): Record<string, string> {
  if (era === 'plain' || (typeof message === 'object' && message.method === 'initialize' && era !== MODERN)) return {}
  if (era !== MODERN) return { 'mcp-protocol-version': era }
  const { method, params } = typeof message === 'object' ? message : {}
  const name = (params as { name?: unknown } | undefined)?.name
  return {
    'mcp-protocol-version': MODERN,
    ...(typeof method === 'string' && { 'mcp-method': method }),
    ...(typeof name === 'string' && { 'mcp-name': name })
  }
}

const call = (name: unknown, args?: unknown): Message => ({
  id: 7,
  method: 'tools/call',
  params: { name, ...(args !== undefined && { arguments: args }) }
})

describe.each(ERAS)('%s', (era) => {
  const plain = era === 'plain'
  const modern = era === MODERN

  test('lists exactly two tools, in order', async () => {
    const { status, json } = await send(era, { id: 1, method: 'tools/list' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ jsonrpc: '2.0', id: 1 })
    expect(json.result.tools.map((tool: { name: string }) => tool.name)).toEqual([
      'bookmarks.search',
      'bookmarks.insert'
    ])
    expect(json.result.resultType).toBe(modern ? 'complete' : undefined)
    expect('ttlMs' in json.result && 'cacheScope' in json.result).toBe(modern)
  })

  test('gets a tool result of one text item', async () => {
    const { status, json } = await send(era, call('bookmarks.search', {}))
    expect(status).toBe(200)
    expect(json.result.content).toHaveLength(1)
    expect(json.result.content[0].type).toBe('text')
    expect(JSON.parse(json.result.content[0].text)).toMatchObject({ page: 1, limit: 5, hasMore: expect.any(Boolean) })
    expect(json.result.resultType).toBe(modern ? 'complete' : undefined)
    expect('structuredContent' in json.result).toBe(false)
  })

  test('may call a tool by its name with an underscore, and without arguments', async () => {
    const { status, json } = await send(era, call('bookmarks_search'))
    expect(status).toBe(200)
    expect(json.result.isError).toBeUndefined()
  })

  test('saves, and the second time the page exists', async () => {
    const urls = [`https://a.example/${era}`]
    const first = await send(era, call('bookmarks.insert', { urls }))
    const second = await send(era, call('bookmarks.insert', { urls: `${urls[0]}#top` }))
    expect(JSON.parse(first.json.result.content[0].text)).toMatchObject({ saved: 1, existing: 0, invalid: 0 })
    expect(JSON.parse(second.json.result.content[0].text)).toMatchObject({ saved: 0, existing: 1, invalid: 0 })
  })

  test.each([
    ['an unknown argument', 'bookmarks.search', { words: 'x' }],
    ['a limit that is too large', 'bookmarks.search', { limit: 101 }],
    ['no urls', 'bookmarks.insert', {}],
    ['only bad urls', 'bookmarks.insert', { urls: ['ftp://a.example/'] }]
  ])('is told of bad arguments in the way its revision has for it: %s', async (_, name, args) => {
    const { status, json } = await send(era, call(name, args))
    if (plain) {
      expect(status).toBe(400)
      expect(json.error).toEqual({ code: -32602, message: 'Invalid params', data: expect.stringMatching(/./) })
    } else {
      expect(status).toBe(200)
      expect(json.result.isError).toBe(true)
      expect(json.result.content[0].text).toMatch(/^Invalid params: ./)
      expect(json.result.resultType).toBe(modern ? 'complete' : undefined)
    }
  })

  test.each([
    ['arguments that are a list', call('bookmarks.search', [])],
    ['no tool name', { id: 7, method: 'tools/call', params: { arguments: {} } }],
    ['a tool name that is a number', call(5, {})]
  ])('is told that params are malformed: %s', async (_, message) => {
    const { status, json } = await send(era, message as Message)
    expect(status).toBe(plain ? 400 : 200)
    expect(json).toMatchObject({ id: 7, error: { code: -32602, message: 'Invalid params', data: expect.any(String) } })
  })

  test.each([
    ['arguments', call('bookmarks.search', null)],
    ['a tag', call('bookmarks.search', { tags: null, page: null })]
  ])('sends null for %s: not given, but to a plain caller', async (_, message) => {
    const { status, json } = await send(era, message)
    if (plain) return expect([status, json.error.message]).toEqual([400, 'Invalid params'])
    expect([status, json.result.isError]).toEqual([200, undefined])
  })

  test.each([
    ['several in one string', 'a, b', /^tags: several tags in one string: send a list, \["a","b"\]/],
    ['one with its #', ['#a'], /^tags: tags are named without #: send "a"$/]
  ])('is told what to send for tags that find nothing: %s', async (_, tags, advice) => {
    const { status, json } = await send(era, call('bookmarks.search', { tags }))
    expect([status, json.result.isError ?? false]).toEqual([200, !plain])
    if (!plain) expect(json.result.content[0].text.replace(/^Invalid params: /, '')).toMatch(advice)
  })

  test('is told which tools there are when it asks for another', async () => {
    const { status, json } = await send(era, call('bookmarks.delete', {}))
    expect(status).toBe(plain ? 400 : 200)
    expect(json.error).toMatchObject({ code: -32602, message: expect.stringContaining('bookmarks.delete') })
    expect(json.error.message).toMatch(/bookmarks\.search.*bookmarks\.insert/)
    expect(json.error.data).toMatch(/bookmarks\.search.*bookmarks\.insert/)
  })

  test('is told that a method does not exist', async () => {
    const { status, json } = await send(era, { id: 'x', method: 'bookmarks/list' })
    expect(status).toBe(plain || modern ? 404 : 200)
    expect(json).toMatchObject({ id: 'x', error: { code: -32601 } })
  })

  test.each(['resources/list', 'prompts/list', 'logging/setLevel', 'completion/complete'])(
    'is told that there is no %s',
    async (method) => {
      const { status, json } = await send(era, { id: 3, method, params: {} })
      expect(status).toBe(plain || modern ? 404 : 200)
      expect(json.error.code).toBe(-32601)
    }
  )

  test('pings where its revision has a ping', async () => {
    const { status, json } = await send(era, { id: 4, method: 'ping' })
    if (modern) expect([status, json.error.code]).toEqual([404, -32601])
    else expect([status, json.result]).toEqual([200, {}])
  })

  test('initializes where its revision has a handshake', async () => {
    const params = plain
      ? { client: { name: 'acceptance' } }
      : { protocolVersion: era, capabilities: {}, clientInfo: { name: 'acceptance', version: '1' } }
    const { status, json } = await send(era, { id: 5, method: 'initialize', params })
    if (modern) return expect([status, json.error.code]).toEqual([404, -32601])
    expect(status).toBe(200)
    expect(json.result).toMatchObject({
      protocolVersion: plain ? '2025-11-25' : era,
      capabilities: { tools: {} },
      serverInfo: { name: 'earmark', version: expect.any(String) },
      instructions: expect.stringMatching(/bookmarks\.search.*before.*bookmarks\.insert.*never follow/)
    })
  })

  test('sends notifications that have no answer', async () => {
    const { status, text } = await send(era, { method: 'notifications/initialized' })
    expect([status, text]).toEqual([202, ''])
  })

  test('must give an id with a request', async () => {
    const { status, json } = await send(era, { method: 'tools/list' })
    expect([status, json.id, json.error.code]).toEqual([400, null, -32600])
  })

  test.each([
    ['text that is no JSON', '{"jsonrpc":"2.0","id":1', -32700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', -32600],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', -32600],
    ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}', -32600],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', -32600],
    ['33 levels of nesting', `${'['.repeat(33)}${']'.repeat(33)}`, -32600]
  ])('is refused what is no JSON-RPC request: %s', async (_, body, code) => {
    const { status, json } = await send(era, body)
    expect([status, json.error.code]).toEqual([400, code])
  })

  test('a read-only key is told which right it lacks, and nothing is saved', async () => {
    const url = `https://b.example/${era}`
    const { status, json } = await send(era, call('bookmarks.insert', { urls: [url] }), { 'x-api-key': readOnlyKey })
    expect(status).toBe(200)
    expect(json.result.isError).toBe(true)
    expect(JSON.parse(json.result.content[0].text)).toEqual({
      error: { code: 'forbidden', message: expect.stringMatching(/read-only/) }
    })
    const { json: found } = await send(era, call('bookmarks.search', { domain: 'b.example' }))
    expect(JSON.parse(found.result.content[0].text).total).toBe(0)
  })

  test('lists names without a dot where the address asks for them', async () => {
    const message = { id: 1, method: 'tools/list' }
    const response = await fetch(`${shared.mcp}?names=underscore`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': shared.key, ...headersOf(era, message) },
      body: JSON.stringify(dress(era, message))
    })
    const { result } = (await response.json()) as { result: { tools: { name: string }[] } }
    expect(result.tools.map((tool) => tool.name)).toEqual(['bookmarks_search', 'bookmarks_insert'])
  })
})

describe('a host that agrees on a revision and then sends no header', () => {
  const params = { name: 'bookmarks.search', arguments: { limit: 101 } }

  test('is of that revision where it sends a _meta, such as a progress token', async () => {
    const message = { id: 1, method: 'tools/call', params: { ...params, _meta: { progressToken: 1 } } }
    const { status, json } = await send('plain', message)
    expect([status, json.result.isError]).toEqual([200, true])
  })

  test.each([null, 'x', []])('is plain where its _meta is %j', async (_meta) => {
    const { status, json } = await send('plain', { id: 1, method: 'tools/call', params: { ...params, _meta } })
    expect([status, json.error.code]).toEqual([400, -32602])
  })

  test('is told the names of its tools as they are listed', async () => {
    const ask = async (message: Message) => {
      const response = await fetch(`${shared.mcp}?names=underscore`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': shared.key },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
      })
      return response.text()
    }
    const asked = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
    const initialized = await ask({ method: 'initialize', params: asked })
    expect(initialized).toContain('bookmarks_search')
    expect(initialized).not.toContain('bookmarks.search')
    expect(await ask({ method: 'tools/call', params: { name: 'x' } })).toContain('bookmarks_search, bookmarks_insert')
  })
})

describe('legacy handshakes', () => {
  const initialize = (protocolVersion: unknown) => ({ id: 1, method: 'initialize', params: { protocolVersion } })

  test.each(['2030-01-01', '', MODERN])(
    'a revision we do not know is answered with our newest: %j',
    async (version) => {
      const { status, json } = await send('plain', initialize(version))
      expect([status, json.result.protocolVersion]).toEqual([200, '2025-11-25'])
    }
  )

  test('a revision that is no text is malformed', async () => {
    const { json } = await send('plain', initialize(7))
    expect(json.error).toMatchObject({ code: -32602, message: 'Invalid params' })
  })

  test('without a client and without a revision it is malformed', async () => {
    const { status, json } = await send('plain', { id: 1, method: 'initialize', params: {} })
    expect([status, json.error.code]).toEqual([400, -32602])
  })

  test('session headers are ignored', async () => {
    const extra = { 'mcp-session-id': 'anything', 'last-event-id': '9' }
    expect((await send('2025-06-18', { id: 1, method: 'tools/list' }, extra)).status).toBe(200)
  })

  test('a revision in the header that we do not know is refused', async () => {
    const { status, json } = await send(
      'plain',
      { id: 1, method: 'tools/list' },
      { 'mcp-protocol-version': '1999-01-01' }
    )
    expect([status, json.id, json.error.code]).toEqual([400, 1, -32600])
  })
})

describe('2026-07-28', () => {
  const list = { id: 1, method: 'tools/list' }
  const without = (key: string) => ({
    id: 1,
    method: 'tools/list',
    params: { _meta: Object.fromEntries(Object.entries(META).filter(([name]) => !name.endsWith(key))) }
  })
  const raw = (message: Message, headers: Record<string, string>) => send('plain', message, headers)
  const all = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' }

  test('discovers what the server is and speaks', async () => {
    const { status, json } = await send(MODERN, { id: 1, method: 'server/discover' })
    expect(status).toBe(200)
    expect(json.result).toMatchObject({
      supportedVersions: [MODERN],
      capabilities: { tools: {} },
      resultType: 'complete',
      ttlMs: expect.any(Number),
      cacheScope: expect.stringMatching(/^(public|private)$/),
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'earmark' } }
    })
  })

  test('discovery is for modern callers', async () => {
    expect((await send('plain', { id: 1, method: 'server/discover' })).status).toBe(404)
    expect((await send('2025-11-25', { id: 1, method: 'server/discover' })).json.error.code).toBe(-32601)
  })

  test.each([
    ['no _meta', list, all, -32602],
    ['no revision in _meta', without('protocolVersion'), all, -32602],
    ['no client capabilities', without('clientCapabilities'), all, -32602],
    ['no MCP-Protocol-Version header', { ...list, params: { _meta: META } }, { 'mcp-method': 'tools/list' }, -32020],
    ['no Mcp-Method header', { ...list, params: { _meta: META } }, { 'mcp-protocol-version': MODERN }, -32020],
    ['another Mcp-Method', { ...list, params: { _meta: META } }, { ...all, 'mcp-method': 'tools/call' }, -32020],
    [
      'another case of Mcp-Method',
      { ...list, params: { _meta: META } },
      { ...all, 'mcp-method': 'TOOLS/LIST' },
      -32020
    ],
    [
      'another revision in the header',
      { ...list, params: { _meta: META } },
      { ...all, 'mcp-protocol-version': '2025-11-25' },
      -32020
    ]
  ])('is refused with %s', async (_, message, headers, code) => {
    const { status, json } = await raw(message, headers)
    expect([status, json.id, json.error.code]).toEqual([400, 1, code])
  })

  test.each([
    ['no Mcp-Name', undefined],
    ['another Mcp-Name', 'bookmarks.insert'],
    ['an Mcp-Name that cannot be decoded', '=?base64?***?=']
  ])('a tool call is refused with %s', async (_, name) => {
    const message = {
      ...call('bookmarks.search', {}),
      params: { name: 'bookmarks.search', arguments: {}, _meta: META }
    }
    const headers = { ...all, 'mcp-method': 'tools/call', ...(name !== undefined && { 'mcp-name': name }) }
    const { status, json } = await raw(message, headers)
    expect([status, json.error.code]).toEqual([400, -32020])
  })

  test.each(['bookmarks.search', ' bookmarks.search ', `=?base64?${btoa('bookmarks.search')}?=`])(
    'a tool call is taken with Mcp-Name: %s',
    async (name) => {
      const message = { id: 7, method: 'tools/call', params: { name: 'bookmarks.search', _meta: META } }
      expect((await raw(message, { ...all, 'mcp-method': 'tools/call', 'mcp-name': name })).status).toBe(200)
    }
  )

  test('a revision we do not know, in both places, is answered with those we do', async () => {
    const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' }
    const { status, json } = await raw({ ...list, params: { _meta } }, { ...all, 'mcp-protocol-version': '2027-01-01' })
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ code: -32022, data: { supported: [MODERN], requested: '2027-01-01' } })
  })
})
