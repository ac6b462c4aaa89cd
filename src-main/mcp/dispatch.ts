import type { UseRecorder } from '../actions/keys/record-use.ts'
import type { Caller } from '../contract/caller.ts'
import type { Ports } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { cut } from '../core/clean-text.ts'
import { type Answer, CODE, failure, success } from './answer.ts'
import { createClientNames } from './client-names.ts'
import { type Envelope, isObject } from './envelope.ts'
import type { Era } from './era.ts'
import { createReception, finish, invalidParams, type Message, type Request, underscoredName } from './reception.ts'
import type { Tool, ToolResult } from './tools/tool.ts'

/** One POST, without its socket. */
interface Post extends Message {
  caller: Caller
}

export type Dispatch = (post: Post) => Promise<Answer>

/** Answers JSON-RPC and MCP messages of every revision with these tools. */
export function createDispatch(
  ports: Ports,
  tools: Tool[],
  server: { version: string; use: UseRecorder; onBug: (error: unknown) => void }
): Dispatch {
  const receive = createReception(tools, server.version)
  const clientNames = createClientNames()
  const byName = new Map(tools.flatMap((tool) => [tool.name, underscoredName(tool.name)].map((name) => [name, tool])))

  async function call({ id, params = {} }: Request, era: Era, { caller, underscoreNames }: Post): Promise<Answer> {
    const invalidStatus = era === 'plain' ? 400 : 200
    const { name, arguments: given } = params
    if (typeof name !== 'string') return failure(invalidStatus, id, invalidParams('name: required, a string'))
    // Models send null for what they leave out; a plain caller means it.
    const input = given === undefined || (given === null && era !== 'plain') ? {} : given
    if (!isObject(input)) return failure(invalidStatus, id, invalidParams('arguments: must be an object'))
    const tool = byName.get(name)
    if (!tool) return failure(invalidStatus, id, unknownTool(name, underscoreNames))
    const outcome = await perform(tool, { input, era }, caller)
    if ('result' in outcome) record(tool, caller, outcome.result)
    if ('result' in outcome) return success(id, finish(era, content(outcome.result)))
    if (era === 'plain') return failure(400, id, invalidParams(outcome.fault))
    return success(id, finish(era, content({ text: `Invalid params: ${outcome.fault}`, isError: true })))
  }

  function unknownTool(name: string, underscoreNames: boolean) {
    const names = tools.map((tool) => (underscoreNames ? underscoredName(tool.name) : tool.name))
    const data = `Valid tools: ${names.join(', ')}`
    // Clients show their models the message and drop the data.
    return { code: CODE.params, message: `Unknown tool: ${cut(name, 100)}. ${data}`, data }
  }

  async function perform(
    tool: Tool,
    { input, era }: { input: object; era: Era },
    caller: Caller
  ): Promise<{ result: ToolResult } | { fault: string }> {
    const prepared = tool.prepare(input, era === 'plain' ? 'plain' : 'mcp')
    if ('fault' in prepared) return prepared
    try {
      return { result: await prepared.run(ports, caller) }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'invalid') return { fault: error.message }
      const text = JSON.stringify({ error: { code: error.code, message: error.message } })
      return { result: { text, isError: true } }
    }
  }

  /** An insert wrote its own row, together with what it saved. */
  function record({ name }: Tool, { keyId, client = null }: Caller, { text, results = 0, callId }: ToolResult): void {
    if (keyId === undefined) return
    const bytes = Buffer.byteLength(text)
    if (callId !== undefined) server.use.answer(callId, bytes)
    else server.use.call({ keyId, client, at: ports.now(), tool: name, results, bytes })
  }

  /** The caller with its client's name, its key noted as used. */
  function named({ caller, header }: Post, envelope: Envelope): Caller {
    if (caller.keyId === undefined) return caller
    const client = clientNames(caller.keyId, envelope, header('user-agent'))
    server.use.key(caller.keyId, client)
    return { ...caller, client }
  }

  return async (post) => {
    const received = receive(post)
    const caller = received.envelope ? named(post, received.envelope) : post.caller
    if ('answer' in received) return received.answer
    const { call: request, era } = received
    try {
      return await call(request, era, { ...post, caller })
    } catch (error) {
      server.onBug(error)
      const data = 'Earmark failed unexpectedly. Its log in the data folder says more.'
      return failure(era === 'plain' ? 500 : 200, request.id, { code: CODE.internal, message: 'Internal error', data })
    }
  }
}

function content({ text, isError }: ToolResult): object {
  return { content: [{ type: 'text', text }], isError: isError || undefined }
}
