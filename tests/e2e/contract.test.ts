import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatKey } from '../../src-main/core/key-format.ts'
import { openService } from '../../src-main/service.ts'
import { noKeychain } from '../support/no-keychain.ts'
import { type Running, runProgram, startProgram, withoutKeychain } from '../support/program.ts'
import { type RawAnswer, rawRequest } from '../support/raw-http.ts'
import { callApi, makeKey } from '../support/service.ts'

/**
 * interface.md and the plain part of protocol.md, row by row, over HTTP against the built service. One service answers
 * them all; each row uses sites of its own.
 */
let service: Running
const keys = { mine: '', readOnly: '', acme: '', expired: '', revoked: '' }

const DAY_MS = 86_400_000
const MIB = 1024 * 1024

beforeAll(async () => {
  const data = mkdtempSync(join(tmpdir(), 'earmark-contract-'))
  await makeKeys(data)
  service = await startProgram(data, [], { env: withoutKeychain, afterwards: () => {} })
  await fillShelf(data)
  return async () => {
    await service.end('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  }
})

/** Made two days ago, so that one has expired since. */
async function makeKeys(data: string): Promise<void> {
  const past = await openService({
    data,
    version: '0.0.0-test',
    dashboard: 'out/renderer',
    keychain: noKeychain,
    now: () => Date.now() - 2 * DAY_MS,
    onBug: (error) => {
      throw error
    }
  })
  await callApi(past, 'POST', '/organizations', { name: 'Acme' })
  keys.mine = await makeKey(past)
  keys.readOnly = await makeKey(past, { readOnly: true })
  keys.acme = await makeKey(past, { organization: 'Acme' })
  keys.expired = await makeKey(past, { expires: 1 })
  const { id, key } = (await (await callApi(past, 'POST', '/keys', { name: 'lost' })).json()) as Record<string, string>
  await callApi(past, 'DELETE', `/keys/${id}`)
  keys.revoked = key ?? ''
  await past.close()
}

/** What searches are tried on. An import is how tags and descriptions come in. */
async function fillShelf(data: string): Promise<void> {
  const file = join(data, 'shelf.html')
  writeFileSync(
    file,
    `<!DOCTYPE NETSCAPE-Bookmark-file-1>
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
  )
  await runProgram(['import', file, '--data', data], withoutKeychain)
  await callTool('bookmarks.insert', { urls: 'https://acme.example/plan' }, keys.acme)
}

describe('a message that is no request is refused', () => {
  const request = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
  const PARSE = { code: -32700, message: 'Parse error' }
  const INVALID = { code: -32600, message: 'Invalid Request' }
  const rows: { name: string; message: unknown; id?: number; error: object; data: RegExp }[] = [
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
    { name: 'params as null', message: { ...request, params: null }, id: 7, error: INVALID, data: /params/ },
    { name: 'no id', message: without(request, 'id'), error: INVALID, data: /\bid\b/ },
    { name: 'id as null', message: { ...request, id: null }, error: INVALID, data: /\bid\b/ },
    { name: 'id as an object', message: { ...request, id: {} }, error: INVALID, data: /\bid\b/ },
    { name: 'id as a list', message: { ...request, id: [7] }, error: INVALID, data: /\bid\b/ },
    { name: 'id as true', message: { ...request, id: true }, error: INVALID, data: /\bid\b/ },
    { name: 'a hundred nested lists', message: '['.repeat(100) + ']'.repeat(100), error: INVALID, data: /deep/ }
  ]

  test.each(rows)('$name', async ({ message, id = null, error, data }) => {
    const answer = await call(message)
    expect(answer.status).toBe(400)
    expectError(answer, id, { ...error, data: expect.stringMatching(data) })
  })
})

describe('a request with bad params is refused, and the error echoes its id', () => {
  const params = { code: -32602, message: 'Invalid params' }
  const tool = (name: unknown, input?: unknown) => ({ name, arguments: input })
  const rows: { name: string; method: string; params?: object; data: RegExp }[] = [
    { name: 'initialize without params', method: 'initialize', data: /client/ },
    { name: 'initialize without client', method: 'initialize', params: {}, data: /client/ },
    { name: 'initialize with a nameless client', method: 'initialize', params: { client: {} }, data: /client/ },
    { name: 'initialize with a client as a string', method: 'initialize', params: { client: 'x' }, data: /client/ },
    { name: 'a call without params', method: 'tools/call', data: /name/ },
    { name: 'a call without a name', method: 'tools/call', params: { arguments: {} }, data: /name/ },
    { name: 'a call with a name as a number', method: 'tools/call', params: tool(1, {}), data: /name/ },
    ...[[], null, 'x', 1, true].map((input) => ({
      name: `a call with the arguments ${JSON.stringify(input)}`,
      method: 'tools/call',
      params: tool('bookmarks.search', input),
      data: /arguments/
    }))
  ]

  test.each(rows)('$name', async ({ method, params: sent, data }) => {
    const answer = await call({ jsonrpc: '2.0', id: 'seven', method, params: sent })
    expect(answer.status).toBe(400)
    expectError(answer, 'seven', { ...params, data: expect.stringMatching(data) })
  })
})

describe('arguments that fail validation are refused with -32602 Invalid params', () => {
  const search = 'bookmarks.search'
  const insert = 'bookmarks.insert'
  const rows: { tool: string; input: object; data: RegExp }[] = [
    { tool: search, input: { search: 5 }, data: /search/ },
    { tool: search, input: { search: null }, data: /search/ },
    { tool: search, input: { tags: 5 }, data: /tags/ },
    { tool: search, input: { tags: ['a', 5] }, data: /tags/ },
    { tool: search, input: { tags: { a: 1 } }, data: /tags/ },
    { tool: search, input: { domain: ['a.example'] }, data: /domain/ },
    { tool: search, input: { type: 'video' }, data: /type.*link.*image.*color.*text/ },
    { tool: search, input: { type: 'Link' }, data: /type/ },
    { tool: search, input: { visibility: 'secret' }, data: /visibility.*private.*organization.*public/ },
    { tool: search, input: { page: 0 }, data: /page/ },
    { tool: search, input: { page: -1 }, data: /page/ },
    { tool: search, input: { page: 1.5 }, data: /page/ },
    { tool: search, input: { page: '1' }, data: /page/ },
    { tool: search, input: { page: null }, data: /page/ },
    { tool: search, input: { page: 1_000_001 }, data: /page/ },
    { tool: search, input: { limit: 0 }, data: /limit/ },
    { tool: search, input: { limit: -1 }, data: /limit/ },
    { tool: search, input: { limit: 101 }, data: /limit/ },
    { tool: search, input: { limit: 2.5 }, data: /limit/ },
    { tool: search, input: { limit: '5' }, data: /limit/ },
    {
      tool: search,
      input: { query: 'x' },
      data: /^Unknown argument “query”\. Did you mean “search”\? Valid: search, tags, domain, type, visibility, page, limit$/
    },
    { tool: search, input: { tag: 'x' }, data: /“tag”\. Did you mean “tags”\?/ },
    { tool: search, input: { limits: 3 }, data: /“limits”\. Did you mean “limit”\?/ },
    { tool: search, input: { zebra: 1, lion: 2 }, data: /^Unknown arguments “zebra”, “lion”\. Valid: search,/ },
    { tool: search, input: { page: 0, limit: 0 }, data: /page.*limit/ },
    { tool: insert, input: {}, data: /urls/ },
    { tool: insert, input: { urls: 5 }, data: /urls/ },
    { tool: insert, input: { urls: null }, data: /urls/ },
    { tool: insert, input: { urls: [] }, data: /urls/ },
    { tool: insert, input: { urls: ['https://good.example/', 5] }, data: /urls/ },
    { tool: insert, input: { url: 'https://good.example/' }, data: /Did you mean “urls”\?/ },
    {
      tool: insert,
      input: { urls: 'https://good.example/', tags: ['x'] },
      data: /^Unknown argument “tags”\. Valid: only urls; details are read from the page$/
    },
    { tool: insert, input: { urls: 'https://good.example/', title: 'x' }, data: /only urls; details are read from/ },
    { tool: insert, input: { urls: '' }, data: /urls.*empty/ },
    { tool: insert, input: { urls: 'good.example' }, data: /urls.*https?:/ },
    { tool: insert, input: { urls: 'ftp://good.example/' }, data: /ftp/ },
    { tool: insert, input: { urls: ['javascript:alert(1)', 'file:///etc/passwd'] }, data: /javascript.*file/ },
    ...[' ', ', ', ',', '\n'].map((between) => ({
      tool: insert,
      input: { urls: `https://good.example/x${between}https://good.example/y` },
      data: /several URLs in one string: send a list/
    }))
  ]

  test.each(rows.map((row) => ({ ...row, shown: JSON.stringify(row.input) })))('$tool $shown', async (row) => {
    const answer = await callWith(row.tool, row.input)
    expect(answer.status).toBe(400)
    expectError(answer, 1, { code: -32602, message: 'Invalid params', data: expect.stringMatching(row.data) })
  })

  test('501 urls in one call', async () => {
    const urls = Array.from({ length: 501 }, (_, index) => `https://toomany.example/${index}`)
    const answer = await callWith(insert, { urls })
    expect(answer.status).toBe(400)
    expectError(answer, 1, { code: -32602, message: 'Invalid params', data: expect.stringMatching(/500/) })
    expect((await searched({ domain: 'toomany.example' })).total).toBe(0)
  })

  test('and what was good in a refused call is not saved', async () => {
    expect((await searched({ domain: 'good.example' })).total).toBe(0)
  })
})

