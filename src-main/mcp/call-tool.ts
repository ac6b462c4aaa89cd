import type { UseRecorder } from '../actions/keys/record-use.ts'
import type { Ports } from '../actions/ports.ts'
import type { Caller } from '../contract/caller.ts'
import { errorBody, Problem } from '../contract/problem.ts'
import { withoutLogins } from '../core/address.ts'
import { cleanText, cut } from '../core/clean-text.ts'
import { type Answer, CODE, failure, success } from './answer.ts'
import { isObject } from './envelope.ts'
import { type Era, STATUS } from './era.ts'
import { finish, invalidParams, type Request, underscoredName } from './reception.ts'
import { jsonIn, type Tool, type ToolResult } from './tools/tool.ts'

/** Of what a refused call named and why it was refused, so much is kept, in UTF-16 code units. */
const LONGEST_NAME = 60
const LONGEST_REASON = 200

interface ToolCall {
  request: Request
  era: Era
  caller: Caller
  underscoreNames: boolean
}

/** Answers `tools/call` with these tools. */
export function createToolCalls(ports: Ports, tools: Tool[], use: UseRecorder): (call: ToolCall) => Promise<Answer> {
  const byName = new Map(tools.flatMap((tool) => [tool.name, underscoredName(tool.name)].map((name) => [name, tool])))

  return async ({ request: { id, params = {} }, era, caller, underscoreNames }) => {
    const { name, arguments: given } = params
    const refuse = (fault: string) => failure(STATUS[era].params, id, invalidParams(fault))
    if (typeof name !== 'string') return refuse('name: required, a string')
    const input = era === 'plain' ? (given === undefined ? {} : given) : argumentsMeant(given)
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
    const outcome = await perform(ports, tool.prepare(input, era === 'plain' ? 'plain' : 'mcp'), caller)
    record(tool.name, caller, 'result' in outcome ? outcome.result : { refused: outcome.fault })
    if ('result' in outcome) return success(id, finish(era, content(outcome.result)))
    if (era === 'plain') return refuse(outcome.fault)
    return success(id, finish(era, content({ text: `Invalid params: ${outcome.fault}`, isError: true })))
  }

  /** An insert wrote its own row, together with what it saved. */
  function record(tool: string, { keyId, client = null }: Caller, outcome: Partial<ToolResult>): void {
    if (keyId === undefined) return
    const { text = '', results = 0, callId, refused } = outcome
    const bytes = Buffer.byteLength(text)
    if (callId !== undefined) {
      use.answer(callId, bytes)
      return
    }
    const why = refused && cleanText(withoutLogins(refused), LONGEST_REASON)
    use.call({ keyId, client, at: ports.now(), tool: cleanText(tool, LONGEST_NAME), results, bytes, refused: why })
  }
}

/** The arguments of a client of MCP. Models send null or nothing at all for none, and some hosts send them as JSON text. */
function argumentsMeant(given: unknown): unknown {
  if (given === undefined || given === null || given === '') return {}
  return typeof given === 'string' ? (jsonIn(given) ?? given) : given
}

/** Returns the tool's answer, or the error in its arguments. */
async function perform(
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
  // Clients show their models the message and drop the data.
  return { code: CODE.params, message: `Unknown tool: ${cut(name, 100)}. ${data}`, data }
}

function content({ text, isError }: ToolResult): object {
  return { content: [{ type: 'text', text }], isError: isError || undefined }
}
