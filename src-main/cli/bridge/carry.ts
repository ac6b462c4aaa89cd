import { Problem } from '../../contract/problem.ts'
import { version } from '../../host/own-program.ts'
import { batchAnswer, batchIn } from '../../mcp/envelope.ts'
import { mayBatch } from '../../mcp/era.ts'
import { createReception, type Received } from '../../mcp/reception.ts'
import { ownTools } from '../../mcp/tools/own-tools.ts'
import { isFinal, type ServiceClient } from '../service-client.ts'

/** Where the running service is, and the key to present there. */
interface BridgeTarget {
  /** The endpoint's address. */
  mcp: string
  key: string
  fetch: ServiceClient['fetch']
}

/**
 * Gives the target anew for each call, because a restart may move the service; a rejection says what is wrong.
 *
 * @param last what became of the last one: `refused` is the key that the service refused just now, for which another may
 *   have taken its place; `lost` where nobody answered
 */
export type FindTarget = (last: { refused?: string; lost?: boolean }) => Promise<BridgeTarget>

/** A call takes milliseconds; a service that takes this long is stuck. */
const TIMEOUT_MS = 60_000

/** Calls that are carried at once: twice as many as the service makes at once for one key. The others wait here. */
const MAX_AT_ONCE = 16

/**
 * Answers MCP messages of a client that speaks over stdio: one line in, at most one line out. What is the same for every
 * caller it says by itself, so that an editor may start before Earmark does; calls it carries to the service, side by side.
 *
 * @returns takes a line and gives the answer's line, or `undefined` where a message has none
 */
export function createStdioBridge(
  findTarget: FindTarget,
  { underscoreNames, warn }: { underscoreNames: boolean; warn: (message: string) => void }
): (line: string) => Promise<string | undefined> {
  const receive = createReception(ownTools, version)
  /** Agreed on by `initialize`, then named in each request, as clients do over HTTP from 2025-06-18. */
  let agreedVersion: string | undefined
  /** The client's own introduction, and the address that has heard it: its key's ledger names the client. */
  let introduction: string | undefined
  let introducedTo: string | undefined
  let carried = 0
  const waiting: (() => void)[] = []

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (carried < MAX_AT_ONCE) carried += 1
    else await new Promise<void>((begin) => waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else carried -= 1
    }
  }

  async function introduce(target: BridgeTarget): Promise<void> {
    if (introduction === undefined || introducedTo === target.mcp) return
    introducedTo = target.mcp
    await (await post(target, introduction, {})).text()
  }

  async function carry(line: string, headers: Record<string, string>): Promise<string> {
    const ask = async (last: { refused?: string; lost?: boolean }) => {
      const target = await findTarget(last)
      await introduce(target)
      const response = await post(target, line, headers)
      return { key: target.key, status: response.status, body: await response.text() }
    }
    // The service may have gone and come back since the last call; both tools can be repeated.
    let answer = await ask({}).catch((error) => {
      if (isFinal(error)) throw error
      introducedTo = undefined
      return ask({ lost: true })
    })
    if (answer.status === 401) answer = await ask({ refused: answer.key })
    if (answer.status === 401) throw new Problem('unauthorized', REFUSED)
    if (!answer.body.startsWith('{"jsonrpc"')) throw refusalIn(answer)
    return answer.body
  }

  async function answerOne(line: string): Promise<string | undefined> {
    const message = readMessage(line)
    const headers = versionHeaders(message, agreedVersion)
    const received = receive({ text: line, header: (name) => headers[name], underscoreNames })
    if ('answer' in received) {
      const { body } = received.answer
      if (message.method === 'initialize' && body !== null && 'envelope' in received) {
        agreedVersion = agreedIn(body) ?? agreedVersion
        introduction = line
      }
      return body ?? undefined
    }
    try {
      return await inTurn(() => carry(line, headers))
    } catch (error) {
      const reason = error instanceof Problem ? error.message : 'Earmark does not answer. Try again shortly.'
      warn(reason)
      return failedCall(received, reason)
    }
  }

  return async (line) => {
    const batch = mayBatch(agreedVersion, undefined) ? batchIn(line) : undefined
    return batch ? (batchAnswer(await Promise.all(batch.map(answerOne))) ?? undefined) : answerOne(line)
  }
}

const REFUSED =
  'Earmark refused the key: it is unknown, expired or revoked. The user can make a new one under Profile, API Keys, ' +
  'and put it where this one is configured.'

/** Returns the endpoint's refusal of a request in which it could read no message, such as one that is too large. */
function refusalIn({ status, body }: { status: number; body: string }): Problem {
  const message = /^\{"error":\{"code":"[\w-]+","message":"([^"\\]+)"\}\}$/.exec(body)?.[1]
  return new Problem('service-unreachable', message ?? `Earmark answered ${status}. Try again shortly.`)
}

function post({ mcp, key, fetch }: BridgeTarget, body: string, headers: Record<string, string>): Promise<Response> {
  const all = { 'content-type': 'application/json', 'x-api-key': key, ...headers }
  return fetch(new Request(mcp, { method: 'POST', headers: all, body, signal: AbortSignal.timeout(TIMEOUT_MS) }))
}

/** As a tool's own error, which hosts show their model; of other errors some show only a number. */
function failedCall({ call, era }: Extract<Received, { call: unknown }>, text: string): string {
  const complete = era === 'modern' ? { resultType: 'complete' } : {}
  const result = { content: [{ type: 'text', text }], isError: true, ...complete }
  return JSON.stringify({ jsonrpc: '2.0', id: call.id, result })
}

function readMessage(line: string): StdioMessage {
  try {
    const message = JSON.parse(line) as StdioMessage | null
    return message ?? {}
  } catch {
    return {} // the reception says what is wrong with it
  }
}

function agreedIn(body: string): string | undefined {
  return (JSON.parse(body) as { result?: { protocolVersion?: string } }).result?.protocolVersion
}

/** The fields of a message over stdio, if it is well formed. */
interface StdioMessage {
  method?: unknown
  params?: { name?: unknown; _meta?: Record<string, unknown> }
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/** The headers that a client of the message's revision would send with it over HTTP. */
function versionHeaders({ method, params }: StdioMessage, agreedVersion: string | undefined): Record<string, string> {
  const modern = params?._meta?.[VERSION]
  if (typeof modern === 'string') {
    const headers = { 'mcp-protocol-version': modern, 'mcp-method': String(method) }
    return typeof params?.name === 'string' ? { ...headers, 'mcp-name': headerText(params.name) } : headers
  }
  return agreedVersion === undefined || method === 'initialize' ? {} : { 'mcp-protocol-version': agreedVersion }
}

/** A header holds visible ASCII; anything else travels in base64 (MCP 2026-07-28, standard headers). */
function headerText(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