describe('what does not exist is named in the error', () => {
  test('an unknown tool: the message names it, data lists the tools there are', async () => {
    const answer = await callWith('bookmarks.delete', {})
    expect(answer.status).toBe(400)
    expectError(answer, 1, {
      code: -32602,
      message: 'Unknown tool: bookmarks.delete. Valid tools: bookmarks.search, bookmarks.insert',
      data: expect.stringMatching(/bookmarks\.search.*bookmarks\.insert/)
    })
  })

  test.each(['tools/run', 'resources/list', 'prompts/list', 'server/discover', 'Tools/List', '', '__proto__'])(
    'an unknown method: %j',
    async (method) => {
      const answer = await call({ jsonrpc: '2.0', id: 1, method })
      expect(answer.status).toBe(404)
      expectError(answer, 1, {
        code: -32601,
        message: expect.stringContaining(method),
        data: expect.stringMatching(/initialize.*tools\/list.*tools\/call/)
      })
    }
  )
})

describe('a request is answered in the success envelope', () => {
  test.each([0, 1, -1, 1.5, 9007199254740991, 'seven', '', '7', 'наконец 🔖'])('and echoes the id %j', async (id) => {
    const answer = await call({ jsonrpc: '2.0', id, method: 'tools/list' })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/)
    expect(JSON.parse(answer.body)).toStrictEqual({ jsonrpc: '2.0', id, result: expect.any(Object) })
  })

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
    'when its content type is written %s',
    async (type) => {
      expect((await call(LIST, { 'content-type': type })).status).toBe(200)
    }
  )

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

