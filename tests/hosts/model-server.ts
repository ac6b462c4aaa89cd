/**
 * A stand-in for the model APIs that hosts call, which does what its prompt says: `CALL {"tool": …, "args": …}` becomes
 * a call of the tool that is listed under a name with that ending, and a tool's result ends the turn. As the real ones do,
 * it refuses a request that lists a tool under a name with more than letters, digits, `_` and `-`.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DIALECTS, type Dialect, type Json } from './dialects.ts'

/** What one prompt came to, as the model saw it. */
export interface Seen {
  /** Names of all tools that were ever listed. */
  tools: Set<string>
  /** The texts of the results of tools, in order. */
  results: string[]
  /** Why a request was refused. */
  refusals: string[]
  /** How far it came: Claude Code and Qwen Code list most tools only once their model has searched for them. */
  step: 'begun' | 'searched' | 'called'
}

export interface ModelServer {
  url: string
  /** Forgets what was seen before. */
  begin(): Seen
  close(): void
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

export async function startModelServer(): Promise<ModelServer> {
  let seen = nothing()
  const server = createServer((request, response) => {
    void answer(request, response, seen).catch((error) => {
      seen.refusals.push(String(error))
      response.writeHead(500).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin() {
      seen = nothing()
      return seen
    },
    close() {
      server.closeAllConnections()
      server.close()
    }
  }
}

function nothing(): Seen {
  return { tools: new Set(), results: [], refusals: [], step: 'begun' }
}

async function answer(request: IncomingMessage, response: ServerResponse, seen: Seen): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://host').pathname
  const dialect = DIALECTS.find((one) => one.path.test(path))
  if (request.method !== 'POST' || !dialect) return send(response, 200, { data: [], models: [] })
  const body = await readJson(request)
  const tools = dialect.tools(body)
  for (const { name } of tools) seen.tools.add(name)
  const wrong = tools.find(({ name }) => !NAME.test(name))
  if (wrong) {
    const message = `Invalid tool name ${JSON.stringify(wrong.name)}: it must match ${NAME}`
    seen.refusals.push(message)
    return send(response, 400, { type: 'error', error: { type: 'invalid_request_error', message } })
  }
  const streams = path.includes('stream') || body.stream === true
  const { type, text } = dialect.reply(turn(dialect, body, seen), body, streams)
  response.writeHead(200, { 'content-type': type }).end(text)
}

/** What the model does next: call, or say how it went. */
function turn(dialect: Dialect, body: Json, seen: Seen) {
  const tools = dialect.tools(body)
  if (tools.length === 0) return { say: 'ok' }
  if (seen.step === 'called') {
    seen.results = dialect.results(body).slice(-1)
    return { say: 'done' }
  }
  const asked = /CALL (\{.*\}) END/s.exec(dialect.prompt(body))?.[1]
  if (asked === undefined) return { say: 'ok' }
  const { tool, args } = read(asked)
  const listed = tools.find(({ name }) => name.endsWith(tool))
  const search = tools.find(({ name }) => /^tool_?search$/i.test(name))
  if (!listed && search && seen.step === 'begun') {
    seen.step = 'searched'
    return { call: search, args: { query: tool.replace('_', ' ') } }
  }
  const bridge = tools.find(({ name }) => name === 'tool_call')
  const found = new RegExp(`[\\w-]*${tool}`).exec(dialect.results(body).join('\n'))?.[0]
  if (!listed && bridge && found) {
    seen.step = 'called'
    return { call: bridge, args: { name: found, arguments: args } }
  }
  if (!listed) return { say: `There is no tool ${tool}.` }
  seen.step = 'called'
  return { call: listed, args }
}

/** Some hosts put a prompt into quotes. */
function read(asked: string): { tool: string; args: Json } {
  return JSON.parse(asked.startsWith('{\\') ? asked.replaceAll('\\"', '"') : asked)
}

async function readJson(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString() || '{}')
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
