// An agent of the AI SDK: `node agent.js PROMPT`. $HOME/earmark.json says how to reach Earmark.
import { readFileSync } from 'node:fs'
import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount } from 'ai'

const server = JSON.parse(readFileSync(`${process.env.HOME}/earmark.json`, 'utf8'))
const standIn = createOpenAICompatible({ name: 'stand-in', baseURL: process.env.MODEL_URL, apiKey: 'x' })

const client = await createMCPClient({
  transport: server.url ? { type: 'http', ...server } : new StdioTransport(server)
})
try {
  const { text } = await generateText({
    model: standIn('stand-in'),
    tools: await client.tools(),
    stopWhen: isStepCount(5),
    prompt: process.argv[2]
  })
  console.log(text)
} finally {
  await client.close()
}
