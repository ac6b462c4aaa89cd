import type { OwnTests } from '../actions/keys/own-tests.ts'
import type { UseRecorder } from '../actions/keys/record-use.ts'
import type { Ports } from '../actions/ports.ts'
import type { Caller } from '../contract/caller.ts'
import { cleanText } from '../core/clean-text.ts'
import { type Answer, CODE, failure } from './answer.ts'
import { createToolCalls } from './call-tool.ts'
import { batchAnswer, batchIn, type Envelope, isObject } from './envelope.ts'
import { mayBatch, STATUS } from './era.ts'
import { createReception, type Message } from './reception.ts'
import { inSteadyTime } from './steady-time.ts'
import type { Tool } from './tools/tool.ts'

/** One POST, without its socket. */
interface Post extends Message {
  caller: Caller
  /** The signal is aborted once nobody waits for the answer any more. */
  asked: { readonly signal: AbortSignal }
  /** Returns the caller as it is now; `undefined` once its key was revoked. */
  identify: () => Promise<Caller | undefined>
}

export type Dispatch = (post: Post) => Promise<Answer>

/** Answers JSON-RPC and MCP messages of every revision with these tools. */
export function createDispatch(
  ports: Ports,
  tools: Tool[],
  server: { version: string; use: UseRecorder; ownTests: OwnTests; onBug: (error: unknown) => void }
): Dispatch {
  const receive = createReception(tools, server.version)
  const clientNames = createClientNames()
  const callTool = createToolCalls(ports, tools, server.use)

  /** The caller with its client's name, its key noted as used. */
  function named({ caller, header }: Post, envelope: Envelope): Caller {
    // Our own test is no use of the key, and tells nothing of who uses it.
    if (caller.keyId === undefined || server.ownTests.isOne(header)) return caller
    const client = clientNames(caller.keyId, envelope, header('user-agent'))
    server.use.key(caller.keyId, client)
    return { ...caller, client }
  }

  async function answer(post: Post): Promise<Answer> {
    const received = receive(post)
    const caller = received.envelope ? named(post, received.envelope) : post.caller
    if ('answer' in received) return received.answer
    const { call: request, era } = received
    try {
      return await callTool({ request, era, caller, underscoreNames: post.underscoreNames })
    } catch (error) {
      server.onBug(error)
      const data = 'Earmark failed unexpectedly. See earmark.log in the data folder.'
      return failure(STATUS[era].internal, request.id, { code: CODE.internal, message: 'Internal error', data })
    }
  }

  return async (post) => {
    const { text, header } = post
    const batch = mayBatch(header('mcp-protocol-version'), header('accept')) ? batchIn(text) : undefined
    if (!batch) return answer(post)
    const bodies: Answer['body'][] = []
    const { signal } = post.asked
    // One after the other, because a batch has one turn. Each in steady time: together they would add up.
    for (const message of batch) {
      const caller = await post.identify()
      if (signal.aborted || !caller || caller.owner !== post.caller.owner) break
      const work = () => answer({ ...post, caller, text: message })
      bodies.push((await (caller.owner === null ? work() : inSteadyTime(work))).body)
    }
    const body = batchAnswer(bodies)
    return { status: body === null ? 202 : 200, body }
  }
}

const META_CLIENT = 'io.modelcontextprotocol/clientInfo'
const LONGEST = 80

/**
 * Names the client behind each message: as its `_meta` says, else as the last `initialize` with the same key said, else
 * by its User-Agent. Names are for the owner's eyes only.
 */
function createClientNames() {
  const initialized = new Map<number, string>()

  return (keyId: number, { method, params }: Envelope, userAgent: string | undefined): string | null => {
    const meta = isObject(params?._meta) ? nameOf(params._meta[META_CLIENT]) : undefined
    if (meta !== undefined) return meta
    if (method === 'initialize') {
      const name = nameOf(params?.clientInfo) ?? nameOf(params?.client)
      if (name !== undefined) initialized.set(keyId, name)
    }
    return initialized.get(keyId) ?? (userAgent === undefined ? null : cleanText(userAgent, LONGEST))
  }
}

function nameOf(info: unknown): string | undefined {
  if (!isObject(info) || typeof info.name !== 'string') return undefined
  const version = typeof info.version === 'string' ? ` ${info.version}` : ''
  return cleanText(info.name + version, LONGEST) || undefined
}