describe('a notification is taken with 202 and an empty body', () => {
  test.each([
    { method: 'notifications/initialized' },
    { method: 'notifications/cancelled', params: { requestId: 1, reason: 'changed my mind' } },
    { method: 'notifications/nobody-knows' }
  ])('$method', async (notification) => {
    const answer = await call({ jsonrpc: '2.0', ...notification })
    expect(answer.status).toBe(202)
    expect(answer.body).toBe('')
  })
})

test('initialize says who serves and that there are tools, to a caller that gives its name', async () => {
  const answer = await call({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { client: { name: 'editor' } } })
  expect(answer.status).toBe(200)
  expect(JSON.parse(answer.body)).toMatchObject({
    jsonrpc: '2.0',
    id: 1,
    result: { capabilities: { tools: {} }, serverInfo: { name: 'earmark' } }
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

  test('has exactly the two tools, search first', async () => {
    expect((await list()).map(({ name }) => name)).toEqual(['bookmarks.search', 'bookmarks.insert'])
  })

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
    expect(Object.keys(schema?.properties ?? {})).toEqual([
      'search',
      'tags',
      'domain',
      'type',
      'visibility',
      'page',
      'limit'
    ])
    expect(schema?.properties).toMatchObject({
      search: { type: 'string' },
      domain: { type: 'string' },
      type: { type: 'string', enum: ['link', 'image', 'color', 'text'] },
      visibility: { type: 'string', enum: ['private', 'organization', 'public'] },
      page: { type: 'integer', default: 1, minimum: 1, maximum: 1_000_000 },
      limit: { type: 'integer', default: 5, minimum: 1, maximum: 100 }
    })
    expect(typesOf(schema?.properties.tags)).toEqual(['array', 'string'])
  })

  test('describes the one argument of bookmarks.insert, required', async () => {
    const schema = (await list())[1]?.inputSchema
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false, required: ['urls'] })
    expect(Object.keys(schema?.properties ?? {})).toEqual(['urls'])
    expect(typesOf(schema?.properties.urls)).toEqual(['array', 'string'])
  })

  test('annotates search as reading only, and insert as neither destroying nor harmful to repeat', async () => {
    const [search, insert] = await list()
    expect(search?.annotations).toMatchObject({ readOnlyHint: true })
    expect(insert?.annotations).toMatchObject({ destructiveHint: false, idempotentHint: true })
  })

  test('says defaults and ranges in words, which some hosts strip from schemas, in less than 2,700 bytes', async () => {
    expect((await list())[0]?.inputSchema.properties).toMatchObject({
      limit: { description: expect.stringMatching(/1 to 100.*default 5/) },
      page: { description: expect.stringMatching(/from 1.*default 1/) }
    })
    expect(Buffer.byteLength((await call(LIST)).body)).toBeLessThan(2700)
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

  test('lists names without a dot where the address asks for them', async () => {
    const underscored = await list('/api/tools/mcp?names=underscore')
    expect(underscored.map(({ name }) => name)).toEqual(['bookmarks_search', 'bookmarks_insert'])
    expect(underscored.map((tool) => without(tool, 'name'))).toEqual(
      (await list()).map((tool) => without(tool, 'name'))
    )
  })

  function typesOf(property: object | undefined): string[] {
    return ((property as { anyOf?: { type: string }[] }).anyOf ?? []).map(({ type }) => type).sort()
  }
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
    { name: 'no phrase in another order', input: { search: '"line tree"' }, titles: [] },
    {
      name: 'most of the words where nothing has all',
      input: { search: 'gentian whistles' },
      titles: ['Gentian', 'Marmot']
    },
    { name: 'only what has all words in quotes', input: { search: '"gentian" "whistles"' }, titles: [] },
    { name: 'what has either word', input: { search: 'larch OR bear' }, titles: ['Bear', 'Larch'] },
    { name: 'nothing with an excluded word', input: { search: 'botany -gentian' }, titles: ['Edelweiss'] },
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
    expect((await callWith('bookmarks.search', { search: words })).status).toBe(200)
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

  test('an address, a title, a description and tags, and no field that is empty', async () => {
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
    expect(Object.keys((await searched({ tags: 'shelf', domain: 'docs.shelf.example' })).bookmarks[0] ?? {})).toEqual([
      'id',
      'type',
      'title',
      'url',
      'tags',
      'visibility',
      'domain',
      'createdAt'
    ])
  })

  test('its answer in one text item of minified JSON', async () => {
    const { result } = JSON.parse((await callWith('bookmarks.search', { tags: 'shelf' })).body)
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
    expect(await callTool('bookmarks.search', { search }, keys.acme)).toMatchObject({ total: 0, bookmarks: [] })
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
  type Count = { saved: number; existing: number; invalid: number; statuses: string[] }
  const one: Count = { saved: 1, existing: 0, invalid: 0, statuses: ['saved'] }
  const same: Count = { saved: 1, existing: 1, invalid: 0, statuses: ['saved', 'existing'] }
  const rows: { name: string; urls: string | string[]; report: Count }[] = [
    { name: 'saves one URL given as a string', urls: 'https://string.example/', report: one },
    { name: 'saves one URL given as a list', urls: ['https://list.example/'], report: one },
    {
      name: 'saves several',
      urls: ['https://several.example/1', 'https://several.example/2'],
      report: { saved: 2, existing: 0, invalid: 0, statuses: ['saved', 'saved'] }
    },
    { name: 'saves an http address', urls: 'http://plain.example/', report: one },
    { name: 'saves an address on this machine', urls: 'http://localhost:3000/x', report: one },
    { name: 'saves an IPv6 address', urls: 'http://[2001:db8::1]:8080/', report: one },
    { name: 'saves an address between spaces', urls: ' https://spaces.example/ \n', report: one },
    { name: 'saves an international host and path', urls: 'https://例え.テスト/日本語?q=名前', report: one },
    { name: 'saves a path of emoji', urls: 'https://emoji.example/🔖/👩‍👩‍👧', report: one },
    { name: 'saves right-to-left script', urls: 'https://rtl.example/עברית/العربية', report: one },
    { name: 'saves a page given twice once', urls: twice('https://twice.example/a'), report: same },
    {
      name: 'knows a page by its address without tracking parameters',
      urls: ['https://track.example/a?id=1', 'https://track.example/a?utm_source=mail&id=1&fbclid=x&gclid=y'],
      report: same
    },
    {
      name: 'knows a page by its address without its fragment',
      urls: ['https://part.example/a', 'https://part.example/a#part'],
      report: same
    },
    {
      name: 'knows a page whatever the case of its host and the order of its parameters',
      urls: ['https://case.example/?a=1&b=2', 'HTTPS://Case.Example:443/?b=2&a=1'],
      report: same
    },
    {
      name: 'keeps pages apart whose parameters differ',
      urls: ['https://differ.example/?ref=1', 'https://differ.example/?ref=2'],
      report: { saved: 2, existing: 0, invalid: 0, statuses: ['saved', 'saved'] }
    },
    {
      name: 'saves what is valid beside what is not',
      urls: ['ftp://mixed.example/', 'https://mixed.example/', 'mixed', '', 'javascript:alert(1)'],
      report: { saved: 1, existing: 0, invalid: 4, statuses: ['invalid', 'saved', 'invalid', 'invalid', 'invalid'] }
    },
    {
      name: 'saves no list entry that is not one URL by itself',
      urls: [
        'https://entry.example/1 https://entry.example/2',
        '<https://entry.example/3>',
        '[text](https://entry.example/4)',
        'https://entry.example/5).',
        'entry.example/6',
        'https://entry.example/7\u0000',
        'https://entry.example/a b',
        'https://entry.example/8'
      ],
      report: { saved: 1, existing: 0, invalid: 7, statuses: [...Array(7).fill('invalid'), 'saved'] }
    },
    {
      name: 'saves 500 at once',
      urls: Array.from({ length: 500 }, (_, index) => `https://many.example/${index}`),
      report: { saved: 500, existing: 0, invalid: 0, statuses: Array(500).fill('saved') }
    }
  ]

  test.each(rows)('$name', async ({ urls, report: { statuses, ...counts } }) => {
    const report = await inserted({ urls })
    expect(report).toMatchObject(counts)
    expect(report.bookmarks.map(({ status }) => status)).toEqual(statuses)
    expect(report.bookmarks.map(({ url }) => url)).toEqual([urls].flat())
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
    const { result } = JSON.parse((await callWith('bookmarks.insert', { urls: 'https://shape.example/' })).body)
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

describe('names without a dot', () => {
  test.each(['/api/tools/mcp', '/api/tools/mcp?names=underscore'])('call both tools at %s', async (path) => {
    const insert = { name: 'bookmarks_insert', arguments: { urls: 'https://underscore.example/' } }
    const saved = await call({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: insert }, {}, path)
    expect(payloadIn(saved.body).bookmarks).toMatchObject([{ url: 'https://underscore.example/' }])
    const search = { name: 'bookmarks_search', arguments: { domain: 'underscore.example' } }
    const found = await call({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: search }, {}, path)
    expect(payloadIn(found.body)).toMatchObject({ total: 1 })
  })

  test('leave those with a dot valid', async () => {
    const params = { name: 'bookmarks.search', arguments: { domain: 'docs.shelf.example' } }
    const found = await call(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      {},
      '/api/tools/mcp?names=underscore'
    )
    expect(payloadIn(found.body)).toMatchObject({ total: 1 })
  })
})

describe('a key carries the permissions of its owner', () => {
  test('a read-only key may search', async () => {
    expect((await callTool('bookmarks.search', { tags: 'botany' }, keys.readOnly)).total).toBe(2)
  })

  test('a read-only key that inserts is told the right it lacks, and nothing is saved', async () => {
    const answer = await callWith('bookmarks.insert', { urls: 'https://forbidden.example/' }, keys.readOnly)
    expect(answer.status).toBe(200)
    const { result } = JSON.parse(answer.body)
    expect(result.isError).toBe(true)
    expect(JSON.parse(result.content[0].text)).toEqual({
      error: { code: 'forbidden', message: expect.stringMatching(/insert.*Nothing was saved.*Profile, API Keys/) }
    })
    expect((await searched({ domain: 'forbidden.example' })).total).toBe(0)
  })

  test('an organization’s key sees what is its own and nothing private', async () => {
    const { bookmarks } = await callTool('bookmarks.search', { limit: 100 }, keys.acme)
    expect(bookmarks.map(({ url }) => url)).toContain('https://acme.example/plan')
    expect(new Set(bookmarks.map(({ visibility }) => visibility))).toEqual(new Set(['organization']))
    for (const input of [{ search: 'gentian' }, { tags: 'botany' }, { visibility: 'private' }]) {
      expect(await callTool('bookmarks.search', input, keys.acme)).toMatchObject({ total: 0, bookmarks: [] })
    }
  })

  test('an organization’s key never learns from a hint what is private', async () => {
    const hint = async (search: string) =>
      (await callTool('bookmarks.search', { search, type: 'color' }, keys.acme)).hint
    expect(await hint('gentian')).toBe((await hint('xylophone'))?.replace('xylophone', 'gentian'))
  })

  test('an organization’s key saving a page the owner has privately saves it', async () => {
    await inserted({ urls: 'https://both.example/' })
    expect(await callTool('bookmarks.insert', { urls: 'https://both.example/' }, keys.acme)).toMatchObject({
      saved: 1,
      existing: 0
    })
    expect(await callTool('bookmarks.search', { domain: 'both.example' }, keys.acme)).toMatchObject({ total: 1 })
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
    ['a valid key as a bearer token', () => ({ authorization: `Bearer ${keys.mine}` })],
    ['a made-up session', () => ({ cookie: `earmark_${portOf(service.url)}=made-up`, origin: service.url })]
  ]

  test.each(LIES)('%s', async (_, headers) => {
    const body = JSON.stringify(LIST)
    const answer = await send({ headers: { 'content-type': 'application/json', ...headers() }, body })
    expect(answer.status).toBe(401)
    expect(answer.body).toBe(reference.body)
    expect(without(answer.headers, 'date')).toEqual(without(reference.headers, 'date'))
    const { error } = JSON.parse(answer.body)
    expect(error).toEqual({ code: 'unauthorized', message: expect.stringMatching(/Profile.*API Keys/) })
    expect(error.message).toContain('(not Authorization: Bearer)')
    expect(answer.headers['www-authenticate']).toContain(`error_description="${error.message}"`)
  })

  test('a key works until it is revoked, and not once more', async () => {
    const made = await earmark('keys', 'create', '--name', 'short-lived')
    expect((await call(LIST, { 'x-api-key': made.key })).status).toBe(200)
    await earmark('keys', 'revoke', made.id)
    expect((await call(LIST, { 'x-api-key': made.key })).status).toBe(401)
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

  test('no content type gets 415', async () => {
    expect((await send({ headers: { 'x-api-key': keys.mine }, body: JSON.stringify(LIST) })).status).toBe(415)
  })

  test('another charset gets 415', async () => {
    expect((await call(LIST, { 'content-type': 'application/json; charset=utf-16' })).status).toBe(415)
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

describe('the gate', () => {
  const port = () => portOf(service.url)
  const CLOSED: [string, () => Record<string, string | string[]>][] = [
    ['a foreign Host', () => ({ host: `evil.example:${port()}` })],
    ['a Host without our port', () => ({ host: '127.0.0.1' })],
    ['a Host with another port', () => ({ host: '127.0.0.1:1' })],
    ['another name of this machine', () => ({ host: `0.0.0.0:${port()}` })],
    ['a Host that only begins like ours', () => ({ host: `localhost:${port()}.evil.example` })],
    ['a foreign Origin', () => ({ origin: 'https://evil.example' })],
    ['the Origin null', () => ({ origin: 'null' })],
    ['an empty Origin', () => ({ origin: '' })],
    ['our Origin under https', () => ({ origin: `https://127.0.0.1:${port()}` })],
    ['our Origin on another port', () => ({ origin: 'http://127.0.0.1:1' })],
    ['our other name as Origin', () => ({ origin: `http://localhost:${port()}` })],
    ['Sec-Fetch-Site: cross-site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['Sec-Fetch-Site: same-site', () => ({ 'sec-fetch-site': 'same-site' })],
    ['Sec-Fetch-Site: none on a POST', () => ({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })]
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
    ['our address', () => ({ host: `127.0.0.1:${port()}` })],
    ['localhost', () => ({ host: `localhost:${port()}` })],
    ['our own Origin', () => ({ origin: service.url })],
    ['localhost as Host and Origin', () => ({ host: `localhost:${port()}`, origin: `http://localhost:${port()}` })],
    ['our own page', () => ({ origin: service.url, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })]
  ]

  test.each(OPEN)('lets in %s', async (_, headers) => {
    expect((await call(LIST, headers())).status).toBe(200)
  })

  const HOSTS: [string, () => string[]][] = [
    ['no Host', () => []],
    ['Host sent twice', () => [`Host: 127.0.0.1:${port()}`, `Host: 127.0.0.1:${port()}`]],
    ['a foreign Host behind ours', () => [`Host: 127.0.0.1:${port()}`, 'Host: evil.example']]
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
      expect(JSON.parse(answer.body).error.message).toContain(`POST ${service.url}/api/tools/mcp`)
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
    const answer = await redeem(await loginToken())
    expect(answer.status).toBe(200)
    const [cookie, ...more] = answer.headers['set-cookie'] ?? []
    expect(more).toEqual([])
    const [pair, ...attributes] = (cookie ?? '').split('; ')
    expect(pair).toMatch(new RegExp(`^earmark_${portOf(service.url)}=[\\w-]{43}$`))
    expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']))
    expect(attributes.join('; ')).not.toMatch(/domain=/i)
  })

  test('begins once for each token', async () => {
    const token = await loginToken()
    expect((await redeem(token)).status).toBe(200)
    const again = await redeem(token)
    expect(again.status).toBe(401)
    expect(again.headers['set-cookie']).toBeUndefined()
  })

  test('begins with the link the service printed when it started', async () => {
    expect((await redeem(new URL(service.login).hash.slice(1))).status).toBe(200)
  })

  test('does not begin with a made-up token', async () => {
    expect((await redeem('made-up')).status).toBe(401)
  })

  test('opens the endpoint to our own page, which acts as the profile', async () => {
    const body = toolCall('bookmarks.search', { tags: 'botany' })
    const answer = await asPage(await logIn(), { origin: service.url }, body)
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

  test('opens nothing under the cookie’s name of another port', async () => {
    const cookie = (await logIn()).replace(/^earmark_\d+/, 'earmark_1')
    expect((await asPage(cookie, { origin: service.url })).status).toBe(401)
  })

  // interface.md, section 5: a missing or invalid key AND no active session is what makes a 401.
  test('opens the endpoint beside an invalid key', async () => {
    const answer = await asPage(await logIn(), { origin: service.url, 'x-api-key': keys.revoked })
    expect(answer.status).toBe(200)
  })

  test('is over once it is ended', async () => {
    const { headers, body } = await redeem(await loginToken())
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    expect((await asPage(cookie, { origin: service.url })).status).toBe(200)
    const tab = { cookie, 'x-earmark-tab': (JSON.parse(body) as { tabToken: string }).tabToken }
    const ended = await send({ method: 'DELETE', path: '/api/session', headers: { ...tab, origin: service.url } })
    expect(ended.status).toBe(204)
    expect((await asPage(cookie, { origin: service.url })).status).toBe(401)
  })

  test('is not ended by a call that names no Origin', async () => {
    const cookie = await logIn()
    await send({ method: 'DELETE', path: '/api/session', headers: { cookie } })
    expect((await asPage(cookie, { origin: service.url })).status).toBe(200)
  })

  async function loginToken(): Promise<string> {
    return new URL((await earmark('login')).login).hash.slice(1)
  }

  function redeem(token: string): Promise<RawAnswer> {
    const headers = { 'content-type': 'application/json', origin: service.url }
    return send({ path: '/api/session', headers, body: JSON.stringify({ token }) })
  }

  async function logIn(): Promise<string> {
    const { headers } = await redeem(await loginToken())
    return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  }

  function asPage(cookie: string, headers: Record<string, string>, body = JSON.stringify(LIST)): Promise<RawAnswer> {
    return send({ headers: { 'content-type': 'application/json', cookie, ...headers }, body })
  }
})

test('nothing of all this was a bug in the service’s own log', () => {
  expect(existsSync(join(service.data, 'earmark.log'))).toBe(false)
  expect(service.output.stderr).toBe('')
})

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

interface Sent {
  method?: string
  path?: string
  headers?: Record<string, string | string[]>
  body?: string
}

/** Sends exactly this. No answer of any kind may let another site's page read it. */
async function send({ method = 'POST', path = '/api/tools/mcp', headers = {}, body }: Sent): Promise<RawAnswer> {
  const answer = await rawRequest(service.url, { method, path, headers, ...(body !== undefined && { body }) })
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  return answer
}

/** Sends what Node's client would not, and gives all that comes back until the service hangs up. */
async function sendLines(lines: string[]): Promise<string> {
  const socket = connect(Number(portOf(service.url)), '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return text(socket)
}

/** Sends a message as an editor with a key does; a string is sent as it is. */
function call(message: unknown, headers: Record<string, string | string[]> = {}, path?: string): Promise<RawAnswer> {
  return send({
    ...(path !== undefined && { path }),
    headers: { 'content-type': 'application/json', 'x-api-key': keys.mine, ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message)
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

const searched = (input: object) => callTool('bookmarks.search', input)
const inserted = (input: object) => callTool('bookmarks.insert', input)

function payloadIn(body: string): Payload {
  return JSON.parse(JSON.parse(body).result.content[0].text)
}

/** The error envelope holds exactly what interface.md shows, `data` a string. */
function expectError(answer: RawAnswer, id: string | number | null, error: object): void {
  expect(answer.headers['content-type']).toMatch(/^application\/json\b/)
  expect(JSON.parse(answer.body)).toStrictEqual({ jsonrpc: '2.0', id, error })
}

/** A command of the built command line, through the running service. */
async function earmark(...args: string[]): Promise<{ id: string; key: string; login: string }> {
  const { code, stdout } = await runProgram([...args, '--json', '--data', service.data], withoutKeychain)
  expect(code, stdout).toBe(0)
  return JSON.parse(stdout)
}

function without<T extends object>(value: T, name: string): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)) as Partial<T>
}

function twice(url: string): string[] {
  return [url, url]
}

function portOf(url: string): string {
  return new URL(url).port
}
