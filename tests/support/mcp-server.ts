/** Tools and servers beside which our endpoint is compared: the conformance suite's tools and the official SDK's server. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { defineTool, type Tool } from '../../src-main/mcp/tools/tool.ts'

function fixture(name: string, text: string, isError?: true): Tool {
  const annotations = { openWorldHint: false }
  return defineTool({ name, title: name, description: name, annotations }, z.strictObject({}), async () => ({
    text,
    ...(isError && { isError })
  }))
}

/** Answers at once, and always the same. */
export const constantTool: Tool = fixture('constant', '{"ok":true}')

/** A schema with every keyword of JSON Schema 2020-12 that the conformance suite looks for. */
const everyKeyword = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } }
    }
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' }
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false
}

const schemaTool: Tool = {
  ...fixture('json_schema_2020_12_tool', 'ok'),
  inputSchemas: { plain: everyKeyword, mcp: everyKeyword }
}

/** Those tools of the conformance suite whose answer is one text. */
export const conformanceTools: Tool[] = [
  fixture('test_simple_text', 'This is a simple text response for testing.'),
  fixture('test_error_handling', 'This tool intentionally returns an error for testing', true),
  fixture('test_logging_tool', 'Nothing is logged.'),
  schemaTool
]

/** The official SDK's server with the tool `constant`. */
export function sdkHandler() {
  return createMcpHandler(
    () => {
      const server = new McpServer({ name: 'oracle', version: '1' }, { capabilities: { tools: {} } })
      const config = { title: 'constant', description: 'constant', inputSchema: z.strictObject({}) }
      server.registerTool('constant', config, async () => ({ content: [{ type: 'text', text: '{"ok":true}' }] }))
      return server
    },
    { responseMode: 'auto' }
  )
}

/**
 * Starts a proxy that adds an API key to every request, for programs that cannot send a header. It changes Host and Origin
 * to those of the service if they are right for the proxy, and forwards wrong ones unchanged.
 *
 * @param target the service's port
 */
export async function startKeyProxy(target: number, key: string): Promise<{ port: number; close(): void }> {
  const server = createServer((incoming, outgoing) => {
    const { port } = server.address() as AddressInfo
    const retarget = (value: string) => value.replace(`:${port}`, `:${target}`)
    const headers = incoming.rawHeaders.map((value, index) =>
      index % 2 === 1 && /^(host|origin)$/i.test(incoming.rawHeaders[index - 1] ?? '') ? retarget(value) : value
    )
    const forwarded = request({
      host: '127.0.0.1',
      port: target,
      method: incoming.method,
      path: incoming.url,
      headers: [...headers, 'x-api-key', key],
      agent: false
    })
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
}
