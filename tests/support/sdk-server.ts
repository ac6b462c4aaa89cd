import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The SDK's own server with one tool, `constant`, which is our `constantTool`: the oracle, and the peer to measure. */
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
