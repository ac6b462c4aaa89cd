import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatKey } from '../../src-main/core/key-format.ts'
import type { Service } from '../../src-main/service.ts'
import { type RawAnswer, rawRequest } from '../support/http.ts'
import { callApi, makeKey, testService } from '../support/service.ts'
import { later, tempFolder } from '../support/temp-folder.ts'

/**
 * The endpoint over HTTP: message form, content types, limits, status codes and authentication. `tests/mcp` covers
 * protocol revisions and tool arguments; `gate.test.ts` covers Host and Origin headers.
 */
const atEnd = later()
let service: Service
let url = ''
const keys = { valid: '', expired: '', revoked: '' }

const DAY_MS = 86_400_000
const MIB = 1024 * 1024
const SEARCH = 'bookmarks.search'
const INSERT = 'bookmarks.insert'

beforeAll(async () => {
  const data = tempFolder(atEnd)
  await makeKeys(data)
  service = await testService({ data }, atEnd)
  url = `http://127.0.0.1:${(await service.listen(0)).port}`
})

/** Creates the keys two days ago, so that one has expired since. */
async function makeKeys(data: string): Promise<void> {
  const past = await testService({ data, now: () => Date.now() - 2 * DAY_MS }, atEnd)
  keys.valid = await makeKey(past)
  keys.expired = await makeKey(past, { expires: 1 })
  const { id, key } = (await (await callApi(past, 'POST', '/keys', { name: 'revoked' })).json()) as {
    id: string
    key: string
  }
  await callApi(past, 'DELETE', `/keys/${id}`)
  keys.revoked = key
  await past.close()
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const PARSE = { code: -32700, message: 'Parse error' }
const INVALID = { code: -32600, message: 'Invalid Request' }

/** A message that is not a JSON-RPC request, the id in the answer (`null` unless given), the error and its reason. */
const MALFORMED: [name: string, message: unknown, error: object, reason: RegExp, id?: number][] = [
  ['half a JSON text', '{"jsonrpc":"2.0",', PARSE, /JSON/],
  ['an empty body', '', PARSE, /JSON/],
  ['plain words', 'tools/list', PARSE, /JSON/],
  ['a batch', [LIST], INVALID, /batch/i],
  ['a JSON string', '"tools/list"', INVALID, /object/],
  ['a JSON null', 'null', INVALID, /object/],
  ['no jsonrpc', without(LIST, 'jsonrpc'), INVALID, /jsonrpc/, 1],
  ['jsonrpc 1.0', { ...LIST, jsonrpc: '1.0' }, INVALID, /jsonrpc/, 1],
  ['no method', without(LIST, 'method'), INVALID, /method/, 1],
  ['a method that is a number', { ...LIST, method: 1 }, INVALID, /method/, 1],
  ['params that are a list', { ...LIST, params: [] }, INVALID, /params/, 1],
  ['params that are a string', { ...LIST, params: 'x' }, INVALID, /params/, 1],
  ['no id', without(LIST, 'id'), INVALID, /\bid\b/],
  ['an id that is null', { ...LIST, id: null }, INVALID, /\bid\b/],
  ['an id that is an object', { ...LIST, id: {} }, INVALID, /\bid\b/],
  ['an id that is not finite', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', INVALID, /\bid\b/],
  ['an id beyond 2^53', '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}', INVALID, /\bid\b/],
  ['33 levels of nesting', '['.repeat(33) + ']'.repeat(33), INVALID, /deep/]
]

test.each(MALFORMED)('a message with %s is refused with 400', async (_, message, error, reason, id) => {
  const answer = await call(message)
  expect(answer.status).toBe(400)
  expectError(answer, id ?? null, { ...error, data: expect.stringMatching(reason) })
})

describe('a batch', () => {
  const both = { accept: 'application/json, text/event-stream' }
  const batch = [
    { ...LIST, id: 'a' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { ...LIST, id: 'b', jsonrpc: 2 }
  ]

  test.each([
    ['MCP-Protocol-Version', { 'mcp-protocol-version': '2025-03-26' }],
    ['Accept', both]
  ])('of a client of 2025-03-26, recognized by %s, is answered in order', async (_, headers) => {
    const { status, body } = await call(batch, headers)
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject([
      { id: 'a', result: { tools: [{}, {}] } },
      { id: 'b', error: INVALID }
    ])
  })

  test('of notifications gets no body', async () => {
    expect(await call(batch.slice(1, 2), both)).toMatchObject({ status: 202, body: '' })
  })

  test.each([
    ['of a later revision', batch, { 'mcp-protocol-version': '2025-06-18', ...both }, /batch is not supported/],
    ['without messages', [], both, /batch is not supported/],
    ['of more than 100 messages', Array(101).fill(LIST), both, /batch has at most 100 messages/]
  ])('%s is refused', async (_, messages, headers, reason) => {
    expectError(await call(messages, headers), null, { ...INVALID, data: expect.stringMatching(reason) })
  })
})

describe('a valid request', () => {
  test.each([0, -1, 1.5, 9007199254740991, '', '7', 'наконец 🔖'])('gets its id %j back', async (id) => {
    const answer = await call({ ...LIST, id })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/)
    expect(JSON.parse(answer.body)).toStrictEqual({ jsonrpc: '2.0', id, result: expect.any(Object) })
  })

  test.each([
    'Application/JSON',
    'application/json;charset="UTF-8"',
    ' application/json;;charset=UTF8',
    'APPLICATION/JSON; Charset = utf-8',
    'application/json; charset=',
    'application/json; profile="a;b"; charset="utf-8"'
  ])('may have the content type %j', async (type) => {
    expect((await call(LIST, { 'content-type': type })).status).toBe(200)
  })

  test.each([
    ['windows-1251', Buffer.from([0xcd, 0xe0, 0xf8, 0xb8, 0xeb]), 'Нашёл'],
    ['ISO-8859-1', Buffer.from([0x63, 0x61, 0x66, 0xe9]), 'café'],
    ['"Shift_JIS"', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本']
  ])('may have the charset %s', async (charset, bytes, id) => {
    const [before = '', after = ''] = JSON.stringify({ ...LIST, id: '#' }).split('#')
    const body = Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])
    const answer = await call(body, { 'content-type': `application/json; charset=${charset}` })
    expect([answer.status, JSON.parse(answer.body).id]).toEqual([200, id])
  })

  test('may be UTF-16 or begin with a byte order mark', async () => {
    const utf16 = Buffer.from(JSON.stringify(LIST), 'utf16le')
    expect((await call(utf16, { 'content-type': 'application/json; charset=utf-16' })).status).toBe(200)
    expect((await call(`\ufeff${JSON.stringify(LIST)}`)).status).toBe(200)
  })

  test.each(['text/event-stream', '*/*', 'application/json, text/event-stream'])(
    'gets one JSON object if it accepts %s',
    async (accept) => {
      const answer = await call(LIST, { accept })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toMatch(/^application\/json\b/)
    }
  )

  test('may have 1 MiB, be sent in chunks and have params that are null', async () => {
    expect((await call(JSON.stringify(LIST).padEnd(MIB))).status).toBe(200)
    expect((await call(LIST, { 'transfer-encoding': 'chunked' })).status).toBe(200)
    expect((await call({ ...LIST, params: null })).status).toBe(200)
  })

  test('gets no session id, and headers against caching and sniffing', async () => {
    const { headers } = await call({ ...LIST, method: 'initialize', params: { client: { name: 'x' } } })
    expect(headers['mcp-session-id']).toBeUndefined()
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  test('gets a tool result as one text item of minified JSON', async () => {
    const inserted = await resultOf(INSERT, { urls: 'https://shape.example/' })
    expect(inserted).toStrictEqual({
      saved: 1,
      existing: 0,
      invalid: 0,
      bookmarks: [{ url: 'https://shape.example/', id: expect.any(String), status: 'saved' }]
    })
    const found = await resultOf(SEARCH, { domain: 'shape.example' })
    expect(Object.keys(found)).toEqual(['total', 'page', 'limit', 'hasMore', 'bookmarks'])

    async function resultOf(tool: string, input: object) {
      const { result } = JSON.parse((await call(toolCall(tool, input))).body)
      expect(result).toStrictEqual({ content: [{ type: 'text', text: expect.any(String) }] })
      const { text } = result.content[0]
      expect(text).toBe(JSON.stringify(JSON.parse(text)))
      return JSON.parse(text)
    }
  })
})

describe('without a valid key or session', () => {
  let reference: RawAnswer

  beforeAll(async () => {
    reference = await send({ headers: JSON_TYPE, body: JSON.stringify(LIST) })
  })

  const unknownKey = formatKey(randomBytes(32))
  const WITHOUT_ACCESS: [string, () => Record<string, string | string[]>][] = [
    ['no key', () => ({})],
    ['an empty key', () => ({ 'x-api-key': '' })],
    ['a malformed key', () => ({ 'x-api-key': 'let me in' })],
    [
      'a key with a wrong checksum',
      () => ({ 'x-api-key': `${keys.valid.slice(0, -1)}${keys.valid.endsWith('0') ? 1 : 0}` })
    ],
    ['an unknown key', () => ({ 'x-api-key': unknownKey })],
    ['an expired key', () => ({ 'x-api-key': keys.expired })],
    ['a revoked key', () => ({ 'x-api-key': keys.revoked })],
    ['a valid key sent twice', () => ({ 'x-api-key': [keys.valid, keys.valid] })],
    ['a valid key after another', () => ({ 'x-api-key': [unknownKey, keys.valid] })],
    ['an empty key and an empty bearer token', () => ({ 'x-api-key': '', authorization: 'Bearer ' })],
    ['an unknown bearer token', () => ({ authorization: `Bearer ${unknownKey}` })],
    ['a valid bearer token sent twice', () => ({ authorization: [`Bearer ${keys.valid}`, `Bearer ${keys.valid}`] })],
    ['a valid key in another scheme', () => ({ authorization: `Basic ${keys.valid}` })],
    ['the token of commands as a bearer token', () => ({ authorization: `Bearer ${service.commandToken}` })],
    [
      'a valid key and another bearer token',
      () => ({ 'x-api-key': keys.valid, authorization: `Bearer ${keys.expired}` })
    ],
    ['an unknown session', () => ({ 'x-earmark-session': 'made-up', origin: url })],
    ['an unknown session cookie', () => ({ ...dashboardOrigin(), cookie: 'earmark=made-up' })]
  ]

  test.each(WITHOUT_ACCESS)('%s gets the same 401', async (_, headers) => {
    const answer = await send({ headers: { ...JSON_TYPE, ...headers() }, body: JSON.stringify(LIST) })
    expect(answer.status).toBe(401)
    expect(answer.body).toBe(reference.body)
    expect(without(answer.headers, 'date')).toEqual(without(reference.headers, 'date'))
    const { error } = JSON.parse(answer.body)
    expect(error).toEqual({ code: 'unauthorized', message: expect.stringMatching(/Profile.*API Keys/) })
    expect(error.message).toContain('(or as Authorization: Bearer KEY)')
    expect(answer.headers['www-authenticate']).toContain(`error_description="${error.message}"`)
  })

  test.each<[string, Sent]>([
    ['a GET', { method: 'GET' }],
    ['an OPTIONS', { method: 'OPTIONS' }],
    ['another content type', { headers: { 'content-type': 'text/plain' }, body: 'hello' }],
    ['a body that is too large', { headers: { ...JSON_TYPE, 'content-length': `${2 * MIB}` } }],
    ['a body that is not JSON', { headers: JSON_TYPE, body: '{' }],
    ['a call of an unknown tool', { headers: JSON_TYPE, body: toolCall('nope', {}) }]
  ])('%s gets the same 401, without another reason', async (_, sent) => {
    const answer = await send(sent)
    expect([answer.status, answer.body]).toEqual([401, reference.body])
    expect(answer.headers.allow).toBeUndefined()
  })
})

test('a key is accepted as a bearer token, also with the same key or an empty header', async () => {
  const status = async (headers: Record<string, string>) => (await call(LIST, headers)).status
  expect(await status({ 'x-api-key': '', authorization: `Bearer ${keys.valid}` })).toBe(200)
  expect(await status({ 'x-api-key': '', authorization: `bearer ${keys.valid}` })).toBe(200)
  expect(await status({ 'x-api-key': keys.valid, authorization: `Bearer ${keys.valid}` })).toBe(200)
  expect(await status({ 'x-api-key': keys.valid, authorization: '' })).toBe(200)
  const bearerOnly = { ...JSON_TYPE, authorization: `Bearer ${keys.valid}` }
  expect((await send({ headers: bearerOnly, body: JSON.stringify(LIST) })).status).toBe(200)
})

describe('with a key', () => {
  const key = () => ({ 'x-api-key': keys.valid })

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s gets 405 and Allow: POST', async (method) => {
    const answer = await send({ method, headers: key() })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST'])
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json', ''])(
    'the content type %j gets 415',
    async (type) => {
      expect((await call(LIST, { 'content-type': type })).status).toBe(415)
    }
  )

  test('no content type and a compressed body get 415', async () => {
    expect((await send({ headers: key(), body: JSON.stringify(LIST) })).status).toBe(415)
    expect((await call(LIST, { 'content-encoding': 'gzip' })).status).toBe(415)
  })

  test.each(['utf-7', '"klingon"'])('the unknown charset %s gets 415, which names it', async (charset) => {
    const { status, body } = await call(LIST, { 'content-type': `application/json; charset=${charset}` })
    expect([status, JSON.parse(body).error.message]).toEqual([415, expect.stringMatching(/utf-7|klingon.*UTF-8/)])
  })

  test.each([
    ['no charset', 'application/json', Buffer.from('{"id":"caf\xe9"}', 'latin1'), /UTF-8.*charset/],
    ['UTF-8', 'application/json; charset=utf-8', Buffer.from('{"id":"caf\xe9"}', 'latin1'), /UTF-8/],
    ['Shift_JIS', 'application/json; charset=shift_jis', Buffer.from('{"id":"\xff"}', 'latin1'), /shift_jis/]
  ])('a body that does not decode with %s gets a parse error', async (_, type, body, reason) => {
    const answer = await call(body, { 'content-type': type })
    expect(answer.status).toBe(400)
    expectError(answer, null, { ...PARSE, data: expect.stringMatching(reason) })
  })

  test('a body over 1 MiB gets 413: announced before any of it is sent, in chunks before the JSON is read', async () => {
    const announced = await send({ headers: { ...JSON_TYPE, ...key(), 'content-length': `${MIB + 1}` } })
    expect(announced.status).toBe(413)
    expect((await call('{'.padEnd(MIB + 1), { 'transfer-encoding': 'chunked' })).status).toBe(413)
  })

  test('the method is checked before the content type, and the content type before the size', async () => {
    const plain = { ...key(), 'content-type': 'text/plain' }
    expect((await send({ method: 'PUT', headers: plain, body: 'x' })).status).toBe(405)
    expect((await send({ headers: { ...plain, 'content-length': `${2 * MIB}` } })).status).toBe(415)
  })

  test('a refusal has at most 64 KiB, whatever was sent', async () => {
    const tags = await call(toolCall(SEARCH, { tags: ['x'.repeat(900_000)] }))
    const urls = Array.from({ length: 120 }, () => `${'a'.repeat(8000)}:x`)
    const schemes = await call(toolCall(INSERT, { urls }))
    expect([tags.status, schemes.status]).toEqual([400, 400])
    expect(Math.max(tags.body.length, schemes.body.length)).toBeLessThan(65_536)
  })
})

test('a body over 1 MiB gets 413 for the login', async () => {
  const body = JSON.stringify({ token: 'x'.repeat(2_000_000) })
  expect((await fetch(`${url}/api/session`, { method: 'POST', headers: JSON_TYPE, body })).status).toBe(413)
})

test.each(['/api/session', '/api/keys'])('a body that is not JSON gets 400 from %s', async (path) => {
  const answer = await send({
    path,
    headers: { ...JSON_TYPE, authorization: `Bearer ${service.commandToken}` },
    body: '{bad'
  })
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'invalid' } })
})

