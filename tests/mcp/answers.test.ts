import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { makeKey, testService } from '../support/service.ts'
import { later } from '../support/temp-folder.ts'

/**
 * The whole answers to each kind of client, as files in `answers/`. A change of what agents read shows there as a
 * difference: look at it, then write the files anew with `npx vitest run tests/mcp/answers.test.ts --update`.
 */
const MODERN = '2026-07-28'
const CLIENTS = {
  plain: { headers: {}, meta: undefined },
  legacy: { headers: { 'mcp-protocol-version': '2025-11-25' }, meta: undefined },
  modern: {
    headers: { 'mcp-protocol-version': MODERN },
    meta: {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientCapabilities': {}
    }
  }
}

const search = (args: object) => ({ method: 'tools/call', params: { name: 'bookmarks.search', arguments: args } })
const insert = (args: object) => ({ method: 'tools/call', params: { name: 'bookmarks.insert', arguments: args } })
const PAGE = 'https://en.wikipedia.org/wiki/Bookmark'

interface Message {
  method: string
  params?: object
  /** Sent with a key that may only read. */
  readOnly?: true
}

const MESSAGES: Record<string, Message> = {
  'lists the tools': { method: 'tools/list' },
  'lists the tools for a read-only key': { method: 'tools/list', readOnly: true },
  'asks for resources': { method: 'resources/list' },
  'saves a page with tags': insert({ urls: PAGE, tags: 'books, reading', title: 'Bookmark' }),
  'saves a page again, and an address that is none': insert({ urls: [PAGE, 'ftp://example.org/'] }),
  'saves with a read-only key': { ...insert({ urls: PAGE }), readOnly: true },
  'finds a bookmark': search({ search: 'wikipedia' }),
  'finds nothing': search({ search: 'herons', type: 'color' }),
  'reads a bookmark that is not there': search({ search: 'id:kBGFEmOX2dXIdNTR' }),
  'sends an unknown argument': search({ query: 'bookmark' }),
  'calls an unknown tool': { method: 'tools/call', params: { name: 'bookmarks.delete', arguments: {} } },
  'introduces itself': {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  },
  'discovers the server': { method: 'server/discover' }
}

const atEnd = later()
const services = new Map<string, { service: Service; key: string; readOnlyKey: string }>()

beforeAll(async () => {
  for (const client of Object.keys(CLIENTS)) {
    const service = await testService({ version: '1.2.3' }, atEnd)
    const readOnlyKey = await makeKey(service, { readOnly: true })
    services.set(client, { service, key: await makeKey(service), readOnlyKey })
  }
})

test.each(Object.entries(CLIENTS))('the answers to a %s client are as written down', async (client, about) => {
  const answers: Record<string, unknown> = {}
  for (const [what, message] of Object.entries(MESSAGES)) answers[what] = await send(client, about, message)
  await expect(`${JSON.stringify(answers, null, 2)}\n`).toMatchFileSnapshot(`answers/${client}.json`)
})

/** Sends a message and returns its answer, with the text of a tool’s result parsed and what changes left out. */
async function send(client: string, about: (typeof CLIENTS)[keyof typeof CLIENTS], message: Message) {
  const { service, key, readOnlyKey } = services.get(client) as NonNullable<ReturnType<typeof services.get>>
  const { method, params = {}, readOnly } = message
  const name = 'name' in params ? String(params.name) : undefined
  const headers = {
    'content-type': 'application/json',
    'x-api-key': readOnly ? readOnlyKey : key,
    ...about.headers,
    ...(about.meta && { 'mcp-method': method, ...(name !== undefined && { 'mcp-name': name }) })
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: about.meta } })
  const response = await service.fetch(new Request('http://127.0.0.1/api/tools/mcp', { method: 'POST', headers, body }))
  const answer = await response.text()
  const fixed = answer
    .replace(/(id\\":\\")[\w-]{16}/g, '$1ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/(createdAt\\":\\")\d{4}-\d\d-\d\d/g, '$1DAY')
    .replace(/data:image\/svg\+xml;base64,[\w+/=]+/g, 'ICON')
  const { result, error } = JSON.parse(fixed)
  const text = result?.content?.[0]?.text
  const payload = text?.startsWith('{') ? { ...result, content: JSON.parse(text) } : result
  return { status: response.status, ...(error ? { error } : { result: payload }) }
}
