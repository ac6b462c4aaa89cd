import { Problem } from '../contract/problem.ts'
import { homepage, standardInput, version } from '../host/own-program.ts'
import { type Call, createReception, joinAnswers, mayBatch, readBatch } from '../mcp/protocol.ts'
import { earmarkTools } from '../mcp/tools/tools.ts'
import type { CommandProcess } from './command.ts'
import type { FindTarget, McpTarget } from './find-service.ts'
import { isFinal } from './service-client.ts'

/** Maximum number of messages that are answered at once. Further messages are read later. */
const MAX_RUNNING = 256

/**
 * Speaks MCP over standard input and output until the input ends. An error does not end the bridge: it becomes the
 * answer to its call, and is written to stderr, unless the previous error was the same.
 */
export async function serveStdio(
  findTarget: FindTarget,
  { underscoreNames }: { underscoreNames: boolean },
  host: Pick<CommandProcess, 'stdin' | 'stdout' | 'stderr'> = process
): Promise<void> {
  let warned: string | undefined
  const warn = (message: string) => {
    if (message !== warned) host.stderr.write(`${message}\n`)
    warned = message
  }
  const answer = createStdioBridge(findTarget, { underscoreNames, warn })
  const running = new Set<Promise<void>>()
  for await (const line of readLines(standardInput(host).setEncoding('utf8'))) {
    if (line.trim() === '') continue
    const work = answer(line).then((body) => {
      if (body !== undefined) host.stdout.write(`${body}\n`)
      running.delete(work)
    })
    running.add(work)
    if (running.size >= MAX_RUNNING) await Promise.race(running)
  }
  await Promise.all(running)
}

/** Messages end with a line feed. Node's own line reader also ends them at characters that JSON may contain. */
async function* readLines(input: AsyncIterable<string>): AsyncGenerator<string> {
  // The pieces are joined only at the end of the line, because a line may arrive in very many pieces.
  let pieces: string[] = []
  for await (const piece of input) {
    const [first = '', ...more] = piece.split('\n')
    pieces.push(first)
    const rest = more.pop()
    if (rest === undefined) continue
    yield pieces.join('')
    yield* more
    pieces = [rest]
  }
  yield pieces.join('')
}

const TIMEOUT_MS = 60_000
const LIST_TIMEOUT_MS = 2000

/** Maximum number of calls that are sent at once. It is twice the number that the service runs at once for a key. */
const MAX_SENDING = 16

/**
 * Answers the MCP messages of a stdio client, each of which is a line. Tool calls are sent to the service, several at
 * once, and start it. Other messages are answered here, so that an editor may start before Earmark.
 *
 * @returns a function from a line to its answer, which is `undefined` for messages without one
 */