describe('the gate', () => {
  test.each<[string, () => Record<string, string>]>([
    ['a foreign Host', () => ({ host: `evil.example:${portOf()}` })],
    ['a foreign Origin', () => ({ origin: 'https://evil.example' })],
    ['Sec-Fetch-Site: cross-site', () => ({ 'sec-fetch-site': 'cross-site' })]
  ])('refuses %s with 403, with and without a key and at every path', async (_, headers) => {
    const body = JSON.stringify(LIST)
    const answer = await send({ headers: { ...JSON_TYPE, 'x-api-key': keys.valid, ...headers() }, body })
    expect(answer.status).toBe(403)
    expect(JSON.parse(answer.body)).toEqual({ error: { code: expect.any(String), message: expect.any(String) } })
    expect((await send({ headers: headers(), body })).status).toBe(403)
    expect((await send({ path: '/nowhere', headers: headers() })).status).toBe(403)
  })

  test('allows localhost and the dashboard’s own page', async () => {
    const localhost = { host: `localhost:${portOf()}`, origin: `http://localhost:${portOf()}` }
    const page = { origin: url, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
    for (const headers of [localhost, page]) expect((await call(LIST, headers)).status).toBe(200)
  })

  test.each<[string, () => string[]]>([
    ['no Host', () => []],
    ['a foreign Host after the service’s own', () => [`Host: 127.0.0.1:${portOf()}`, 'Host: evil.example']]
  ])('refuses %s with 403', async (_, hosts) => {
    const lines = ['POST /api/tools/mcp HTTP/1.1', ...hosts(), `x-api-key: ${keys.valid}`, 'content-length: 0']
    const socket = connect(Number(portOf()), '127.0.0.1')
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /)
  })
})

