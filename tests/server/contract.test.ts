import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatKey } from '../../src-main/core/key-format.ts'
import type { Service } from '../../src-main/service.ts'
import { type RawAnswer, rawRequest } from '../support/http.ts'
import { callApi, makeKey, postImport, testService } from '../support/service.ts'
import { later, tempFolder } from '../support/temp-folder.ts'

const atEnd = later()

/**
 * interface.md and protocol.md, row by row, over HTTP: every kind of caller against every kind of message. One service
 * answers them all, and a bug that it reports fails the file; each row uses sites of its own.
 */
let service: Service
let url = ''
const keys = { mine: '', readOnly: '', acme: '', expired: '', revoked: '' }

const DAY_MS = 86_400_000
const MIB = 1024 * 1024

beforeAll(async () => {
  const data = tempFolder(atEnd)
  await makeKeys(data)
  service = await testService({ data }, atEnd)
  url = `http://127.0.0.1:${(await service.listen(0)).port}`
  await postImport(service, Readable.from([Buffer.from(SHELF)]), 'shelf')
  await callTool(INSERT, { urls: 'https://acme.example/plan' }, keys.acme)
})

/** Made two days ago, so that one has expired since. */
async function makeKeys(data: string): Promise<void> {
  const past = await testService({ data, now: () => Date.now() - 2 * DAY_MS }, atEnd)
  await callApi(past, 'POST', '/organizations', { name: 'Acme' })
  keys.mine = await makeKey(past)
  keys.readOnly = await makeKey(past, { readOnly: true })
  keys.acme = await makeKey(past, { organization: 'Acme' })
  keys.expired = await makeKey(past, { expires: 1 })
  keys.revoked = (await makeAndRevoke(past)).key
  await past.close()
}

async function makeAndRevoke(service: Service, before = async (_: string) => {}): Promise<{ key: string }> {
  const { id, key } = (await (await callApi(service, 'POST', '/keys', { name: 'short-lived' })).json()) as Record<
    'id' | 'key',
    string
  >
  await before(key)
  await callApi(service, 'DELETE', `/keys/${id}`)
  return { key }
}

/** What searches are tried on. An import is how tags and descriptions come in. */
const SHELF = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><A HREF="https://shelf.example/gentian" TAGS="shelf,botany">Gentian</A>
<DD>Blue above the tree line
<DT><A HREF="https://shelf.example/edelweiss" TAGS="shelf,botany,Alps">Edelweiss</A>
<DT><A HREF="https://www.shelf.example/larch" TAGS="shelf,Alps">Larch</A>
<DT><A HREF="https://docs.shelf.example/pine" TAGS="shelf">Pine</A>
<DT><A HREF="https://shelf.example/marmot?id=5" TAGS="shelf,animals">Marmot</A>
<DD>Whistles
<DT><A HREF="https://shelf.example/ibex" TAGS="shelf,animals">Ibex</A>
<DT><A HREF="https://shelf.example/chough" TAGS="shelf,animals">Chough</A>
<DT><A HREF="https://notshelf.example/bear" TAGS="shelf">Bear</A>
</DL><p>
`

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const request = { ...LIST, id: 7 }
const PARSE = { code: -32700, message: 'Parse error' }
const INVALID = { code: -32600, message: 'Invalid Request' }
const NO_REQUESTS: { name: string; message: unknown; id?: number; error: { code: number }; data: RegExp }[] = [
  { name: 'half a JSON text', message: '{"jsonrpc":"2.0",', error: PARSE, data: /JSON/ },
  { name: 'an empty body', message: '', error: PARSE, data: /JSON/ },
  { name: 'words', message: 'tools/list', error: PARSE, data: /JSON/ },
  { name: 'a batch', message: [request], error: INVALID, data: /batch/i },
  { name: 'an empty batch', message: [], error: INVALID, data: /batch/i },
  { name: 'a JSON string', message: '"tools/list"', error: INVALID, data: /object/ },
  { name: 'a JSON number', message: '7', error: INVALID, data: /object/ },
  { name: 'a JSON null', message: 'null', error: INVALID, data: /object/ },
  { name: 'no jsonrpc', message: without(request, 'jsonrpc'), id: 7, error: INVALID, data: /jsonrpc/ },
  { name: 'jsonrpc 1.0', message: { ...request, jsonrpc: '1.0' }, id: 7, error: INVALID, data: /jsonrpc/ },
  { name: 'jsonrpc as a number', message: { ...request, jsonrpc: 2 }, id: 7, error: INVALID, data: /jsonrpc/ },
  { name: 'no method', message: without(request, 'method'), id: 7, error: INVALID, data: /method/ },
  { name: 'method as a number', message: { ...request, method: 1 }, id: 7, error: INVALID, data: /method/ },
  { name: 'params as a list', message: { ...request, params: [] }, id: 7, error: INVALID, data: /params/ },
  { name: 'params as a string', message: { ...request, params: 'x' }, id: 7, error: INVALID, data: /params/ },
  { name: 'no id', message: without(request, 'id'), error: INVALID, data: /\bid\b/ },
  { name: 'id as null', message: { ...request, id: null }, error: INVALID, data: /\bid\b/ },
  { name: 'id as an object', message: { ...request, id: {} }, error: INVALID, data: /\bid\b/ },
  { name: 'id as a list', message: { ...request, id: [7] }, error: INVALID, data: /\bid\b/ },
  { name: 'id as true', message: { ...request, id: true }, error: INVALID, data: /\bid\b/ },
  { name: '33 levels of nesting', message: '['.repeat(33) + ']'.repeat(33), error: INVALID, data: /deep/ },
  { name: 'a hundred nested lists', message: '['.repeat(100) + ']'.repeat(100), error: INVALID, data: /deep/ }
]

describe('a message that is no request is refused', () => {
  test.each(NO_REQUESTS)('$name', async ({ message, id = null, error, data }) => {
    const answer = await call(message)
    expect(answer.status).toBe(400)
    expectError(answer, id, { ...error, data: expect.stringMatching(data) })
  })
})

describe('a batch', () => {
  const both = { accept: 'application/json, text/event-stream' }
  const batch = [
    { ...LIST, id: 'a' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { ...LIST, id: 'b', jsonrpc: 2 }
  ]

  test.each([
    ['by its version', { 'mcp-protocol-version': '2025-03-26' }],
    ['by what it accepts', both]
  ])('is answered to a client of 2025-03-26, known %s, in its order', async (_, headers) => {
    const { status, body } = await call(batch, headers)
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject([
      { id: 'a', result: { tools: [{}, {}] } },
      { id: 'b', error: INVALID }
    ])
  })

  test('of notifications has no answer', async () => {
    expect(await call(batch.slice(1, 2), both)).toMatchObject({ status: 202, body: '' })
  })

  test.each([
    ['of a later revision', batch, { 'mcp-protocol-version': '2025-06-18', ...both }, /batch is not supported/],
    ['that is empty', [], both, /batch is not supported/],
    ['of more than a hundred messages', Array(101).fill(LIST), both, /batch has at most 100 messages/]
  ])('%s is refused', async (_, messages, headers, data) => {
    expectError(await call(messages, headers), null, { ...INVALID, data: expect.stringMatching(data) })
  })
})

const SEARCH = 'bookmarks.search'
const INSERT = 'bookmarks.insert'

/** Arguments that are refused, and what is said of them. */
const REFUSED: [tool: string, input: object, data: RegExp][] = [
  ...wrong(SEARCH, 'search', [['a'], true]),
  ...wrong(SEARCH, 'tags', [5, ['a', 5], { a: 1 }]),
  ...wrong(SEARCH, 'domain', [['a.example']]),
  ...wrong(SEARCH, 'type', ['links', 5]),
  ...wrong(SEARCH, 'page', [0, -1, 1.5, 'two', '1.5', 1_000_001]),
  ...wrong(SEARCH, 'limit', [0, -1, 101, 2.5, '101', 'all']),
  [SEARCH, { type: 'video' }, /type.*link.*image.*color.*text/],
  [SEARCH, { visibility: 'secret' }, /visibility.*private.*organization.*public/],
  [
    SEARCH,
    { query: 'x' },
    /^Unknown argument “query”\. Did you mean “search”\? Valid: search, tags, domain, type, visibility, page, limit$/
  ],
  [SEARCH, { tag: 'x' }, /“tag”\. Did you mean “tags”\?/],
  [SEARCH, { limits: 3 }, /“limits”\. Did you mean “limit”\?/],
  [SEARCH, { zebra: 1, lion: 2 }, /^Unknown arguments “zebra”, “lion”\. Valid: search,/],
  [SEARCH, { page: 0, limit: 0 }, /page.*limit/],
  [INSERT, {}, /urls/],
  ...wrong(INSERT, 'urls', [5, null, [], ['https://good.example/', 5]]),
  [INSERT, { url: 'https://good.example/' }, /Did you mean “urls”\?/],
  [
    INSERT,
    { urls: 'https://good.example/', tags: ['x'] },
    /^Unknown argument “tags”\. Valid: only urls; details are read from the page$/
  ],
  [INSERT, { urls: 'https://good.example/', title: 'x' }, /only urls; details are read from/],
  [INSERT, { urls: '' }, /urls.*empty/],
  [INSERT, { urls: 'good' }, /urls.*https?:/],
  [INSERT, { urls: 'localhost:3000' }, /urls.*send http:\/\/localhost:3000/],
  [INSERT, { urls: 'ftp://good.example/' }, /ftp/],
  [INSERT, { urls: ['javascript:alert(1)', 'file:///etc/passwd'] }, /javascript.*file/],
  ...wrong(
    INSERT,
    'urls',
    [' ', ', ', ',', '\n'].flatMap((between) => [
      `https://good.example/x${between}https://good.example/y`,
      `good.example/x${between}www.good.example/y`
    ]),
    /several URLs in one string: send a list/
  )
]

