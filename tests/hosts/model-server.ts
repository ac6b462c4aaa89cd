/**
 * A stand-in for the model APIs that hosts call, which does what its prompt says: `CALL {"tool": …, "calls": […]}` becomes
 * one call after the other of the tool that is listed under a name with that one in it, and the last result ends the turn.
 * As the real ones do, it refuses a request that lists a tool under a name with more than letters, digits, `_` and `-`
 * (Google's takes a dot).
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DIALECTS, type Dialect, type Json, type ToolName, type Turn } from './dialects.ts'

/** What one prompt came to, as the model saw it. */
export interface Seen {
  /** Names of Earmark's tools, as they were listed or found by a search for tools. */
  tools: Set<string>
  /** What the last call came to. */
  result: string
  /** Why a request was refused. */
  refusals: string[]
  /** Claude Code and Qwen Code list most tools only once their model has searched for them. */
  searched: boolean
  called: number
}

export interface ModelServer {
  url: string
  /** Forgets what was seen before. `between` is done between two calls, while the host waits for its model. */
  begin(between?: () => Promise<void>): Seen
  close(): void
}

/** Earmark's tools by whatever name a host gives them. */
const OURS = /[\w.-]*bookmarks[._-](?:search|insert)\w*/g

export async function startModelServer(): Promise<ModelServer> {
  let session: Session = { seen: nothing() }
  const server = createServer((request, response) => {
    const { seen } = session
    void answer(request, response, session).catch((error) => {
      seen.refusals.push(String(error))
      response.writeHead(500).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin(between) {
      session = { seen: nothing(), between }
      return session.seen
    },
    close() {
      server.closeAllConnections()
      server.close()
    }
  }
}

interface Session {
  seen: Seen
  between?: (() => Promise<void>) | undefined
}

function nothing(): Seen {
  return { tools: new Set(), result: '', refusals: [], searched: false, called: 0 }
}

async function answer(request: IncomingMessage, response: ServerResponse, session: Session): Promise<void> {
  const { seen } = session
  const path = new URL(request.url ?? '/', 'http://host').pathname
  const dialect = DIALECTS.find((one) => one.path.test(path))
  if (request.method !== 'POST' || !dialect) return send(response, 200, { data: [], models: [] })
  const body = await readJson(request)
  const tools = dialect.tools(body)
  note(seen, tools)
  const wrong = tools.find(({ name }) => !dialect.names.test(name))
  if (wrong) {
    const message = `Invalid tool name ${JSON.stringify(wrong.name)}: it must match ${dialect.names}`
    seen.refusals.push(message)
    return send(response, 400, { type: 'error', error: { type: 'invalid_request_error', message } })
  }
  const streams = path.includes('stream') || body.stream === true
  const { type, text } = dialect.reply(await turn(dialect, body, session), body, streams)
  response.writeHead(200, { 'content-type': type }).end(text)
}

function note(seen: Seen, tools: ToolName[]): void {
  for (const { name, namespace } of tools) {
    if (name.match(OURS)) seen.tools.add(namespace === undefined ? name : `${namespace}/${name}`)
  }
}

/** What the model does next: call, or say how it went. */
async function turn(dialect: Dialect, body: Json, { seen, between }: Session): Promise<Turn> {
  const tools = dialect.tools(body)
  if (tools.length === 0) return { say: 'ok' }
  const asked = /CALL (\{.*\}) END/s.exec(dialect.prompt(body))?.[1]
  if (asked === undefined) return { say: 'ok' }
  const { tool, calls } = read(asked)
  const results = dialect.results(body)
  if (seen.called > 0) seen.result = results.at(-1) ?? ''
  const args = calls[seen.called]
  if (!args) return { say: 'done' }
  const call = find(tool, args, tools, results)
  if (call) {
    if (seen.called > 0) await between?.()
    seen.called += 1
    note(seen, [call.call, ...found(results)])
    return call
  }
  const search = tools.find(({ name }) => /^tool_?search$/i.test(name))
  if (!search || seen.searched) return { say: `There is no tool ${tool}.` }
  seen.searched = true
  return { call: search, args: { query: tool.replace('_', ' ') } }
}

/** How to call a tool: by itself, or through the one that calls what a search for tools has found. */
function find(tool: string, args: Json, tools: ToolName[], results: string[]) {
  const like = new RegExp(tool.replace('_', '[._-]'))
  const listed = tools.find(({ name }) => like.test(name))
  if (listed) return { call: listed, args }
  const bridge = tools.find(({ name }) => name === 'tool_call')
  const other = found(results).find(({ name }) => like.test(name))
  return bridge && other && { call: bridge, args: { name: other.name, arguments: args } }
}

function found(results: string[]): ToolName[] {
  return [...results.join('\n').matchAll(OURS)].map(([name]) => ({ name }))
}

/** Some hosts put a prompt into quotes. */
function read(asked: string): { tool: string; calls: Json[] } {
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