describe('another address', () => {
  test.each([
    ['GET', '/.well-known/oauth-protected-resource'],
    ['GET', '/.well-known/oauth-protected-resource/api/tools/mcp'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/.well-known/openid-configuration'],
    ['GET', '/api/tools/mcp/.well-known/openid-configuration'],
    ['POST', '/register'],
    ['GET', '/authorize'],
    ['POST', '/token']
  ])('%s %s gets a 404 in OAuth’s form that asks for a key', async (method, path) => {
    const answer = await send({ method, path })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/)
    expect(JSON.parse(answer.body)).toEqual({
      error: 'invalid_request',
      error_description: expect.stringContaining('x-api-key')
    })
  })

  test.each([
    ['POST', '/api/tools'],
    ['POST', '/api/tools/mcp/more'],
    ['POST', '/api/tools/mcp/'],
    ['POST', '/mcp'],
    ['GET', '/sse'],
    ['POST', '/']
  ])('%s %s gets a 404 that names the endpoint’s address', async (method, path) => {
    const sent = { method, path, headers: { ...JSON_TYPE, 'x-api-key': keys.valid } }
    const answer = await send({ ...sent, ...(method === 'POST' && { body: JSON.stringify(LIST) }) })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/)
    const { code, message } = JSON.parse(answer.body).error
    expect([code, message]).toEqual(['not-found', expect.stringContaining(`POST ${url}/api/tools/mcp`)])
  })
})