function createStdioBridge(
  findTarget: FindTarget,
  { underscoreNames, warn }: { underscoreNames: boolean; warn: (message: string) => void }
): (line: string) => Promise<string | undefined> {
  const receive = createReception(earmarkTools, { version, site: homepage })
  /** The version that `initialize` agreed on. Each later request names it, as over HTTP since 2025-06-18. */
  let agreedVersion: string | undefined
  /** The client's `initialize`, and the address that has received it, for the client's name in the ledger. */
  let introduction: string | undefined
  let introducedTo: string | undefined
  let sending = 0
  const waiting: (() => void)[] = []

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (sending < MAX_SENDING) sending += 1
    else await new Promise<void>((begin) => waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else sending -= 1
    }
  }

  async function introduce(target: McpTarget): Promise<void> {
    if (introduction === undefined || introducedTo === target.url) return
    introducedTo = target.url
    await (await post(target, introduction, {})).text()
  }

  async function call(line: string, headers: Record<string, string>): Promise<string> {
    const attempt = async (last: { refused?: string; lost?: boolean }) => {
      const target = await findTarget(last)
      await introduce(target)
      const response = await post(target, line, headers)
      return { key: target.key, status: response.status, body: await response.text() }
    }
    // A call is repeated if the service may have restarted. Calls of both tools can be repeated.
    let answer = await attempt({}).catch((error) => {
      if (isFinal(error)) throw error
      introducedTo = undefined
      return attempt({ lost: true })
    })
    if (answer.status === 401) answer = await attempt({ refused: answer.key })
    if (answer.status === 401) throw new Problem('unauthorized', REFUSED)
    if (!answer.body.startsWith('{"jsonrpc"')) throw refusalIn(answer)
    return answer.body
  }

  /** Requests the tools from a running service, which can check whether the key may save. */
  async function list(line: string, headers: Record<string, string>): Promise<string | undefined> {
    try {
      const response = await post(await findTarget({ mayStart: false }), line, headers, LIST_TIMEOUT_MS)
      return response.ok ? await response.text() : undefined
    } catch {
      return undefined
    }
  }

  async function answerMessage(line: string): Promise<string | undefined> {
    const message = readMessage(line)
    const headers = versionHeaders(message, agreedVersion)
    const received = receive({ text: line, header: (name) => headers[name], underscoreNames })
    if ('answer' in received) {
      const { body } = received.answer
      if (message.method === 'initialize' && body !== null && 'envelope' in received) {
        agreedVersion = agreedIn(body) ?? agreedVersion
        introduction = line
      }
      const listed = message.method === 'tools/list' ? await list(line, headers) : undefined
      return listed ?? body ?? undefined
    }
    try {
      return await inTurn(() => call(line, headers))
    } catch (error) {
      const reason = error instanceof Problem ? error.message : 'Earmark does not answer. Try again shortly.'
      warn(reason)
      return failedCall(received, reason)
    }
  }

  return async (line) => {
    const batch = mayBatch(agreedVersion, undefined) ? readBatch(line) : undefined
    return batch ? (joinAnswers(await Promise.all(batch.map(answerMessage))) ?? undefined) : answerMessage(line)
  }
}

const REFUSED =
  'Earmark refused the key: it is unknown, expired or revoked. The user can make a new one under Profile, API Keys, ' +
  'and put it where this one is configured.'

/** Returns the endpoint's refusal of a request whose message it did not read, for example because it was too large. */
function refusalIn({ status, body }: { status: number; body: string }): Problem {
  const message = /^\{"error":\{"code":"[\w-]+","message":"([^"\\]+)"\}\}$/.exec(body)?.[1]
  return new Problem('service-unreachable', message ?? `Earmark answered ${status}. Try again shortly.`)
}

function post(
  { url, key, fetch }: McpTarget,
  body: string,
  headers: Record<string, string>,
  timeout = TIMEOUT_MS
): Promise<Response> {
  const all = { 'content-type': 'application/json', 'x-api-key': key, ...headers }
  return fetch(new Request(url, { method: 'POST', headers: all, body, signal: AbortSignal.timeout(timeout) }))
}

/** Returns an error as a tool's result, which hosts send to their model. Of other errors, some show only the code. */
function failedCall({ call, finish }: Call, text: string): string {
  const result = finish({ content: [{ type: 'text', text }], isError: true })
  return JSON.stringify({ jsonrpc: '2.0', id: call.id, result })
}

/** The fields of a message over stdio, if it is well formed. */
interface StdioMessage {
  method?: unknown
  params?: { name?: unknown; _meta?: Record<string, unknown> }
}

function readMessage(line: string): StdioMessage {
  try {
    const message = JSON.parse(line) as StdioMessage | null
    return message ?? {}
  } catch {
    return {} // the reception answers it with an error
  }
}

function agreedIn(body: string): string | undefined {
  return (JSON.parse(body) as { result?: { protocolVersion?: string } }).result?.protocolVersion
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/** Returns the headers that a client of the message's revision sends over HTTP. */
function versionHeaders({ method, params }: StdioMessage, agreedVersion: string | undefined): Record<string, string> {
  const modern = params?._meta?.[VERSION]
  if (typeof modern === 'string') {
    const headers = { 'mcp-protocol-version': modern, 'mcp-method': String(method) }
    return typeof params?.name === 'string' ? { ...headers, 'mcp-name': headerText(params.name) } : headers
  }
  return agreedVersion === undefined || method === 'initialize' ? {} : { 'mcp-protocol-version': agreedVersion }
}

/** Encodes a text for a header. Text other than visible ASCII is sent in base64 (MCP 2026-07-28, standard headers). */
function headerText(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
