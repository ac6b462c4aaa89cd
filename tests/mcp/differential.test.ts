import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { constantTool, sdkHandler } from '../support/mcp-server.ts'
import { makeKey, testService } from '../support/service.ts'

/** If MCP defines an answer, the endpoint gives the same answer as a server of the official SDK. */
const MODERN = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'differential', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {}
}

interface Exchange {
  name: string
  headers: Record<string, string>
  body: object
}

function modern(
  name: string,
  method: string,
  params: object = {},
  change: Record<string, string | null> = {}
): Exchange {
  const toolName = (params as { name?: string }).name
  const headers = {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(toolName !== undefined && { 'mcp-name': toolName }),
    ...change
  }
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== null)) as Record<
    string,
    string
  >
  return {
    name: `modern ${name}`,
    headers: sent,
    body: { jsonrpc: '2.0', id: 1, method, params: { _meta: META, ...params } }
  }
}

function legacy(version: string, name: string, method: string, params?: object, id: number | null = 1): Exchange {
  const headers: Record<string, string> = method === 'initialize' ? {} : { 'mcp-protocol-version': version }
  const body = { jsonrpc: '2.0', ...(id !== null && { id }), method, ...(params && { params }) }
  return { name: `${version} ${name}`, headers, body }
}

const handshake = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'differential', version: '1' }
})

const EXCHANGES: Exchange[] = [
  ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].flatMap((version) => [
    legacy(version, 'initialize', 'initialize', handshake(version)),
    legacy(version, 'initialized', 'notifications/initialized', undefined, null),
    legacy(version, 'ping', 'ping'),
    legacy(version, 'list', 'tools/list'),
    legacy(version, 'call', 'tools/call', { name: 'constant', arguments: {} }),
    legacy(version, 'call with bad arguments', 'tools/call', { name: 'constant', arguments: { extra: 1 } }),
    legacy(version, 'unknown tool', 'tools/call', { name: 'nope', arguments: {} }),
    legacy(version, 'unknown method', 'nope/nope')
  ]),
  legacy('1999-01-01', 'initialize', 'initialize', handshake('1999-01-01')),
  modern('discover', 'server/discover'),
  modern('list', 'tools/list'),
  modern('call', 'tools/call', { name: 'constant', arguments: {} }),
  modern('call with bad arguments', 'tools/call', { name: 'constant', arguments: { extra: 1 } }),
  modern('unknown tool', 'tools/call', { name: 'nope', arguments: {} }),
  modern('unknown method', 'nope/nope'),
  modern('ping', 'ping'),
  modern('logging', 'logging/setLevel', { level: 'debug' }),
  modern('no version header', 'tools/list', {}, { 'mcp-protocol-version': null }),
  modern('other version header', 'tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }),
  modern('no method header', 'tools/list', {}, { 'mcp-method': null }),
  modern('other method header', 'tools/list', {}, { 'mcp-method': 'tools/call' }),
  modern('method header in another case', 'tools/list', {}, { 'mcp-method': 'TOOLS/LIST' }),
  modern('no name header', 'tools/call', { name: 'constant', arguments: {} }, { 'mcp-name': null }),
  modern('other name header', 'tools/call', { name: 'constant', arguments: {} }, { 'mcp-name': 'nope' }),
  modern(
    'encoded name header',
    'tools/call',
    { name: 'constant', arguments: {} },
    { 'mcp-name': `=?base64?${btoa('constant')}?=` }
  ),
  modern(
    'undecodable name header',
    'tools/call',
    { name: 'constant', arguments: {} },
    { 'mcp-name': '=?base64?***?=' }
  ),
  modern('no _meta', 'tools/list', { _meta: undefined }),
  modern('no version in _meta', 'tools/list', {
    _meta: { 'io.modelcontextprotocol/clientCapabilities': {} }
  }),
  modern('no capabilities', 'tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN } }),
  modern(
    'unknown version',
    'tools/list',
    { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } },
    { 'mcp-protocol-version': '2027-01-01' }
  )
]

let service: Service
let key: string
const closings: (() => void | Promise<void>)[] = []

beforeAll(async () => {
  service = await testService({ tools: [constantTool] }, (close) => closings.unshift(close))
  key = await makeKey(service)
})
afterAll(async () => {
  for (const close of closings) await close()
})

test.each(EXCHANGES)('$name is answered as the SDK answers it', async ({ headers, body }) => {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body)
  }
  const theirs = await sdkHandler().fetch(new Request('http://127.0.0.1/mcp', init))
  const withKey = { ...init, headers: { ...init.headers, 'x-api-key': key } }
  const ours = await service.fetch(new Request('http://127.0.0.1/api/tools/mcp', withKey))
  expect(await shapeOf(ours)).toEqual(await shapeOf(theirs))
})

/** What MCP defines of an answer: no wording, no names, nothing that a server may choose. */
async function shapeOf(response: Response) {
  const text = await response.text()
  const line = text.startsWith('{') ? text : /^data: (\{.*)$/m.exec(text)?.[1]
  if (line === undefined) return { status: response.status }
  const { jsonrpc, id, result, error } = JSON.parse(line)
  return {
    status: response.status,
    jsonrpc,
    id,
    ...(error && { code: error.code }),
    ...(result && {
      keys: Object.keys(result)
        .filter((key) => !OPTIONAL.includes(key))
        .sort(),
      protocolVersion: result.protocolVersion,
      supportedVersions: result.supportedVersions,
      capabilities: result.capabilities && Object.keys(result.capabilities),
      resultType: result.resultType,
      isError: result.isError ?? false,
      tools: result.tools?.map((tool: { name: string; inputSchema: object }) => [
        tool.name,
        tool.inputSchema.constructor
      ]),
      content: result.isError ? result.content.length : result.content
    })
  }
}

const OPTIONAL = ['instructions', '_meta', 'isError']