interface Sent {
  method?: string
  path?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Sends exactly this request, and checks that no web page of another site may read the answer. */
async function send({ method = 'POST', path = '/api/tools/mcp', headers = {}, body }: Sent): Promise<RawAnswer> {
  const answer = await rawRequest(url, { method, path, headers, ...(body !== undefined && { body }) })
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  return answer
}

/** Sends a message as an editor with a key does; strings and bytes are sent unchanged. */
function call(message: unknown, headers: Record<string, string | string[]> = {}, path?: string): Promise<RawAnswer> {
  return send({
    ...(path !== undefined && { path }),
    headers: { ...JSON_TYPE, 'x-api-key': keys.valid, ...headers },
    body: typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message)
  })
}

function toolCall(name: string, input: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })
}

/** The error envelope has exactly these members. */
function expectError(answer: RawAnswer, id: string | number | null, error: object): void {
  expect(answer.headers['content-type']).toMatch(/^application\/json\b/)
  expect(JSON.parse(answer.body)).toStrictEqual({ jsonrpc: '2.0', id, error })
}

function without<T extends object>(value: T, name: string): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)) as Partial<T>
}

function portOf(): string {
  return new URL(url).port
}

function dashboardOrigin(): { host: string; origin: string } {
  const host = `${service.dashboardHost}:${portOf()}`
  return { host, origin: `http://${host}` }
}
