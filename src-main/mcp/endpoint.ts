import { MIMEType, TextDecoder } from 'node:util'
import type { UseRecorder } from '../actions/keys/record-use.ts'
import type { Ports } from '../actions/ports.ts'
import type { Caller } from '../contract/caller.ts'
import type { OwnProgram } from '../contract/own-program.ts'
import { errorBody, Problem } from '../contract/problem.ts'
import { cut } from '../core/clean-text.ts'
import { createQueues } from './call-queue.ts'
import { createDispatch } from './dispatch.ts'
import { CODE, failure, type ServerFacts } from './protocol.ts'
import type { Tool } from './tools/tool.ts'
import { earmarkTools } from './tools/tools.ts'

/** Maximum size of a body, in bytes. */
const MAX_BYTES = 1024 * 1024

interface Surroundings extends ServerFacts {
  ports: Ports
  use: UseRecorder
  identify: (request: Request) => Promise<Caller | undefined>
  /** Counts a request with a wrong key and returns the seconds to wait; 0 if it may be answered. */
  wrongKey: () => number
  program: OwnProgram
  tools?: Tool[] | undefined
  onBug: (error: unknown) => void
}

/**
 * Answers `POST /api/tools/mcp`. Identifies the caller first, so that the answer to a request without a key or a
 * session reveals nothing else about the request. Identifies the caller again when the body has arrived and the call
 * has left the queue, because the key may be revoked by then.
 */
export function createEndpoint(surroundings: Surroundings): (request: Request) => Promise<Response> {
  const { ports, identify, wrongKey, program, tools = earmarkTools } = surroundings
  const dispatch = createDispatch(ports, tools, surroundings)
  const refuseKey = keyRefusal(program)
  const inQueue = createQueues()
  return (request) => answer(request).catch(answerProblem)

  async function answer(request: Request): Promise<Response> {
    const caller = await identify(request)
    if (!caller) {
      const seconds = wrongKey()
      return seconds > 0 ? tooMany(seconds) : refuseKey()
    }
    if (request.method !== 'POST') {
      return refuse(405, 'method-not-allowed', 'Send JSON-RPC requests with POST.', { allow: 'POST' })
    }
    const decoder = decoderFor(request.headers)
    if (typeof decoder === 'string') return refuse(415, 'unsupported-media-type', decoder)
    const body = await readBody(request)
    if (body === 'too large') return refuse(413, 'too-large', `A request has at most ${MAX_BYTES} bytes.`)
    if (body === 'disconnected') return new Response(null, { status: 400 })
    return inQueue(caller, request, () => answerBody(request, caller, body, decoder))
  }

  async function answerBody(
    request: Request,
    { owner }: Caller,
    body: ArrayBuffer | Uint8Array,
    decoder: TextDecoder
  ): Promise<Response> {
    const caller = await identify(request)
    if (caller?.owner !== owner) return refuseKey()
    const text = decode(body, decoder)
    if (text === undefined) return new Response(undecodable(decoder), { status: 400, headers: JSON_TYPE })
    const answer = await dispatch(request, text, caller)
    return new Response(answer.body, { status: answer.status, headers: answer.body === null ? {} : JSON_TYPE })
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/**
 * Creates the answer for a missing, malformed, unknown, expired or revoked key. It is always the same, so that guessing
 * reveals nothing. Codex and Copilot show their users only its `error_description`.
 */
function keyRefusal({ packaged }: OwnProgram): () => Response {
  const command = packaged ? '' : ', or with: npm run -s earmark -- keys create --name NAME'
  const message =
    'Send a valid API key in the x-api-key header (or as Authorization: Bearer KEY). ' +
    `Keys are made in Earmark under Profile, API Keys${command}`
  const challenge = `ApiKey realm="Earmark", header="x-api-key", error="invalid_token", error_description="${message}"`
  return () => refuse(401, 'unauthorized', message, { 'www-authenticate': challenge })
}

function tooMany(seconds: number): Response {
  return refuse(429, 'too-many', 'Too many requests came without a valid API key. Try again shortly.', {
    'retry-after': String(Math.max(1, seconds))
  })
}

/** Answers a Problem of the queue, or of a library that cannot identify the caller. */
function answerProblem(error: unknown): Response {
  if (!(error instanceof Problem)) throw error
  return refuse(503, error.code, error.message, error.code === 'too-many' ? { 'retry-after': '1' } : {})
}

function refuse(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(errorBody(code, message)), { status, headers: { ...JSON_TYPE, ...headers } })
}

async function readBody(request: Request): Promise<ArrayBuffer | Uint8Array | 'too large' | 'disconnected'> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) return 'too large'
  const body = request.headers.has('transfer-encoding') ? readChunks(request.body) : request.arrayBuffer()
  const bytes = await body.catch(() => undefined)
  if (bytes === undefined) return 'disconnected'
  return bytes.byteLength > MAX_BYTES ? 'too large' : bytes
}

/** Reads a body of unknown length, up to the maximum size. For all bodies, this would halve the throughput. */
async function readChunks(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) break
  }
  return Buffer.concat(chunks)
}

/** JSON is UTF-8 (RFC 8259, section 8.1), unless its Content-Type names another charset. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

const NOT_JSON = 'Send the request as Content-Type: application/json.'

/** Returns a decoder for the body's Content-Type, or the reason why there is none. */
function decoderFor(headers: Headers): TextDecoder | string {
  const type = headers.get('content-type') ?? ''
  if (headers.has('content-encoding')) return NOT_JSON
  if (type === 'application/json') return UTF_8
  const mime = mimeType(type)
  if (mime?.essence !== 'application/json') return NOT_JSON
  const charset = mime.params.get('charset') ?? 'utf-8'
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    return `Content-Type names an unknown charset, ${JSON.stringify(cut(charset, 40))}. Send the request as UTF-8.`
  }
}

function mimeType(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text)
  } catch {
    return undefined
  }
}

function decode(body: ArrayBuffer | Uint8Array, decoder: TextDecoder): string | undefined {
  try {
    return decoder.decode(body)
  } catch {
    return undefined
  }
}

/** Returns the error for a body that is not in its encoding. Windows PowerShell 5.1 sends undeclared ISO-8859-1. */
function undecodable({ encoding }: TextDecoder): string | null {
  const other =
    encoding === 'utf-8' ? 'valid UTF-8: send UTF-8, or name the charset in Content-Type' : `valid ${encoding}`
  return failure(400, null, { code: CODE.parse, message: 'Parse error', data: `the body is not ${other}` }).body
}
