import { MIMEType, TextDecoder } from 'node:util'
import type { Ports } from '../actions/ports.ts'
import type { Caller, HeaderReader } from '../contract/caller.ts'
import type { OwnProgram } from '../contract/own-program.ts'
import { errorBody, Problem } from '../contract/problem.ts'
import { cut } from '../core/clean-text.ts'
import { CODE, failure } from './answer.ts'
import type { Dispatch } from './dispatch.ts'
import { createTurns } from './turns.ts'

/** Largest body taken, in bytes. */
const MOST_BYTES = 1024 * 1024

/** A request, whatever carried it. */
export interface EndpointRequest {
  method: string
  /** Host and port, as the client wrote them. */
  host: string
  /** The part of the address behind the path, with its `?`; empty where there is none. */
  query: string
  header: HeaderReader
  /** Returns `undefined` once the body proves larger than `most` bytes. */
  readBody(most: number): Promise<Uint8Array | undefined>
  /** Aborted once nobody waits for the answer any more. */
  signal: AbortSignal
}

interface EndpointAnswer {
  status: number
  headers: Record<string, string>
  body: string | null
}

export type Endpoint = (request: EndpointRequest) => Promise<EndpointAnswer>

/**
 * `POST /api/tools/mcp`. Who asks comes before everything else: without a key or a session a caller learns nothing of
 * what else is wrong with its request. It comes once more when the call's turn comes: the body may have been long on its
 * way, and the key be revoked since, or the library another one, in which the key's row is somebody else's. From there on
 * the call is made in one library.
 *
 * @param wrongKey takes one failure and gives the seconds to wait, 0 when it may be answered
 */
export function createEndpoint(
  dispatch: Dispatch,
  identify: (request: EndpointRequest) => Promise<Caller | undefined>,
  wrongKey: () => number,
  program: OwnProgram,
  library: Pick<Ports['library'], 'inOneLibrary'>
): Endpoint {
  const unauthorized = refuseKey(program)
  const inTurn = createTurns()
  return (request) => answer(request).catch(asRefusal)

  async function answer(request: EndpointRequest): Promise<EndpointAnswer> {
    const asking = await identify(request)
    if (!asking) {
      const wait = wrongKey()
      return wait > 0 ? tooMany(wait) : unauthorized
    }
    if (request.method !== 'POST') {
      return refuse(405, 'method-not-allowed', 'Send JSON-RPC requests with POST.', { allow: 'POST' })
    }
    const decoder = decoderFor(request)
    if (typeof decoder === 'string') return refuse(415, 'unsupported-media-type', decoder)
    const body =
      Number(request.header('content-length') ?? 0) > MOST_BYTES ? undefined : await request.readBody(MOST_BYTES)
    if (body === undefined) {
      return refuse(413, 'too-large', `A request has at most ${MOST_BYTES} bytes.`, { connection: 'close' })
    }
    return inTurn(asking, request, () => library.inOneLibrary(() => answerBody(request, asking, body, decoder)))
  }

  async function answerBody(
    request: EndpointRequest,
    asking: Caller,
    body: Uint8Array,
    decoder: TextDecoder
  ): Promise<EndpointAnswer> {
    const caller = await identify(request)
    if (caller?.owner !== asking.owner) return unauthorized
    const text = decode(body, decoder)
    if (text === undefined) return { status: 400, headers: JSON_TYPE, body: undecodable(decoder) }
    const underscoreNames = request.query !== '' && new URLSearchParams(request.query).get('names') === 'underscore'
    const { header } = request
    const again = () => identify(request)
    const answer = await dispatch({ text, header, caller, underscoreNames, asked: request, identify: again })
    return { status: answer.status, headers: answer.body === null ? {} : JSON_TYPE, body: answer.body }
  }
}

/** Of a library that cannot say who asks, or of too many calls at once. */
function asRefusal(error: unknown): EndpointAnswer {
  if (!(error instanceof Problem)) throw error
  return refuse(503, error.code, error.message, error.code === 'too-many' ? { 'retry-after': '1' } : {})
}

const JSON_TYPE = { 'content-type': 'application/json' }

/**
 * One answer for a missing, malformed, unknown, expired and revoked key, so that guessing teaches nothing. Codex and Copilot
 * show their user nothing but the challenge's `error_description`.
 */
function refuseKey({ packaged }: OwnProgram): EndpointAnswer {
  const command = packaged ? '' : ', or with: npm run -s earmark -- keys create --name NAME'
  const message =
    'Send a valid API key in the x-api-key header (or as Authorization: Bearer KEY). ' +
    `Keys are made in Earmark under Profile, API Keys${command}`
  return refuse(401, 'unauthorized', message, {
    'www-authenticate': `ApiKey realm="Earmark", header="x-api-key", error="invalid_token", error_description="${message}"`
  })
}

function tooMany(seconds: number): EndpointAnswer {
  return refuse(429, 'too-many', 'Too many requests came without a valid API key. Try again shortly.', {
    'retry-after': String(Math.max(1, seconds))
  })
}

function refuse(status: number, code: string, message: string, headers: Record<string, string> = {}): EndpointAnswer {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(errorBody(code, message)) }
}

/** JSON is UTF-8 (RFC 8259, section 8.1), unless its Content-Type names another charset. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** Returns what decodes the body as its Content-Type declares, or why that cannot be, in words. */
function decoderFor({ header }: EndpointRequest): TextDecoder | string {
  const type = header('content-type') ?? ''
  if (header('content-encoding') !== undefined) return NOT_JSON
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

const NOT_JSON = 'Send the request as Content-Type: application/json.'

function mimeType(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text)
  } catch {
    return undefined
  }
}

function decode(body: Uint8Array, decoder: TextDecoder): string | undefined {
  try {
    return decoder.decode(body)
  } catch {
    return undefined
  }
}

/** Windows PowerShell 5.1, for one, sends text as ISO-8859-1 and does not declare it. */
function undecodable({ encoding }: TextDecoder): string | null {
  const other =
    encoding === 'utf-8' ? 'valid UTF-8: send UTF-8, or name the charset in Content-Type' : `valid ${encoding}`
  return failure(400, null, { code: CODE.parse, message: 'Parse error', data: `the body is not ${other}` }).body
}
