/** Answers the messages of a POST, makes tool calls, and records them in the ledger. */
import type { UseRecorder } from '../actions/keys/record-use.ts'
import type { Ports } from '../actions/ports.ts'
import type { Caller } from '../contract/caller.ts'
import { errorBody, Problem } from '../contract/problem.ts'
import { withoutLogins } from '../core/address.ts'
import { cleanText, cut } from '../core/clean-text.ts'
import {
  type Answer,
  type Call,
  CODE,
  createReception,
  type Envelope,
  failure,
  invalidParams,
  isObject,
  joinAnswers,
  mayBatch,
  readBatch,
  type ServerFacts,
  STATUS,
  success
} from './protocol.ts'
import { parseJson, type Tool, type ToolResult, underscoredName } from './tools/tool.ts'

/** Maximum lengths in the ledger, in UTF-16 code units. */
const MAX_TOOL_LENGTH = 60
const MAX_REASON_LENGTH = 200
const MAX_CLIENT_LENGTH = 80

const META_CLIENT = 'io.modelcontextprotocol/clientInfo'

interface Server extends ServerFacts {
  use: UseRecorder
  identify: (request: Request) => Promise<Caller | undefined>
  onBug: (error: unknown) => void
}

/** Answers the text of a request: JSON-RPC and MCP messages of every revision, with these tools. */
export function createDispatch(
  ports: Ports,
  tools: Tool[],
  { use, identify, onBug, ...facts }: Server
): (request: Request, text: string, caller: Caller) => Promise<Answer> {
  const receive = createReception(tools, facts)
  const byName = new Map(tools.flatMap((tool) => [tool.name, underscoredName(tool.name)].map((name) => [name, tool])))
  /** The client's name in the last `initialize` with each key. */
  const introduced = new Map<number, string>()

  return async (request, text, caller) => {
    const { url, headers } = request
    const underscoreNames = url.includes('?') && new URL(url).searchParams.get('names') === 'underscore'
    const batch = mayBatch(headers.get('mcp-protocol-version'), headers.get('accept')) ? readBatch(text) : undefined
    if (!batch) return answer(request, text, caller, underscoreNames)
    const bodies: Answer['body'][] = []
    for (const message of batch) {
      const current = await identify(request)
      if (request.signal.aborted || !current || current.owner !== caller.owner) break
      bodies.push((await answer(request, message, current, underscoreNames)).body)
    }
    const body = joinAnswers(bodies)
    return { status: body === null ? 202 : 200, body }
  }

  async function answer(request: Request, text: string, sender: Caller, underscoreNames: boolean): Promise<Answer> {
    const { readOnly } = sender
    const received = receive({ text, header: (name) => request.headers.get(name), underscoreNames, readOnly })
    const caller = received.envelope ? noteUse(sender, received.envelope, request) : sender
    if ('answer' in received) return received.answer
    try {
      return await callTool(received, caller, underscoreNames)
    } catch (error) {
      onBug(error)
      const data = 'Earmark failed unexpectedly. See earmark.log in the data folder.'
      const { call, era } = received
      return failure(STATUS[era].internal, call.id, { code: CODE.internal, message: 'Internal error', data })
    }
  }

  /** Adds the client's name to the caller, and records that its key was used. */
  function noteUse(caller: Caller, envelope: Envelope, request: Request): Caller {
    const { keyId } = caller
    if (keyId === undefined) return caller
    const client = clientOf(keyId, envelope, request.headers.get('user-agent'))
    use.key(keyId, client)
    return { ...caller, client }
  }

  /** Returns the client's name for itself. Only the owner sees it. */
  function clientOf(keyId: number, { method, params }: Envelope, userAgent: string | null): string | null {
    const name = isObject(params?._meta) ? readClient(params._meta[META_CLIENT]) : undefined
    if (name !== undefined) return name
    const introduction =
      method === 'initialize' ? (readClient(params?.clientInfo) ?? readClient(params?.client)) : undefined
    if (introduction !== undefined) introduced.set(keyId, introduction)
    return introduced.get(keyId) ?? (userAgent === null ? null : cleanText(userAgent, MAX_CLIENT_LENGTH))
  }

  async function callTool({ call, era, finish }: Call, caller: Caller, underscoreNames: boolean): Promise<Answer> {
    const { id, params = {} } = call
    const { name, arguments: given } = params
    const refuse = (fault: string) => failure(STATUS[era].params, id, invalidParams(fault))
    if (typeof name !== 'string') return refuse('name: required, a string')
    const input = era === 'plain' ? (given === undefined ? {} : given) : readArguments(given)
    const tool = byName.get(name)
    if (!isObject(input)) {
      record(tool?.name ?? name, caller, { refused: 'arguments: must be an object' })
      return refuse('arguments: must be an object')
    }
    if (!tool) {
      const error = unknownTool(name, tools, underscoreNames)
      record(name, caller, { refused: error.message })
      return failure(STATUS[era].params, id, error)
    }
    const outcome = await runTool(ports, tool.prepare(input, era === 'plain' ? 'plain' : 'mcp'), caller)
    record(tool.name, caller, 'result' in outcome ? outcome.result : { refused: outcome.fault })
    if ('result' in outcome) return success(id, finish(content(outcome.result)))
    if (era === 'plain') return refuse(outcome.fault)
    return success(id, finish(content({ text: `Invalid params: ${outcome.fault}`, isError: true })))
  }

  function record(tool: string, { keyId, client = null }: Caller, outcome: Partial<ToolResult>): void {
    if (keyId === undefined) return
    const { text = '', results = 0, words, callId, refused } = outcome
    const bytes = Buffer.byteLength(text)
    if (callId !== undefined) {
      use.answer(callId, bytes) // the insert stored the call's row together with its bookmarks
      return
    }
    const reason = refused && cleanText(withoutLogins(refused), MAX_REASON_LENGTH)
    const name = cleanText(tool, MAX_TOOL_LENGTH)
    use.call({ keyId, client, at: ports.now(), tool: name, results, bytes, words, refused: reason })
  }
}

function readClient(info: unknown): string | undefined {
  if (!isObject(info) || typeof info.name !== 'string') return undefined
  const version = typeof info.version === 'string' ? ` ${info.version}` : ''
  return cleanText(info.name + version, MAX_CLIENT_LENGTH) || undefined
}

/** Reads the arguments of an MCP client. Models send null or nothing for an empty object; some hosts send JSON text. */
function readArguments(given: unknown): unknown {
  if (given === undefined || given === null || given === '') return {}
  return typeof given === 'string' ? (parseJson(given) ?? given) : given
}

/** Returns the tool's result, or the error in its arguments. */
async function runTool(
  ports: Ports,
  prepared: ReturnType<Tool['prepare']>,
  caller: Caller
): Promise<{ result: ToolResult } | { fault: string }> {
  if ('fault' in prepared) return prepared
  try {
    return { result: await prepared.run(ports, caller) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'invalid') return { fault: error.message }
    const text = JSON.stringify(errorBody(error.code, error.message))
    return { result: { text, isError: true, refused: error.message } }
  }
}

function unknownTool(name: string, tools: Tool[], underscoreNames: boolean) {
  const names = tools.map((tool) => (underscoreNames ? underscoredName(tool.name) : tool.name))
  const data = `Valid tools: ${names.join(', ')}`
  // The message repeats the data, because clients show their models only the message.
  return { code: CODE.params, message: `Unknown tool: ${cut(name, 100)}. ${data}`, data }
}

function content({ text, isError }: ToolResult): object {
  return { content: [{ type: 'text', text }], isError: isError || undefined }
}
