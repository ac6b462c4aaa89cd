// An agent of OpenAI Agents: `node agent.js PROMPT`. $HOME/earmark.json says how to reach Earmark.
import { readFileSync } from 'node:fs'
import { Agent, MCPServerStdio, MCPServerStreamableHttp, run, setTracingDisabled } from '@openai/agents'

const { url, headers, ...program } = JSON.parse(readFileSync(`${process.env.HOME}/earmark.json`, 'utf8'))
setTracingDisabled(true)

const server = url
  ? new MCPServerStreamableHttp({ name: 'earmark', url, requestInit: { headers } })
  : new MCPServerStdio({ name: 'earmark', ...program })
await server.connect()
try {
  const agent = new Agent({ name: 'Agent', model: 'stand-in', mcpServers: [server] })
  const { finalOutput } = await run(agent, process.argv[2])
  console.log(finalOutput)
} finally {
  await server.close()
}