const INVALID_PARAMS = { code: -32602, message: 'Invalid params' }

/** Values of the right meaning in another JSON type, which models send, and the same values as the argument table has them. */
const MEANT: [tool: string, input: unknown, meant: object][] = [
  [SEARCH, null, {}],
  [SEARCH, '', {}],
  [SEARCH, '{"tags":["botany","Alps"]}', { tags: ['botany', 'Alps'] }],
  [SEARCH, { search: null }, {}],
  [SEARCH, { tags: null, page: null, domain: null }, {}],
  [SEARCH, { type: '', visibility: ' ', page: '', limit: '' }, {}],
  [SEARCH, { domain: 'shelf.example', page: ' 2 ', limit: '3' }, { domain: 'shelf.example', page: 2, limit: 3 }],
  [SEARCH, { domain: 'shelf.example', limit: '3.0' }, { domain: 'shelf.example', limit: 3 }],
  [SEARCH, { tags: '["botany", "Alps"]' }, { tags: ['botany', 'Alps'] }],
  [SEARCH, { tags: '[]', search: 'larch' }, { search: 'larch' }],
  [SEARCH, { search: 1865 }, { search: '1865' }],
  [SEARCH, { type: 'LINK', visibility: ' Private ' }, { type: 'link', visibility: 'private' }],
  [
    INSERT,
    { urls: '["https://text.example/1", "https://text.example/2"]' },
    { urls: ['https://text.example/1', 'https://text.example/2'] }
  ]
]

/** Values of one argument that are refused by its name. */
function wrong(tool: string, name: string, values: unknown[], data = new RegExp(name)): typeof REFUSED {
  return values.map((value) => [tool, { [name]: value }, data])
}

describe('a request is answered in the success envelope', () => {
  test.each([0, 1, -1, 1.5, 9007199254740991, 'seven', '', '7', 'наконец 🔖'])('and echoes the id %j', async (id) => {
    const answer = await call({ jsonrpc: '2.0', id, method: 'tools/list' })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/)
    expect(JSON.parse(answer.body)).toStrictEqual({ jsonrpc: '2.0', id, result: expect.any(Object) })
  })

  test.each([
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset="UTF-8"',
    'application/json;',
    'application/json ; ',
    ' application/json;;charset=UTF8',
    'APPLICATION/JSON; Charset = utf-8',
    'application/json; charset=',
    'application/json; profile="a;b"; charset="utf-8"'
  ])('when its content type is written %j', async (type) => {
    expect((await call(LIST, { 'content-type': type })).status).toBe(200)
  })

  test.each([
    ['windows-1251', [0xcd, 0xe0, 0xf8, 0xb8, 0xeb], 'Нашёл'],
    ['ISO-8859-1', [0x63, 0x61, 0x66, 0xe9], 'café'],
    ['"Shift_JIS"', [0x93, 0xfa, 0x96, 0x7b], '日本']
  ])('in the charset that it declares: %s', async (charset, bytes, id) => {
    const [before, after] = JSON.stringify({ ...LIST, id: '#' }).split('#')
    const body = Buffer.concat([Buffer.from(before ?? ''), Buffer.from(bytes), Buffer.from(after ?? '')])
    const answer = await call(body, { 'content-type': `application/json; charset=${charset}` })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body).id).toBe(id)
  })

  test('in UTF-16, if it declares that', async () => {
    const body = Buffer.from(JSON.stringify({ ...LIST, id: '日本' }), 'utf16le')
    const answer = await call(body, { 'content-type': 'application/json; charset=utf-16' })
    expect([answer.status, JSON.parse(answer.body).id]).toEqual([200, '日本'])
  })

  test.each(['text/event-stream', 'text/html', '*/*', 'application/json, text/event-stream'])(
    'as one JSON object when it accepts %s',
    async (accept) => {
      const answer = await call(LIST, { accept })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toMatch(/^application\/json\b/)
    }
  )

  test('when it has exactly 1 MiB', async () => {
    expect((await call(JSON.stringify(LIST).padEnd(MIB))).status).toBe(200)
  })

  test('when it comes in chunks', async () => {
    expect((await call(LIST, { 'transfer-encoding': 'chunked' })).status).toBe(200)
  })

  test('and never with a session id, in a cache or as another type', async () => {
    const { headers } = await call({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { client: { name: 'x' } } })
    expect(headers['mcp-session-id']).toBeUndefined()
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })
})

const UNDERSCORE = '/api/tools/mcp?names=underscore'
const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const MODERN = '2026-07-28'
const ERAS = ['plain', ...LEGACY, MODERN]

interface Message {
  id?: unknown
  method?: unknown
  params?: unknown
}

interface Spoken {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the table is about
  json: any
  text: string
}

