import { Problem } from '../contract/problem.ts'
import { howToStart } from '../host/own-program.ts'

/** Where the running service is, and the key to present there. */
export interface BridgeTarget {
  /** The endpoint's address. */
  mcp: string
  key: string
}

/** Gives the target anew for each message, because a restart may move the service; a rejection says what is wrong. */
export type FindTarget = () => Promise<BridgeTarget>

/** A call takes milliseconds; a service that takes this long is stuck. */
const PATIENCE_MS = 60_000

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/**
 * Carries MCP messages from a client that speaks over stdio to the service: one line in, at most one line out.
 *
 * @returns the answer's line, or `undefined` where a message has none
 */
export function createStdioBridge(findTarget: FindTarget, warn: (message: string) => void) {
  /** Agreed on by `initialize`, then named in each request, as clients do over HTTP from 2025-06-18. */
  let agreedVersion: string | undefined

  return async (line: string): Promise<string | undefined> => {
    const message = readMessage(line)
    const fail = (reason: string) => {
      warn(reason)
      const error = { code: -32000, message: reason }
      return message.id === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id: message.id, error })
    }
    let response: Response
    let body: string
    try {
      const { mcp, key } = await findTarget()
      const headers = {
        'content-type': 'application/json',
        'x-api-key': key,
        ...versionHeaders(message, agreedVersion)
      }
      response = await fetch(mcp, { method: 'POST', headers, body: line, signal: AbortSignal.timeout(PATIENCE_MS) })
      body = await response.text()
    } catch (error) {
      return fail(error instanceof Problem ? error.message : NOT_RUNNING)
    }
    if (response.status === 401)
      return fail('Earmark refused the key: it is unknown, expired or revoked. Make a new one.')
    if (!isJsonRpc(body)) return response.status === 202 ? undefined : fail(`Earmark answered ${response.status}.`)
    if (message.method === 'initialize') agreedVersion = agreedIn(body) ?? agreedVersion
    return body
  }
}

export const NOT_RUNNING = `Earmark is not running. ${howToStart()}`

interface StdioMessage {
  id?: unknown
  method?: unknown
  params?: { name?: unknown; _meta?: Record<string, unknown> }
}

function readMessage(line: string): StdioMessage {
  try {
    const message = JSON.parse(line) as StdioMessage | null
    return message ?? {}
  } catch {
    return {} // the service says what is wrong with it
  }
}

function versionHeaders({ method, params }: StdioMessage, agreedVersion: string | undefined): Record<string, string> {
  const modern = params?._meta?.[VERSION]
  if (typeof modern === 'string') {
    return {
      'mcp-protocol-version': modern,
      'mcp-method': String(method),
      ...(typeof params?.name === 'string' && { 'mcp-name': headerText(params.name) })
    }
  }
  return agreedVersion === undefined || method === 'initialize' ? {} : { 'mcp-protocol-version': agreedVersion }
}

/** A header holds visible ASCII; anything else travels in base64 (MCP 2026-07-28, standard headers). */
function headerText(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

function isJsonRpc(body: string): boolean {
  return body.startsWith('{"jsonrpc"')
}

function agreedIn(body: string): string | undefined {
  return (JSON.parse(body) as { result?: { protocolVersion?: string } }).result?.protocolVersion
}
