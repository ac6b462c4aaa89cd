/**
 * A stand-in for the model APIs, which does what its prompt says: `CALL {"tool": …, "calls": […]} END` becomes one call after the
 * other of the listed tool whose name contains that name, and the last result ends the turn. Like the real APIs it refuses
 * requests with tool names of other characters than letters, digits, `_` and `-` (Google's accepts dots).
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { DIALECTS, type Dialect, type Json, type ToolName, type Turn } from './dialects.ts'

/** What the model saw during one prompt. */
export interface Seen {
  /** Names of Earmark's tools, as the host listed them or found them with a tool search. */
  tools: Set<string>
  /** The result of the last call. */
  result: string
  /** Why requests were refused. */
  refusals: string[]
  /** Claude Code and Qwen Code list most tools only after the model has searched for them. */
  searched: boolean
  called: number
}

export interface ModelServer {
  /** The address without a path. */
  url: string
  /** Starts a new prompt. `between` runs between two calls, while the host waits for its model. */
  begin(between?: () => Promise<void>): Seen
  close(): void
}

interface Session {
  seen: Seen
  between?: (() => Promise<void>) | undefined
}

/** Earmark's tools by whatever name a host gives them. */
const OURS = /[\w.-]*bookmarks[._-](?:search|insert)\w*/g

export async function startModelServer(): Promise<ModelServer> {
  const nothing = (): Seen => ({ tools: new Set(), result: '', refusals: [], searched: false, called: 0 })
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

async function answer(request: IncomingMessage, response: ServerResponse, session: Session): Promise<void> {
  const { seen } = session
  const send = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const path = new URL(request.url ?? '/', 'http://host').pathname
  const dialect = DIALECTS.find((one) => one.path.test(path))
  if (request.method !== 'POST' || !dialect) return void send(200, { data: [], models: [] })
  const body = (await json(request)) as Json
  const tools = dialect.tools(body)
  noteOurs(seen, tools)
  const wrong = tools.find(({ name }) => !dialect.names.test(name))
  if (wrong) {
    const message = `Invalid tool name ${JSON.stringify(wrong.name)}: it must match ${dialect.names}`
    seen.refusals.push(message)
    return void send(400, { type: 'error', error: { type: 'invalid_request_error', message } })
  }
  const { whole, stream } = dialect.reply(await nextTurn(dialect, body, session))
  if (path.includes('stream') || body.stream === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream)
  } else send(200, whole)
}

function noteOurs(seen: Seen, tools: ToolName[]): void {
  for (const { name, namespace } of tools) {
    if (name.match(OURS)) seen.tools.add(namespace === undefined ? name : `${namespace}/${name}`)
  }
}

async function nextTurn(dialect: Dialect, body: Json, { seen, between }: Session): Promise<Turn> {
  const tools = dialect.tools(body)
  const order = /CALL (\{.*\}) END/s.exec(dialect.prompt(body))?.[1]
  if (tools.length === 0 || order === undefined) return { say: 'ok' }
  // Some hosts put the prompt into quotes.
  const plain = order.startsWith('{\\') ? order.replaceAll('\\"', '"') : order
  const { tool, calls } = JSON.parse(plain) as { tool: string; calls: Json[] }
  const results = dialect.results(body)
  if (seen.called > 0) seen.result = results.at(-1) ?? ''
  const args = calls[seen.called]
  if (!args) return { say: 'done' }
  const call = findCall(tool, args, tools, results)
  if (call) {
    if (seen.called > 0) await between?.()
    seen.called += 1
    noteOurs(seen, [call.call, ...toolsIn(results)])
    return call
  }
  const search = tools.find(({ name }) => /^tool_?search$/i.test(name))
  if (!search || seen.searched) return { say: `There is no tool ${tool}.` }
  seen.searched = true
  return { call: search, args: { query: tool.replace('_', ' ') } }
}

/** Calls a tool directly, or through the tool that calls what a tool search has found. */
function findCall(tool: string, args: Json, tools: ToolName[], results: string[]) {
  const pattern = new RegExp(tool.replace('_', '[._-]'))
  const listed = tools.find(({ name }) => pattern.test(name))
  if (listed) return { call: listed, args }
  const caller = tools.find(({ name }) => name === 'tool_call')
  const found = toolsIn(results).find(({ name }) => pattern.test(name))
  return caller && found && { call: caller, args: { name: found.name, arguments: args } }
}

function toolsIn(results: string[]): ToolName[] {
  return [...results.join('\n').matchAll(OURS)].map(([name]) => ({ name }))
}