/** Sends a message as a caller of this era would: the headers and `_meta` of its revision around the same content. */
async function speak(
  era: string,
  message: Message | string,
  headers: Record<string, string> = {},
  path?: string
): Promise<Spoken> {
  const sent = typeof message === 'string' ? message : dress(era, message)
  const { status, body } = await call(sent, { ...headersOf(era, message), ...headers }, path)
  return { status, json: body === '' ? undefined : JSON.parse(body), text: body }
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

const toolMessage = (name: unknown, args?: unknown): Message => ({
  id: 7,
  method: 'tools/call',
  params: { name, ...(args !== undefined && { arguments: args }) }
})

const namesIn = ({ result }: Spoken['json']) => result.tools.map(({ name }: { name: string }) => name)

describe.each(ERAS)('%s', (era) => {
  const plain = era === 'plain'
  const modern = era === MODERN

  test('lists exactly two tools, in order', async () => {
    const { status, json } = await speak(era, { id: 1, method: 'tools/list' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ jsonrpc: '2.0', id: 1 })
    expect(namesIn(json)).toEqual([SEARCH, INSERT])
    expect(json.result.resultType).toBe(modern ? 'complete' : undefined)
    expect('ttlMs' in json.result && 'cacheScope' in json.result).toBe(modern)
    const other = await speak(era, { id: 1, method: 'tools/list' }, {}, UNDERSCORE)
    expect(namesIn(other.json)).toEqual(['bookmarks_search', 'bookmarks_insert'])
  })

  test('gets a tool result of one text item', async () => {
    const { status, json } = await speak(era, toolMessage(SEARCH, {}))
    expect(status).toBe(200)
    expect(json.result.content).toHaveLength(1)
    expect(json.result.content[0].type).toBe('text')
    expect(JSON.parse(json.result.content[0].text)).toMatchObject({ page: 1, limit: 5, hasMore: expect.any(Boolean) })
    expect(json.result.resultType).toBe(modern ? 'complete' : undefined)
    expect('structuredContent' in json.result).toBe(false)
  })

  test.each(['/api/tools/mcp', UNDERSCORE])(
    'may call tools by either name at %s, and without arguments',
    async (path) => {
      for (const name of [SEARCH, 'bookmarks_search']) {
        const { status, json } = await speak(era, toolMessage(name), {}, path)
        expect([status, json.result.isError]).toEqual([200, undefined])
      }
      const saved = await speak(era, toolMessage('bookmarks_insert', { urls: 'https://underscore.example/' }), {}, path)
      expect(payloadIn(saved.text).bookmarks).toMatchObject([{ url: 'https://underscore.example/' }])
    }
  )

  test('saves, and the second time the page exists', async () => {
    const urls = [`https://a.example/${era}`]
    const first = await speak(era, toolMessage(INSERT, { urls }))
    const second = await speak(era, toolMessage(INSERT, { urls: `${urls[0]}#top` }))
    expect(JSON.parse(first.json.result.content[0].text)).toMatchObject({ saved: 1, existing: 0, invalid: 0 })
    expect(JSON.parse(second.json.result.content[0].text)).toMatchObject({ saved: 0, existing: 1, invalid: 0 })
  })

  test.each(REFUSED)(
    'is told of bad arguments in the way its revision has for it: %s %j',
    async (name, input, data) => {
      const { status, json } = await speak(era, toolMessage(name, input))
      if (plain) {
        expect(status).toBe(400)
        const error = { code: -32602, message: 'Invalid params', data: expect.stringMatching(data) }
        expect(json).toEqual({ jsonrpc: '2.0', id: 7, error })
      } else {
        expect(status).toBe(200)
        expect(json.result.isError).toBe(true)
        expect(json.result.content[0].text).toMatch(/^Invalid params: ./)
        expect(json.result.content[0].text.replace(/^Invalid params: /, '')).toMatch(data)
        expect(json.result.resultType).toBe(modern ? 'complete' : undefined)
      }
    }
  )

  test('and what was good in a refused call is not saved', async () => {
    const { json } = await speak(era, toolMessage(SEARCH, { domain: 'good.example' }))
    expect(JSON.parse(json.result.content[0].text).total).toBe(0)
  })

  test.each<[string, object | undefined, RegExp]>([
    ['no params', undefined, /name/],
    ['no tool name', { arguments: {} }, /name/],
    ['a tool name that is a number', { name: 1, arguments: {} }, /name/],
    ...[[], 'x', 1, true].map((input): [string, object, RegExp] => [
      `arguments that are ${JSON.stringify(input)}`,
      { name: SEARCH, arguments: input },
      /arguments/
    ])
  ])('is told that params are malformed: %s', async (_, params, data) => {
    const { status, json } = await speak(era, { id: 'seven', method: 'tools/call', params })
    expect(status).toBe(plain ? 400 : 200)
    const error = { code: -32602, message: 'Invalid params', data: expect.stringMatching(data) }
    expect(json).toEqual({ jsonrpc: '2.0', id: 'seven', error })
  })

  test.each(plain ? [] : MEANT)('sends another JSON type and is read as meant: %s %j', async (tool, input, meant) => {
    const [read, expected] = [await speak(era, toolMessage(tool, input)), await speak(era, toolMessage(tool, meant))]
    expect([read.status, read.json.result.isError]).toEqual([200, undefined])
    const [{ bookmarks }, { bookmarks: same }] = [payloadIn(read.text), payloadIn(expected.text)]
    expect(bookmarks.map(({ url }) => url)).toEqual(same.map(({ url }) => url))
    expect(bookmarks.map(({ status }) => status === 'invalid')).not.toContain(true)
  })

  test.each<[tool: string, input: unknown, name: RegExp]>(
    plain
      ? [
          [SEARCH, null, /arguments/],
          [SEARCH, '{}', /arguments/],
          [SEARCH, { search: null }, /search/],
          [SEARCH, { tags: null, page: null }, /tags.*page/],
          [SEARCH, { search: 1865 }, /search/],
          [SEARCH, { type: '', visibility: '' }, /type.*visibility/],
          [SEARCH, { type: 'LINK', visibility: 'Private' }, /type.*visibility/],
          [SEARCH, { page: '1', limit: '5' }, /page.*limit/],
          [INSERT, { urls: '["https://text.example/1", "https://text.example/2"]' }, /urls.*send a list/]
        ]
      : []
  )('is plain and held to the argument table: %s %j', async (tool, input, name) => {
    const { status, json } = await speak(era, toolMessage(tool, input))
    expect([status, json.error]).toEqual([400, { ...INVALID_PARAMS, data: expect.stringMatching(name) }])
  })

  test.each([
    { search: '', tags: 'botany' },
    { domain: '', tags: 'botany' },
    { domain: ' ', tags: ['botany', ''] },
    { tags: '', search: 'gentian OR edelweiss' }
  ])('sends an empty text for what it does not ask for: %j', async (input) => {
    const { bookmarks } = payloadIn((await speak(era, toolMessage(SEARCH, input))).text)
    expect(bookmarks.map(({ title }) => title).sort()).toEqual(['Edelweiss', 'Gentian'])
  })

  test('gets every field of a bookmark if it is plain, and otherwise those that say something', async () => {
    await speak(era, toolMessage(INSERT, { urls: 'https://bare.example/' }))
    const [bookmark] = payloadIn((await speak(era, toolMessage(SEARCH, { domain: 'bare.example' }))).text).bookmarks
    const said = { id: expect.any(String), type: 'link', url: 'https://bare.example/', createdAt: expect.any(String) }
    const silent = { title: '', description: '', tags: [], visibility: 'private', domain: 'bare.example' }
    expect(bookmark).toStrictEqual(plain ? { ...said, ...silent } : said)
    const byId = payloadIn((await speak(era, toolMessage(SEARCH, { search: `id:${bookmark?.id}` }))).text)
    expect(byId.bookmarks[0]).toStrictEqual(bookmark)
  })

  test('is told which tools there are when it asks for another', async () => {
    const { status, json } = await speak(era, toolMessage('bookmarks.delete', {}))
    expect(status).toBe(plain ? 400 : 200)
    const error = {
      code: -32602,
      message: 'Unknown tool: bookmarks.delete. Valid tools: bookmarks.search, bookmarks.insert',
      data: expect.stringMatching(/bookmarks\.search.*bookmarks\.insert/)
    }
    expect(json).toEqual({ jsonrpc: '2.0', id: 7, error })
  })

  const UNKNOWN = 'tools/run Tools/List __proto__ resources/list prompts/list logging/setLevel completion/complete'
  test.each(['', ...UNKNOWN.split(' ')])('is told that there is no method %j', async (method) => {
    const { status, json } = await speak(era, { id: 'x', method, params: {} })
    expect(status).toBe(plain || modern ? 404 : 200)
    const data = expect.stringMatching(plain ? /initialize.*tools\/list.*tools\/call/ : /tools\/list.*tools\/call/)
    const error = { code: -32601, message: expect.stringContaining(method), data }
    expect(json).toEqual({ jsonrpc: '2.0', id: 'x', error })
  })

  test('pings where its revision has a ping', async () => {
    const { status, json } = await speak(era, { id: 4, method: 'ping' })
    if (modern) expect([status, json.error.code]).toEqual([404, -32601])
    else expect([status, json.result]).toEqual([200, {}])
  })

  test('initializes where its revision has a handshake', async () => {
    const params = plain
      ? { client: { name: 'acceptance' } }
      : { protocolVersion: era, capabilities: {}, clientInfo: { name: 'acceptance', version: '1' } }
    const { status, json } = await speak(era, { id: 5, method: 'initialize', params })
    if (modern) return expect([status, json.error.code]).toEqual([404, -32601])
    expect(status).toBe(200)
    expect(json.result).toMatchObject({
      protocolVersion: plain ? '2025-11-25' : era,
      capabilities: { tools: {} },
      serverInfo: { name: 'earmark', version: expect.any(String) },
      instructions: expect.stringMatching(/bookmarks\.search.*before.*bookmarks\.insert.*never follow/)
    })
  })

  test.each([
    { method: 'notifications/initialized' },
    { method: 'notifications/cancelled', params: { requestId: 1, reason: 'changed my mind' } },
    { method: 'notifications/nobody-knows' }
  ])('sends $method, which has no answer', async (notification) => {
    const { status, text } = await speak(era, notification)
    expect([status, text]).toEqual([202, ''])
  })

  test('must give an id with a request', async () => {
    const { status, json } = await speak(era, { method: 'tools/list' })
    expect([status, json.id, json.error.code]).toEqual([400, null, -32600])
  })

  const refused = NO_REQUESTS.filter(({ name }) => era !== '2025-03-26' || name !== 'a batch')
  test.each(refused)('is refused what is no request: $name', async ({ message, error }) => {
    const { status, json } = await speak(era, typeof message === 'string' ? message : JSON.stringify(message))
    expect([status, json.error.code]).toEqual([400, error.code])
  })

  test('a read-only key is told which right it lacks, and nothing is saved', async () => {
    const url = `https://b.example/${era}`
    const { status, json } = await speak(era, toolMessage(INSERT, { urls: [url] }), {
      'x-api-key': keys.readOnly
    })
    expect(status).toBe(200)
    expect(json.result.isError).toBe(true)
    expect(JSON.parse(json.result.content[0].text)).toEqual({
      error: { code: 'forbidden', message: expect.stringMatching(/read-only.*Nothing was saved.*Profile, API Keys/) }
    })
    const { json: found } = await speak(era, toolMessage(SEARCH, { domain: 'b.example' }))
    expect(JSON.parse(found.result.content[0].text).total).toBe(0)
  })
})

test('params as null and a byte order mark in front of a message are taken', async () => {
  for (const text of [JSON.stringify({ ...LIST, params: null }), `\ufeff${JSON.stringify(LIST)}`]) {
    const { status, json } = await speak('plain', text)
    expect([status, namesIn(json)]).toEqual([200, ['bookmarks.search', 'bookmarks.insert']])
  }
})

describe('a host that agrees on a revision and then sends no header', () => {
  const params = { name: 'bookmarks.search', arguments: { limit: 101 } }

  test('is of that revision where it sends a _meta, such as a progress token', async () => {
    const message = { id: 1, method: 'tools/call', params: { ...params, _meta: { progressToken: 1 } } }
    const { status, json } = await speak('plain', message)
    expect([status, json.result.isError]).toEqual([200, true])
  })

  test.each(['*/*', 'application/json', 'text/event-stream', 'application/json, text/event-stream'])(
    'is plain, whatever it accepts: %s',
    async (accept) => {
      const { status, json } = await speak('plain', { id: 1, method: 'tools/call', params }, { accept })
      expect([status, json.error.code]).toEqual([400, -32602])
    }
  )

  test.each([null, 'x', []])('is plain where its _meta is %j', async (_meta) => {
    const { status, json } = await speak('plain', { id: 1, method: 'tools/call', params: { ...params, _meta } })
    expect([status, json.error.code]).toEqual([400, -32602])
  })

  test('is told the names of its tools as they are listed', async () => {
    const ask = async (message: Message) => (await speak('plain', { id: 1, ...message }, {}, UNDERSCORE)).text
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
      const { status, json } = await speak('plain', initialize(version))
      expect([status, json.result.protocolVersion]).toEqual([200, '2025-11-25'])
    }
  )

  test('a revision that is no text is malformed', async () => {
    const { json } = await speak('plain', initialize(7))
    expect(json.error).toMatchObject({ code: -32602, message: 'Invalid params' })
  })

  test.each([undefined, {}, { client: {} }, { client: 'x' }])('without a client and a revision: %j', async (params) => {
    const { status, json } = await speak('plain', { id: 'seven', method: 'initialize', params })
    expect(status).toBe(400)
    const error = { code: -32602, message: 'Invalid params', data: expect.stringMatching(/client/) }
    expect(json).toEqual({ jsonrpc: '2.0', id: 'seven', error })
  })

  test('session headers are ignored', async () => {
    const extra = { 'mcp-session-id': 'anything', 'last-event-id': '9' }
    expect((await speak('2025-06-18', { id: 1, method: 'tools/list' }, extra)).status).toBe(200)
  })

  test('a revision in the header that we do not know is refused', async () => {
    const { status, json } = await speak(
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
  const raw = (message: Message, headers: Record<string, string>) => speak('plain', message, headers)
  const all = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' }

  test('discovers what the server is and speaks', async () => {
    const { status, json } = await speak(MODERN, { id: 1, method: 'server/discover' })
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
    expect((await speak('plain', { id: 1, method: 'server/discover' })).status).toBe(404)
    expect((await speak('2025-11-25', { id: 1, method: 'server/discover' })).json.error.code).toBe(-32601)
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
      ...toolMessage(SEARCH, {}),
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

describe('tools/list', () => {
  interface ToolFacts {
    name: string
    title: string
    description: string
    inputSchema: { additionalProperties: boolean; required?: string[]; properties: Record<string, object> }
    annotations: object
  }

  async function list(path = '/api/tools/mcp'): Promise<ToolFacts[]> {
    const answer = await call(LIST, {}, path)
    expect(answer.status).toBe(200)
    return JSON.parse(answer.body).result.tools
  }

  test('tells a model what each is for', async () => {
    for (const { title, description } of await list()) {
      expect(title).not.toBe('')
      expect(description.length).toBeGreaterThan(100)
    }
  })

  test('describes the arguments of bookmarks.search, each optional', async () => {
    const schema = (await list())[0]?.inputSchema
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(schema?.required ?? []).toEqual([])
    expect(Object.keys(schema?.properties ?? {}).join()).toBe('search,tags,domain,type,visibility,page,limit')
    expect(schema?.properties).toMatchObject({
      search: { type: 'string' },
      domain: { type: 'string' },
      type: { type: 'string', enum: ['link', 'image', 'color', 'text'] },
      visibility: { type: 'string', enum: ['private', 'organization', 'public'] },
      page: { type: 'integer', default: 1, minimum: 1, maximum: 1_000_000 },
      limit: { type: 'integer', default: 5, minimum: 1, maximum: 100 }
    })
    expect(schema?.properties.tags).toMatchObject({ type: 'array', items: { type: 'string' } })
  })

  test('describes the one argument of bookmarks.insert, required', async () => {
    const schema = (await list())[1]?.inputSchema
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false, required: ['urls'] })
    expect(Object.keys(schema?.properties ?? {})).toEqual(['urls'])
    expect(schema?.properties.urls).toMatchObject({ type: 'array', items: { type: 'string' }, maxItems: 500 })
  })

  test('gives every argument one plain type, because some hosts refuse a tool with anyOf', async () => {
    for (const { inputSchema } of await list()) expect(JSON.stringify(inputSchema)).not.toMatch(/anyOf|oneOf|allOf/)
  })

  test('annotates search as reading only, and insert as neither destroying nor harmful to repeat', async () => {
    const [search, insert] = await list()
    expect(search?.annotations).toMatchObject({ readOnlyHint: true })
    expect(insert?.annotations).toMatchObject({ destructiveHint: false, idempotentHint: true })
  })

  test('says defaults and ranges in words, which some hosts strip from schemas, in less than 2,800 bytes', async () => {
    expect((await list())[0]?.inputSchema.properties).toMatchObject({
      limit: { description: expect.stringMatching(/1 to 100.*default 5/) },
      page: { description: expect.stringMatching(/from 1.*default 1/) }
    })
    expect(Buffer.byteLength((await call(LIST)).body)).toBeLessThan(2800)
  })

  test('asks Claude Code to have search at hand', async () => {
    expect((await list()).map((tool) => without(tool, 'name'))).toMatchObject([
      { _meta: { 'anthropic/alwaysLoad': true } },
      { title: 'Save bookmarks' }
    ])
  })

  test('has no output schema, which would double what a call returns', async () => {
    for (const tool of await list()) expect(tool).not.toHaveProperty('outputSchema')
  })

  test('is the same but for the names where the address asks for those without a dot', async () => {
    const [dotted, underscored] = [await list(), await list(UNDERSCORE)]
    expect(underscored.map((tool) => without(tool, 'name'))).toEqual(dotted.map((tool) => without(tool, 'name')))
  })
})

describe('bookmarks.search finds', () => {
  const ON_SHELF = ['Chough', 'Ibex', 'Marmot', 'Pine', 'Larch', 'Edelweiss', 'Gentian']
  const rows: { name: string; input: object; titles: string[] }[] = [
    { name: 'a word of a title', input: { search: 'gentian' }, titles: ['Gentian'] },
    { name: 'a word in another case', input: { search: 'GENTIAN' }, titles: ['Gentian'] },
    { name: 'a word of a description', input: { search: 'whistles' }, titles: ['Marmot'] },
    { name: 'a word of an address', input: { search: 'notshelf' }, titles: ['Bear'] },
    { name: 'the beginning of a word', input: { search: 'edelw' }, titles: ['Edelweiss'] },
    { name: 'a phrase', input: { search: '"tree line"' }, titles: ['Gentian'] },
    { name: 'the words of a phrase that nothing has', input: { search: '"line tree"' }, titles: ['Gentian'] },
    {
      name: 'most of the words where nothing has all',
      input: { search: 'gentian whistles' },
      titles: ['Gentian', 'Marmot']
    },
    { name: 'only what has all words in quotes', input: { search: '"gentian" "whistles"' }, titles: [] },
    { name: 'what has either word', input: { search: 'larch OR bear' }, titles: ['Bear', 'Larch'] },
    { name: 'nothing with an excluded word', input: { search: 'botany -gentian' }, titles: ['Edelweiss'] },
    { name: 'everything for a blank domain', input: { search: 'pine', domain: ' ' }, titles: ['Pine'] },
    { name: 'everything for empty words', input: { search: ' ', domain: 'docs.shelf.example' }, titles: ['Pine'] },
    { name: 'a tag as a string', input: { tags: 'botany' }, titles: ['Edelweiss', 'Gentian'] },
    { name: 'a tag as a list', input: { tags: ['botany'] }, titles: ['Edelweiss', 'Gentian'] },
    { name: 'only what has all tags', input: { tags: ['botany', 'alps'] }, titles: ['Edelweiss'] },
    { name: 'no part of a tag', input: { tags: 'bot' }, titles: [] },
    { name: 'everything for no tags', input: { tags: [], domain: 'notshelf.example' }, titles: ['Bear'] },
    { name: 'a domain with its subdomains', input: { domain: 'shelf.example', limit: 100 }, titles: ON_SHELF },
    { name: 'a domain written with www', input: { domain: 'www.shelf.example', limit: 100 }, titles: ON_SHELF },
    { name: 'a domain in another case', input: { domain: 'Docs.Shelf.Example' }, titles: ['Pine'] },
    { name: 'a subdomain alone', input: { domain: 'docs.shelf.example' }, titles: ['Pine'] },
    { name: 'no domain that only ends alike', input: { domain: 'elf.example' }, titles: [] },
    { name: 'a domain in what has a tag', input: { domain: 'notshelf.example', tags: 'shelf' }, titles: ['Bear'] },
    { name: 'links', input: { type: 'link', tags: 'botany' }, titles: ['Edelweiss', 'Gentian'] },
    { name: 'no images where there are none', input: { type: 'image' }, titles: [] },
    { name: 'no colors where there are none', input: { type: 'color' }, titles: [] },
    { name: 'no texts where there are none', input: { type: 'text' }, titles: [] },
    { name: 'what is private', input: { visibility: 'private', tags: 'botany' }, titles: ['Edelweiss', 'Gentian'] },
    { name: 'nothing public where nothing is', input: { visibility: 'public' }, titles: [] },
    { name: 'one page of one', input: { tags: 'animals', limit: 1 }, titles: ['Chough'] },
    { name: 'the second page', input: { tags: 'animals', limit: 2, page: 2 }, titles: ['Marmot'] },
    { name: 'nothing on a page past the end', input: { tags: 'animals', page: 1_000_000 }, titles: [] }
  ]

  test.each(rows)('$name', async ({ input, titles }) => {
    const { bookmarks } = await searched(input)
    const found = bookmarks.map(({ title }) => title)
    // Words order by how well they match; without them the newest is first.
    expect('search' in input ? found.sort() : found).toEqual(titles)
  })

  test('a phrase that nothing has is said to be none', async () => {
    expect((await searched({ search: '"line tree"' })).hint).toMatch(/^No bookmark has “line tree” as a phrase/)
  })

  test.each([
    '"',
    '*',
    'NEAR(',
    'title:x',
    "' OR 1=1 --",
    '(',
    ')',
    'AND',
    'NOT',
    '^',
    '{a b}: c',
    '-',
    '\u0000',
    '%_'
  ])('something or nothing for the words %j, and never fails', async (words) => {
    expect((await callWith(SEARCH, { search: words })).status).toBe(200)
  })

  test('what an organization holds, by its visibility', async () => {
    const { bookmarks } = await searched({ visibility: 'organization', domain: 'acme.example' })
    expect(bookmarks).toMatchObject([{ url: 'https://acme.example/plan', visibility: 'organization' }])
  })

  test('the first five on page 1 when nothing else is asked', async () => {
    const found = await searched({ domain: 'shelf.example' })
    expect(found).toMatchObject({ total: 7, page: 1, limit: 5, hasMore: true })
    expect(found.bookmarks.map(({ title }) => title)).toEqual(ON_SHELF.slice(0, 5))
  })

  test('the newest of everything when there are no arguments at all', async () => {
    const { status, body } = await call({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'bookmarks.search' }
    })
    expect(status).toBe(200)
    expect(payloadIn(body)).toMatchObject({ page: 1, limit: 5, hasMore: true })
    expect(payloadIn(body).bookmarks).toHaveLength(5)
  })

  test('everything once, in one order, page by page and again', async () => {
    const walk = async () => {
      const seen: string[] = []
      for (let page = 1; ; page++) {
        const { bookmarks, hasMore } = await searched({ search: 'shelf', limit: 3, page })
        seen.push(...bookmarks.map(({ id }) => id))
        if (!hasMore) return seen
      }
    }
    const whole = await searched({ search: 'shelf', limit: 100 })
    expect(whole.total).toBe(8)
    expect(await walk()).toEqual(whole.bookmarks.map(({ id }) => id))
    expect(await walk()).toEqual(await walk())
  })

  test('the total even on a page past the end', async () => {
    expect(await searched({ tags: 'animals', page: 9 })).toEqual({
      total: 3,
      page: 9,
      limit: 5,
      hasMore: false,
      hint: 'Page 9 is past the end: there is one page.',
      bookmarks: []
    })
  })

  test('an address, a title, a description and tags, and empty fields as such', async () => {
    const { bookmarks } = await searched({ search: 'marmot' })
    expect(bookmarks).toEqual([
      {
        id: expect.any(String),
        type: 'link',
        title: 'Marmot',
        url: 'https://shelf.example/marmot?id=5',
        description: 'Whistles',
        tags: ['animals', 'shelf'],
        visibility: 'private',
        domain: 'shelf.example',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      }
    ])
    const [pine] = (await searched({ tags: 'shelf', domain: 'docs.shelf.example' })).bookmarks
    expect(pine).toMatchObject({ title: 'Pine', description: '', tags: ['shelf'] })
  })

  test('its answer in one text item of minified JSON', async () => {
    const { result } = JSON.parse((await callWith(SEARCH, { tags: 'shelf' })).body)
    expect(result).toStrictEqual({ content: [{ type: 'text', text: expect.any(String) }] })
    const { text } = result.content[0]
    expect(text).toBe(JSON.stringify(JSON.parse(text)))
    expect(Object.keys(JSON.parse(text))).toEqual(['total', 'page', 'limit', 'hasMore', 'bookmarks'])
  })
})

describe('a search for id:ID', () => {
  test('answers that one bookmark, and nothing to a key that may not see it', async () => {
    const { bookmarks } = await searched({ search: 'gentian' })
    const search = `id:${bookmarks[0]?.id}`
    expect(await searched({ search })).toMatchObject({
      total: 1,
      page: 1,
      limit: 5,
      hasMore: false,
      hint: expect.stringMatching(/page/),
      bookmarks: [{ title: 'Gentian', description: 'Blue above the tree line' }]
    })
    expect(await callTool(SEARCH, { search }, keys.acme)).toMatchObject({ total: 0, bookmarks: [] })
  })
})

describe('a search that finds nothing hints at the filter that emptied it', () => {
  test.each([
    { filter: 'tag', input: { tags: 'no-such-tag', domain: 'shelf.example' } },
    { filter: 'domain', input: { domain: 'nowhere.example', tags: 'botany' } },
    { filter: 'type', input: { type: 'color', tags: 'botany' } },
    { filter: 'visibility', input: { visibility: 'public', search: 'gentian' } }
  ])('$filter', async ({ filter, input }) => {
    const { total, bookmarks, hint } = await searched(input)
    expect({ total, bookmarks }).toEqual({ total: 0, bookmarks: [] })
    expect(hint).toMatch(new RegExp(`\\b${filter}\\b`))
  })
})

describe('bookmarks.insert', () => {
  const saved = 'saved'
  const invalid = 'invalid'
  test.each<[what: string, urls: string | string[], statuses: string[]]>([
    ['saves one URL given as a string', 'https://string.example/', [saved]],
    ['saves one URL given as a list', ['https://list.example/'], [saved]],
    ['saves several', ['https://several.example/1', 'https://several.example/2'], [saved, saved]],
    ['saves an http address', 'http://plain.example/', [saved]],
    ['saves an address on this machine', 'http://localhost:3000/x', [saved]],
    ['saves an IPv6 address', 'http://[2001:db8::1]:8080/', [saved]],
    ['saves a site without https://', 'www.without.example', [saved]],
    ['saves a page without https://', ['without.example/a?b=c', '//without.example:8080/'], [saved, saved]],
    ['saves an address between spaces', ' https://spaces.example/ \n', [saved]],
    ['saves an international host and path', 'https://例え.テスト/日本語?q=名前', [saved]],
    ['saves a path of emoji', 'https://emoji.example/🔖/👩‍👩‍👧', [saved]],
    ['saves right-to-left script', 'https://rtl.example/עברית/العربية', [saved]],
    ['saves a page given twice once', ['https://twice.example/a', 'https://twice.example/a'], [saved, 'existing']],
    [
      'knows a page by its address without tracking parameters',
      ['https://track.example/a?id=1', 'https://track.example/a?utm_source=mail&id=1&fbclid=x&gclid=y'],
      [saved, 'existing']
    ],
    [
      'knows a page by its address without its fragment',
      ['https://part.example/a', 'https://part.example/a#part'],
      [saved, 'existing']
    ],
    [
      'knows a page whatever the case of its host and the order of its parameters',
      ['https://case.example/?a=1&b=2', 'HTTPS://Case.Example:443/?b=2&a=1'],
      [saved, 'existing']
    ],
    [
      'keeps pages apart whose parameters differ',
      ['https://differ.example/?ref=1', 'https://differ.example/?ref=2'],
      [saved, saved]
    ],
    [
      'saves what is valid beside what is not',
      ['ftp://mixed.example/', 'https://mixed.example/', 'mixed', '', 'javascript:alert(1)'],
      [invalid, saved, invalid, invalid, invalid]
    ],
    [
      'saves no list entry that is not one URL by itself',
      [
        'https://entry.example/1 https://entry.example/2',
        '<https://entry.example/3>',
        '[text](https://entry.example/4)',
        'https://entry.example/5).',
        'entry.txt',
        'https://entry.example/7\u0000',
        'https://entry.example/a b',
        'https://entry.example/8'
      ],
      [...Array(7).fill(invalid), saved]
    ],
    ['saves 500 at once', Array.from({ length: 500 }, (_, at) => `https://many.example/${at}`), Array(500).fill(saved)]
  ])('%s', async (_, urls, statuses) => {
    const report = await inserted({ urls })
    const count = (status: string) => statuses.filter((one) => one === status).length
    expect(report).toMatchObject({ saved: count(saved), existing: count('existing'), invalid: count(invalid) })
    expect(report.bookmarks.map(({ status }) => status)).toEqual(statuses)
    expect(report.bookmarks.map(({ url }) => url)).toEqual([urls].flat())
  })

  test('refuses 501 at once, and saves none of them', async () => {
    const urls = Array.from({ length: 501 }, (_, index) => `https://toomany.example/${index}`)
    const answer = await callWith(INSERT, { urls })
    expect(answer.status).toBe(400)
    expectError(answer, 1, { code: -32602, message: 'Invalid params', data: expect.stringMatching(/500/) })
    expect((await searched({ domain: 'toomany.example' })).total).toBe(0)
  })

  test('can be repeated: the same pages exist, under the same ids', async () => {
    const urls = ['https://again.example/1', 'https://again.example/2']
    const first = await inserted({ urls })
    const second = await inserted({ urls })
    expect(second).toMatchObject({ saved: 0, existing: 2, invalid: 0 })
    expect(second.bookmarks.map(({ id }) => id)).toEqual(first.bookmarks.map(({ id }) => id))
    expect((await searched({ domain: 'again.example' })).total).toBe(2)
  })

  test('says why a URL is invalid, by its scheme or its fault', async () => {
    const { bookmarks } = await inserted({ urls: ['https://why.example/', 'ftp://why.example/', 'https://', 'why'] })
    expect(bookmarks.slice(1)).toEqual([
      { url: 'ftp://why.example/', status: 'invalid', reason: expect.stringContaining('ftp') },
      { url: 'https://', status: 'invalid', reason: expect.stringMatching(/valid/) },
      { url: 'why', status: 'invalid', reason: expect.stringMatching(/https?:\/\//) }
    ])
  })

  test('reports in one text item of minified JSON', async () => {
    const { result } = JSON.parse((await callWith(INSERT, { urls: 'https://shape.example/' })).body)
    expect(result).toStrictEqual({ content: [{ type: 'text', text: expect.any(String) }] })
    const { text } = result.content[0]
    expect(text).toBe(JSON.stringify(JSON.parse(text)))
    expect(JSON.parse(text)).toStrictEqual({
      saved: 1,
      existing: 0,
      invalid: 0,
      bookmarks: [{ url: 'https://shape.example/', id: expect.any(String), status: 'saved' }]
    })
  })

  test('saves what the next search finds, privately', async () => {
    const { bookmarks } = await inserted({ urls: 'https://findable.example/wolpertinger' })
    expect((await searched({ search: 'wolpertinger' })).bookmarks).toMatchObject([
      { id: bookmarks[0]?.id, url: 'https://findable.example/wolpertinger', type: 'link', visibility: 'private' }
    ])
  })

  test('saves an international address that is found by its own words', async () => {
    await inserted({ urls: 'https://wort.example/日本語' })
    expect((await searched({ search: '日本語', domain: 'wort.example' })).total).toBe(1)
  })
})

describe('a key carries the permissions of its owner', () => {
  test('a read-only key may search', async () => {
    expect((await callTool(SEARCH, { tags: 'botany' }, keys.readOnly)).total).toBe(2)
  })

  test('an organization’s key sees what is its own and nothing private', async () => {
    const { bookmarks } = await callTool(SEARCH, { limit: 100 }, keys.acme)
    expect(bookmarks.map(({ url }) => url)).toContain('https://acme.example/plan')
    expect(new Set(bookmarks.map(({ visibility }) => visibility))).toEqual(new Set(['organization']))
    for (const input of [{ search: 'gentian' }, { tags: 'botany' }, { visibility: 'private' }]) {
      expect(await callTool(SEARCH, input, keys.acme)).toMatchObject({ total: 0, bookmarks: [] })
    }
  })

  test('an organization’s key never learns from a hint what is private', async () => {
    const hint = async (search: string) => (await callTool(SEARCH, { search, type: 'color' }, keys.acme)).hint
    expect(await hint('gentian')).toBe((await hint('xylophone'))?.replace('xylophone', 'gentian'))
  })

  test('an organization’s key saving a page the owner has privately saves it', async () => {
    await inserted({ urls: 'https://both.example/' })
    expect(await callTool(INSERT, { urls: 'https://both.example/' }, keys.acme)).toMatchObject({
      saved: 1,
      existing: 0
    })
    expect(await callTool(SEARCH, { domain: 'both.example' }, keys.acme)).toMatchObject({ total: 1 })
    expect((await searched({ domain: 'both.example' })).total).toBe(2)
  })
})

describe('without a valid key or session every request gets the same 401', () => {
  let reference: RawAnswer

  beforeAll(async () => {
    reference = await send({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(LIST) })
  })

  const LIES: [string, () => Record<string, string | string[]>][] = [
    ['no key', () => ({})],
    ['an empty key', () => ({ 'x-api-key': '' })],
    ['a malformed key', () => ({ 'x-api-key': 'let me in' })],
    [
      'a key with a wrong checksum',
      () => ({ 'x-api-key': `${keys.mine.slice(0, -1)}${keys.mine.endsWith('0') ? 1 : 0}` })
    ],
    ['an unknown key', () => ({ 'x-api-key': formatKey(randomBytes(32)) })],
    ['an expired key', () => ({ 'x-api-key': keys.expired })],
    ['a revoked key', () => ({ 'x-api-key': keys.revoked })],
    ['a valid key sent twice', () => ({ 'x-api-key': [keys.mine, keys.mine] })],
    ['a valid key behind another', () => ({ 'x-api-key': [formatKey(randomBytes(32)), keys.mine] })],
    ['an empty key', () => ({ 'x-api-key': '' })],
    ['an empty key and an empty bearer token', () => ({ 'x-api-key': '', authorization: 'Bearer ' })],
    ['an unknown key as a bearer token', () => ({ authorization: `Bearer ${formatKey(randomBytes(32))}` })],
    [
      'a valid key as a bearer token sent twice',
      () => ({ authorization: [`Bearer ${keys.mine}`, `Bearer ${keys.mine}`] })
    ],
    ['a valid key in another scheme', () => ({ authorization: `Basic ${keys.mine}` })],
    ['the token of commands as a bearer token', () => ({ authorization: `Bearer ${service.commandToken}` })],
    [
      'a valid key beside another as a bearer token',
      () => ({ 'x-api-key': keys.mine, authorization: `Bearer ${keys.expired}` })
    ],
    ['a made-up session', () => ({ 'x-earmark-session': 'made-up', origin: url })],
    [
      'a made-up session’s cookie',
      () => {
        const host = `${service.dashboardHost}:${portOf()}`
        return { host, cookie: 'earmark=made-up', origin: `http://${host}` }
      }
    ]
  ]

  test.each(LIES)('%s', async (_, headers) => {
    const body = JSON.stringify(LIST)
    const answer = await send({ headers: { 'content-type': 'application/json', ...headers() }, body })
    expect(answer.status).toBe(401)
    expect(answer.body).toBe(reference.body)
    expect(without(answer.headers, 'date')).toEqual(without(reference.headers, 'date'))
    const { error } = JSON.parse(answer.body)
    expect(error).toEqual({ code: 'unauthorized', message: expect.stringMatching(/Profile.*API Keys/) })
    expect(error.message).toContain('(or as Authorization: Bearer KEY)')
    expect(answer.headers['www-authenticate']).toContain(`error_description="${error.message}"`)
  })

  test('a key opens it as a bearer token too, also beside the same key or an empty header', async () => {
    const status = async (headers: Record<string, string>) => (await call(LIST, headers)).status
    expect(await status({ authorization: `Bearer ${keys.mine}` })).toBe(200)
    expect(await status({ authorization: `bearer ${keys.mine}` })).toBe(200)
    expect(await status({ 'x-api-key': keys.mine, authorization: `Bearer ${keys.mine}` })).toBe(200)
    expect(await status({ 'x-api-key': '', authorization: `Bearer ${keys.mine}` })).toBe(200)
    expect(await status({ 'x-api-key': keys.mine, authorization: '' })).toBe(200)
  })

  test('a key works until it is revoked, and not once more', async () => {
    const use = async (key: string) => (await call(LIST, { 'x-api-key': key })).status
    const { key } = await makeAndRevoke(service, async (key) => expect(await use(key)).toBe(200))
    expect(await use(key)).toBe(401)
  })

  const UNHEARD: [string, Sent][] = [
    ['a GET', { method: 'GET' }],
    ['a PUT', { method: 'PUT', body: '{}' }],
    ['a DELETE', { method: 'DELETE' }],
    ['an OPTIONS', { method: 'OPTIONS' }],
    ['a body of another type', { headers: { 'content-type': 'text/plain' }, body: 'hello' }],
    ['a body that is too large', { headers: { 'content-type': 'application/json', 'content-length': `${2 * MIB}` } }],
    ['a body that is not JSON', { headers: { 'content-type': 'application/json' }, body: '{' }],
    ['a call of an unknown tool', { headers: { 'content-type': 'application/json' }, body: toolCall('nope', {}) }]
  ]

  test.each(UNHEARD)('%s: not a word about what else is wrong', async (_, sent) => {
    const answer = await send(sent)
    expect(answer.status).toBe(401)
    expect(answer.body).toBe(reference.body)
    expect(answer.headers.allow).toBeUndefined()
  })
})

describe('with a key, a request that is no JSON sent by POST is refused', () => {
  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s gets 405 and Allow: POST', async (method) => {
    const answer = await send({ method, headers: { 'x-api-key': keys.mine } })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('POST')
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json', ''])(
    'the content type %j gets 415',
    async (type) => {
      expect((await call(LIST, { 'content-type': type })).status).toBe(415)
    }
  )

  test.each(['application/json; charset=utf-7', 'application/json; charset="klingon"'])(
    'an unknown charset gets 415, which names it: %s',
    async (type) => {
      const { status, body } = await call(LIST, { 'content-type': type })
      expect([status, JSON.parse(body).error.message]).toEqual([415, expect.stringMatching(/utf-7|klingon.*UTF-8/)])
    }
  )

  test.each([
    ['says nothing', 'application/json', Buffer.from('{"id":"caf\xe9"}', 'latin1'), /UTF-8.*charset/],
    ['says UTF-8', 'application/json; charset=utf-8', Buffer.from('{"id":"caf\xe9"}', 'latin1'), /UTF-8/],
    ['says Shift_JIS', 'application/json; charset=shift_jis', Buffer.from('{"id":"\xff"}', 'latin1'), /shift_jis/]
  ])('a body in other bytes than it %s gets a parse error', async (_, type, body, data) => {
    const answer = await call(body, { 'content-type': type })
    expect(answer.status).toBe(400)
    expectError(answer, null, { ...PARSE, data: expect.stringMatching(data) })
  })

  test('no content type gets 415', async () => {
    expect((await send({ headers: { 'x-api-key': keys.mine }, body: JSON.stringify(LIST) })).status).toBe(415)
  })

  test('one byte over 1 MiB, announced, gets 413 before any of it is sent', async () => {
    const answer = await send({
      headers: { 'x-api-key': keys.mine, 'content-type': 'application/json', 'content-length': `${MIB + 1}` }
    })
    expect(answer.status).toBe(413)
  })

  test('one byte over 1 MiB, in chunks, gets 413', async () => {
    const body = JSON.stringify(LIST).padEnd(MIB + 1)
    expect((await call(body, { 'transfer-encoding': 'chunked' })).status).toBe(413)
  })

  test('the method is looked at before the content type', async () => {
    const sent = { method: 'PUT', headers: { 'x-api-key': keys.mine, 'content-type': 'text/plain' }, body: 'x' }
    expect((await send(sent)).status).toBe(405)
  })

  test('the content type is looked at before the size', async () => {
    const headers = { 'x-api-key': keys.mine, 'content-type': 'text/plain', 'content-length': `${2 * MIB}` }
    expect((await send({ headers })).status).toBe(415)
  })

  test('the size is looked at before the JSON', async () => {
    expect((await call('{'.padEnd(MIB + 1), { 'transfer-encoding': 'chunked' })).status).toBe(413)
  })
})

describe('what no careful caller sends', () => {
  test.each(['1e400', '12345678901234567890'])('the id %s, which could not be echoed, is refused', async (id) => {
    expect((await call(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).status).toBe(400)
  })

  test('is never answered with more than 64 KiB', async () => {
    const tag = await callWith(SEARCH, { tags: ['x'.repeat(900_000)] })
    const urls = Array.from({ length: 120 }, () => `${'a'.repeat(8000)}:x`)
    const schemes = await callWith(INSERT, { urls })
    expect([tag.status, schemes.status]).toEqual([400, 400])
    expect(Math.max(tag.body.length, schemes.body.length)).toBeLessThan(65_536)
  })

  test('is read no further than 1 MiB by another spelling of the address, or where a stranger logs in', async () => {
    expect((await call('x'.repeat(2_000_000), {}, '/api/tools/%6dcp')).status).toBe(413)
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ token: 'x'.repeat(2_000_000) })
    expect((await fetch(`${url}/api/session`, { method: 'POST', headers, body })).status).toBe(413)
  })

  test.each(['/api/session', '/api/keys'])('is answered a clear 400 where it is no JSON: %s', async (path) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${service.commandToken}` }
    const answer = await send({ path, headers, body: '{bad' })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'invalid' } })
  })
})

describe('the gate', () => {
  // `gate.test.ts` tries all it decides.
  const CLOSED: [string, () => Record<string, string | string[]>][] = [
    ['a foreign Host', () => ({ host: `evil.example:${portOf()}` })],
    ['a Host without our port', () => ({ host: '127.0.0.1' })],
    ['a foreign Origin', () => ({ origin: 'https://evil.example' })],
    ['our other name as Origin', () => ({ origin: `http://localhost:${portOf()}` })],
    ['Sec-Fetch-Site: cross-site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['Sec-Fetch-Site: none and an Origin', () => ({ 'sec-fetch-site': 'none', origin: `http://127.0.0.1:${portOf()}` })]
  ]

  test.each(CLOSED)('refuses %s with 403, key or no key', async (_, headers) => {
    const body = JSON.stringify(LIST)
    const known = await send({
      headers: { 'content-type': 'application/json', 'x-api-key': keys.mine, ...headers() },
      body
    })
    expect(known.status).toBe(403)
    expect(JSON.parse(known.body)).toEqual({ error: { code: expect.any(String), message: expect.any(String) } })
    expect((await send({ headers: headers(), body })).status).toBe(403)
  })

  const OPEN: [string, () => Record<string, string>][] = [
    ['localhost as Host and Origin', () => ({ host: `localhost:${portOf()}`, origin: `http://localhost:${portOf()}` })],
    ['our own page', () => ({ origin: url, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })]
  ]

  test.each(OPEN)('lets in %s', async (_, headers) => {
    expect((await call(LIST, headers())).status).toBe(200)
  })

  const HOSTS: [string, () => string[]][] = [
    ['no Host', () => []],
    ['Host sent twice', () => [`Host: 127.0.0.1:${portOf()}`, `Host: 127.0.0.1:${portOf()}`]],
    ['a foreign Host behind ours', () => [`Host: 127.0.0.1:${portOf()}`, 'Host: evil.example']]
  ]

  test.each(HOSTS)('refuses %s with 403', async (_, hosts) => {
    const lines = ['POST /api/tools/mcp HTTP/1.1', ...hosts(), `x-api-key: ${keys.mine}`, 'content-length: 0']
    expect(await sendLines(lines)).toMatch(/^HTTP\/1\.1 403 /)
  })

  test('stands before addresses that do not exist', async () => {
    expect((await send({ path: '/nowhere', headers: { host: 'evil.example' } })).status).toBe(403)
  })
})

describe('addresses beside the endpoint', () => {
  test.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/api/tools/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/api/tools/mcp/.well-known/openid-configuration',
    '/register',
    '/authorize',
    '/token'
  ])('%s answers 404 JSON that asks for a key', async (path) => {
    const method = path === '/register' || path === '/token' ? 'POST' : 'GET'
    const answer = await send({ method, path })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/)
    expect(JSON.parse(answer.body)).toEqual({
      error: 'invalid_request',
      error_description: expect.stringContaining('x-api-key')
    })
  })

  test.each(['/api/tools', '/api/tools/other', '/api/tools/mcp/more', '/api/tools/mcp/', '/mcp', '/sse', '/'])(
    '%s is not there, and says where the endpoint is',
    async (path) => {
      const sent = { path, headers: { 'content-type': 'application/json', 'x-api-key': keys.mine } }
      const answer = await send({ ...sent, body: JSON.stringify(LIST) })
      expect(answer.status).toBe(404)
      expect(answer.headers['content-type']).toMatch(/^application\/json\b/)
      expect(JSON.parse(answer.body).error.message).toContain(`POST ${url}/api/tools/mcp`)
    }
  )

  test('a GET of /sse, as clients of the first revision begin, says so too', async () => {
    const answer = await send({ method: 'GET', path: '/sse' })
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([404, 'not-found'])
  })

  test('an API key opens no other address', async () => {
    const answer = await send({ method: 'GET', path: '/api/keys', headers: { 'x-api-key': keys.mine } })
    expect(answer.status).toBe(401)
  })
})

describe('a session', () => {
  test('begins with a login link’s token, in a cookie no script reads and no other site sends', async () => {
    const answer = await redeem(newToken())
    expect(answer.status).toBe(200)
    const [cookie, ...more] = answer.headers['set-cookie'] ?? []
    expect(more).toEqual([])
    const [pair, ...attributes] = (cookie ?? '').split('; ')
    expect(pair).toMatch(/^earmark=[\w-]{43}$/)
    expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']))
    expect(attributes.join('; ')).not.toMatch(/domain=/i)
  })

  test('begins once for each token', async () => {
    const token = newToken()
    expect((await redeem(token)).status).toBe(200)
    const again = await redeem(token)
    expect(again.status).toBe(401)
    expect(again.headers['set-cookie']).toBeUndefined()
  })

  test('does not begin with a made-up token', async () => {
    expect((await redeem('made-up')).status).toBe(401)
  })

  test('opens the endpoint to our own page, which acts as the profile', async () => {
    const body = toolCall(SEARCH, { tags: 'botany' })
    const answer = await asPage(await logIn(), { origin: pageOrigin() }, body)
    expect(answer.status).toBe(200)
    expect(payloadIn(answer.body)).toMatchObject({ total: 2, bookmarks: [{ visibility: 'private' }, {}] })
  })

  test('opens nothing to a call without Origin', async () => {
    expect((await asPage(await logIn(), {})).status).toBe(401)
  })

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1'])(
    'opens nothing to the Origin %s',
    async (origin) => {
      expect((await asPage(await logIn(), { origin })).status).toBe(403)
    }
  )

  // interface.md, section 5: a missing or invalid key AND no active session is what makes a 401.
  test('opens the endpoint beside an invalid key', async () => {
    const answer = await asPage(await logIn(), { origin: pageOrigin(), 'x-api-key': keys.revoked })
    expect(answer.status).toBe(200)
  })

  test('is over once it is ended', async () => {
    const [cookie, origin] = [await logIn(), pageOrigin()]
    expect((await asPage(cookie, { origin })).status).toBe(200)
    const headers = { host: new URL(origin).host, cookie, origin }
    expect((await send({ method: 'DELETE', path: '/api/session', headers })).status).toBe(204)
    expect((await asPage(cookie, { origin })).status).toBe(401)
  })

  test('is not ended by a call that names no Origin', async () => {
    const cookie = await logIn()
    await send({ method: 'DELETE', path: '/api/session', headers: { host: new URL(pageOrigin()).host, cookie } })
    expect((await asPage(cookie, { origin: pageOrigin() })).status).toBe(200)
  })

  /** Where browsers find the dashboard. */
  const pageOrigin = () => `http://${service.dashboardHost}:${portOf()}`

  const newToken = () => new URL(service.loginLink()).hash.slice(1)

  function redeem(token: string): Promise<RawAnswer> {
    const headers = { 'content-type': 'application/json', host: new URL(pageOrigin()).host, origin: pageOrigin() }
    return send({ path: '/api/session', headers, body: JSON.stringify({ token }) })
  }

  async function logIn(): Promise<string> {
    const { headers } = await redeem(newToken())
    return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  }

  function asPage(cookie: string, headers: Record<string, string>, body = JSON.stringify(LIST)): Promise<RawAnswer> {
    const { host } = new URL(pageOrigin())
    return send({ headers: { 'content-type': 'application/json', host, cookie, ...headers }, body })
  }
})

interface Sent {
  method?: string
  path?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}

/** Sends exactly this. No answer of any kind may let another site's page read it. */
async function send({ method = 'POST', path = '/api/tools/mcp', headers = {}, body }: Sent): Promise<RawAnswer> {
  const answer = await rawRequest(url, { method, path, headers, ...(body !== undefined && { body }) })
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  return answer
}

/** Sends what Node's client would not, and gives all that comes back until the service hangs up. */
async function sendLines(lines: string[]): Promise<string> {
  const socket = connect(Number(portOf()), '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return text(socket)
}

/** Sends a message as an editor with a key does; a string and bytes are sent as they are. */
function call(message: unknown, headers: Record<string, string | string[]> = {}, path?: string): Promise<RawAnswer> {
  return send({
    ...(path !== undefined && { path }),
    headers: { 'content-type': 'application/json', 'x-api-key': keys.mine, ...headers },
    body: typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message)
  })
}

function toolCall(name: string, input: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })
}

function callWith(tool: string, input: object, key = keys.mine): Promise<RawAnswer> {
  return call(toolCall(tool, input), { 'x-api-key': key })
}

/** What the tools return, as far as either does. */
interface Payload {
  total: number
  hasMore: boolean
  hint?: string
  bookmarks: { id: string; url: string; title: string; visibility: string; status: string }[]
}

async function callTool(tool: string, input: object, key = keys.mine): Promise<Payload> {
  const { status, body } = await callWith(tool, input, key)
  expect(status, body).toBe(200)
  return payloadIn(body)
}

const searched = (input: object) => callTool(SEARCH, input)
const inserted = (input: object) => callTool(INSERT, input)

function payloadIn(body: string): Payload {
  return JSON.parse(JSON.parse(body).result.content[0].text)
}

/** The error envelope holds exactly what interface.md shows, `data` a string. */
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
