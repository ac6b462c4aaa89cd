// An agent of Mastra: `node agent.js PROMPT`. $HOME/earmark.json says how to reach Earmark.
import { readFileSync } from 'node:fs'
import { Agent } from '@mastra/core/agent'
import { MCPClient } from '@mastra/mcp'

const { url, headers, ...program } = JSON.parse(readFileSync(`${process.env.HOME}/earmark.json`, 'utf8'))

const client = new MCPClient({ servers: { earmark: url ? { url: new URL(url), requestInit: { headers } } : program } })
try {
  const agent = new Agent({
    id: 'agent',
    name: 'Agent',
    instructions: 'Do what is asked.',
    model: { id: 'stand-in/stand-in', url: process.env.MODEL_URL, apiKey: 'x' },
    tools: await client.listTools()
  })
  const { text } = await agent.generate(process.argv[2])
  console.log(text)
} finally {
  await client.disconnect()
}
