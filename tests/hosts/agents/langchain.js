// An agent of LangChain: `node agent.js PROMPT`. $HOME/earmark.json says how to reach Earmark.
import { readFileSync } from 'node:fs'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'

const server = JSON.parse(readFileSync(`${process.env.HOME}/earmark.json`, 'utf8'))
const model = new ChatOpenAI({
  model: 'stand-in',
  apiKey: 'x',
  maxRetries: 0,
  configuration: { baseURL: process.env.MODEL_URL }
})

const client = new MultiServerMCPClient({
  mcpServers: { earmark: server.url ? { transport: 'http', ...server } : { transport: 'stdio', ...server } }
})
try {
  const agent = createAgent({ model, tools: await client.getTools() })
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: process.argv[2] }] })
  console.log(messages.at(-1).content)
} finally {
  await client.close()
}
