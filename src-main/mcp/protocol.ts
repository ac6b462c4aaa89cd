/**
 * JSON-RPC 2.0 and the revisions of MCP. Reads messages, checks the requirements of their revision, and answers all
 * except tool calls. These answers are the same for every caller, so the stdio bridge gives them without the service.
 */
import { cut } from '../core/clean-text.ts'
import { instructionsWith, listTools, type ToolFacts, underscoredName } from './tools/tool.ts'

/** A request, or a notification if it has no id. */
export interface Envelope {
  id?: Id
  method: string
  params?: Record<string, unknown>
}

type Id = string | number

/** An HTTP answer: a status and, except for a notification, a JSON body. */
export interface Answer {
  status: 200 | 202 | 400 | 404 | 500
  body: string | null
}

/** Error codes of JSON-RPC 2.0 (section 5.1), and those of MCP 2026-07-28. */
export const CODE = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022
} as const

interface RpcError {
  code: (typeof CODE)[keyof typeof CODE]
  message: string
  data?: unknown
}

/** @param result an object that JSON can represent, not `undefined` */
export function success(id: Id, result: object): Answer {
  return { status: 200, body: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(result)}}` }
}

/** @param id `null` if it could not be read (JSON-RPC 2.0, section 5) */
export function failure(status: Answer['status'], id: Id | null, error: RpcError): Answer {
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id, error }) }
}

/** Maximum depth of nesting. No request needs more, and a deeper text may overflow the parser's stack. */
const MAX_DEPTH = 32

/** Reads a request. Returns a refusal if the request is invalid, with its id if that could be read. */
function readEnvelope(text: string): { envelope: Envelope } | { refused: Answer } {
  if (isTooDeep(text)) return refuse(null, `nested deeper than ${MAX_DEPTH} levels`)
  let message: unknown
  try {
    // JSON may begin with a byte order mark (RFC 8259, section 8.1).
    message = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    const error = { code: CODE.parse, message: 'Parse error', data: 'the body is not JSON' }
    return { refused: failure(400, null, error) }
  }
  if (Array.isArray(message)) {
    const isTooLong = message.length > MAX_BATCH
    return refuse(null, isTooLong ? `a batch has at most ${MAX_BATCH} messages` : NO_BATCH)
  }
  if (!isObject(message)) return refuse(null, 'the body must be a JSON-RPC request object')
  const { jsonrpc, id, method } = message
  const params = message.params ?? undefined
  const readable = typeof id === 'string' || isExact(id) ? id : null
  if (id !== undefined && readable === null)
    return refuse(null, 'id must be a string or a number from -(2^53 - 1) to 2^53 - 1')
  if (jsonrpc !== '2.0') return refuse(readable, 'jsonrpc must be "2.0"')
  if (typeof method !== 'string') return refuse(readable, 'method must be a string')
  if (params !== undefined && !isObject(params)) return refuse(readable, 'params must be an object')
  if (readable === null && !method.startsWith('notifications/')) return refuse(null, 'id is required')
  return { envelope: { method, id: readable ?? undefined, params } }
}

/** Maximum number of messages in a batch. No client sends more. */
const MAX_BATCH = 100
const NO_BATCH = 'a batch is not supported here, send one request at a time'

/** Returns the messages of a batch, each as text; `undefined` if the text is no batch, or the batch is too large. */
export function readBatch(text: string): string[] | undefined {
  if (!/^\ufeff?\s*\[/.test(text) || isTooDeep(text)) return undefined
  try {
    const messages: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (!Array.isArray(messages) || messages.length === 0 || messages.length > MAX_BATCH) return undefined
    return messages.map((message) => JSON.stringify(message))
  } catch {
    return undefined
  }
}

/** Joins the answers to a batch. Notifications have none (JSON-RPC 2.0, section 6). */
export function joinAnswers(bodies: (string | null | undefined)[]): string | null {
  const answers = bodies.filter((body) => body !== null && body !== undefined)
  return answers.length === 0 ? null : `[${answers.join(',')}]`
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether an id is an exact number. `JSON.parse` rounds other numbers, so the answer's id would differ from the
 * request's.
 */
function isExact(id: unknown): id is number {
  return typeof id === 'number' && Number.isFinite(id) && (!Number.isInteger(id) || Number.isSafeInteger(id))
}

function refuse(id: Id | null, data: string): { refused: Answer } {
  return { refused: failure(400, id, { code: CODE.request, message: 'Invalid Request', data }) }
}

/** Counts brackets outside strings, before the text is parsed. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    const unit = text[index]
    if (isQuoted) {
      if (unit === '\\') index++
      else if (unit === '"') isQuoted = false
    } else if (unit === '"') isQuoted = true
    else if (unit === '{' || unit === '[') {
      if (++depth > MAX_DEPTH) return true
    } else if (unit === '}' || unit === ']') depth--
  }
  return false
}

/** Revisions whose clients begin with `initialize`, newest first. */
const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
/** Revisions without a handshake, newest first. */
const MODERN_VERSIONS = ['2026-07-28']
/** The only revision with JSON-RPC batches. */
const BATCH_VERSION = '2025-03-26'

const META_VERSION = 'io.modelcontextprotocol/protocolVersion'
const META_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/**
 * The kind of client: a plain JSON-RPC caller, a client of an MCP revision with a handshake (`legacy`), or a client of
 * an MCP revision without one (`modern`).
 */
type Era = 'plain' | 'legacy' | 'modern'

/**
 * The HTTP status of failures. For MCP clients it is mostly 200, because they read the body, and some take any other
 * status for a lost connection.
 */
export const STATUS = {
  plain: { params: 400, method: 404, internal: 500 },
  legacy: { params: 200, method: 200, internal: 200 },
  modern: { params: 200, method: 404, internal: 200 }
} as const satisfies Record<Era, Record<'params' | 'method' | 'internal', number>>

/** One message, without its transport. */
interface Message {
  text: string
  /** Reads a header by its lower-case name. */
  header: (name: string) => string | null | undefined
  /** Use tool names without a dot, for hosts that reject it. */
  underscoreNames: boolean
  /** The caller may only read, so the list of tools for MCP clients has no tool that saves. */
  readOnly?: boolean
}

export interface Call {
  call: Envelope & { id: Id }
  envelope: Envelope
  era: Era
  /** Returns the result in the form of the caller's revision. */
  finish: (result: object) => object
}

/** A message with its answer, or a tool call. The envelope is absent if the message is invalid. */
type Received = { answer: Answer; envelope?: Envelope } | Call

/** Facts about the server that its answers contain. `site` is the address of Earmark's website. */
export interface ServerFacts {
  version: string
  site: string
}

/** The drawing of `resources/icon.svg`. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">' +
  '<rect x="24" y="24" width="464" height="464" rx="104" fill="#eef1ff"/>' +
  '<path d="M176 96h112l112 112v160a56 56 0 0 1-56 56H176a56 56 0 0 1-56-56V152a56 56 0 0 1 56-56Z" fill="#4263eb"/>' +
  '<path d="M288 96v72a40 40 0 0 0 40 40h72Z" fill="#bac8ff"/></svg>'

const META_SERVER = 'io.modelcontextprotocol/serverInfo'

/** Creates a function that receives messages of every revision, and answers all messages except tool calls. */
export function createReception(tools: ToolFacts[], { version, site }: ServerFacts): (message: Message) => Received {
  const name = { name: 'earmark', title: 'Earmark', version }
  const icon = { src: `data:image/svg+xml;base64,${btoa(ICON)}`, mimeType: 'image/svg+xml', sizes: ['any'] }
  const serverInfo = { ...name, websiteUrl: site, icons: [icon] }
  const capabilities = { tools: {} }

  /** Returns a result in the form of the caller's revision: since 2026-07-28 it names the server. */
  function finish(era: Era, result: object): object {
    if (era !== 'modern') return result
    return { ...result, resultType: 'complete', _meta: { [META_SERVER]: { name: 'earmark', version } } }
  }

  function answer({ id, method, params = {} }: Call['call'], era: Era, message: Message): Answer {
    const { underscoreNames, readOnly = false } = message
    const rename = underscoreNames ? underscoredName : (name: string) => name
    const isModern = era === 'modern'
    if (method === 'tools/list') {
      const usable = readOnly && era !== 'plain' ? tools.filter(({ annotations }) => annotations.readOnlyHint) : tools
      const list = { tools: listTools(usable, era === 'plain' ? 'plain' : 'mcp', rename) }
      return success(id, finish(era, isModern ? { ...list, ...CACHED } : list))
    }
    if (method === 'ping' && !isModern) return success(id, {})
    // Some clients request these lists although the server does not offer them, and show an error to their users.
    const unoffered = era === 'legacy' ? EMPTY_LISTS.get(method) : undefined
    if (unoffered) return success(id, { [unoffered]: [] })
    const instructions = instructionsWith(rename)
    if (method === 'server/discover' && isModern) {
      const facts = { supportedVersions: MODERN_VERSIONS, capabilities, instructions, ...CACHED }
      return success(id, { ...finish(era, facts), _meta: { [META_SERVER]: serverInfo } })
    }
    if (method === 'initialize' && !isModern) {
      const { protocolVersion: requested, client } = params
      if (typeof requested !== 'string' && !(isObject(client) && typeof client.name === 'string')) {
        const fault = 'initialize needs client: {name} or protocolVersion'
        return failure(STATUS[era].params, id, invalidParams(fault))
      }
      const protocolVersion = LEGACY_VERSIONS.find((version) => version === requested) ?? LEGACY_VERSIONS[0]
      return success(id, {
        protocolVersion,
        capabilities,
        serverInfo: era === 'plain' ? name : serverInfo,
        instructions
      })
    }
    const data = 'Valid methods: initialize, tools/list, tools/call'
    const error = { code: CODE.method, message: `Method not found: ${cut(method, 100)}`, data }
    return failure(STATUS[era].method, id, error)
  }

  return (message) => {
    const { text, header } = message
    const read = readEnvelope(text)
    if ('refused' in read) return { answer: read.refused }
    const { envelope } = read
    const versionHeader = header('mcp-protocol-version') ?? undefined
    const era = eraOf(envelope, versionHeader)
    const refused = era === 'modern' ? checkModern(envelope, header) : checkLegacyVersion(envelope, versionHeader)
    if (refused) return { answer: refused }
    if (envelope.id === undefined) return { answer: { status: 202, body: null }, envelope }
    const request = { ...envelope, id: envelope.id }
    if (request.method === 'tools/call') {
      return { call: request, envelope, era, finish: (result) => finish(era, result) }
    }
    return { answer: answer(request, era, message), envelope }
  }
}

/** The name of the list in the answer to each of these methods. */
const EMPTY_LISTS = new Map([
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts']
])

/**
 * Whether a client may send batches. Clients of 2025-03-26 send no version header, but must accept both types. Nothing
 * else depends on `Accept`: many plain callers send it too.
 */
export function mayBatch(versionHeader: string | null | undefined, accept: string | null | undefined): boolean {
  if (typeof versionHeader === 'string') return versionHeader === BATCH_VERSION
  return accept?.includes('application/json') === true && accept.includes('text/event-stream')
}

export function invalidParams(data: string) {
  return { code: CODE.params, message: 'Invalid params', data } as const
}

/** How long a modern client may cache discovery and the list of tools, which change only with Earmark's version. */
const CACHED = { ttlMs: 3_600_000, cacheScope: 'private' }

function eraOf(envelope: Envelope, versionHeader: string | undefined): Era {
  const meta = envelope.params?._meta
  if (isObject(meta) && meta[META_VERSION] !== undefined) return 'modern'
  if (versionHeader !== undefined) return MODERN_VERSIONS.includes(versionHeader) ? 'modern' : 'legacy'
  // Gemini CLI agrees on 2025-06-18 and then sends no header, but a progress token.
  if (isObject(meta)) return 'legacy'
  // `initialize` has no header, because no version is agreed on yet.
  return envelope.method === 'initialize' && envelope.params?.protocolVersion !== undefined ? 'legacy' : 'plain'
}

function checkLegacyVersion({ id }: Envelope, version: string | undefined): Answer | undefined {
  if (version === undefined || LEGACY_VERSIONS.includes(version)) return undefined
  const data = `MCP-Protocol-Version is not supported. Supported: ${[...MODERN_VERSIONS, ...LEGACY_VERSIONS].join(', ')}`
  return failure(400, id ?? null, { code: CODE.request, message: 'Unsupported protocol version', data })
}

/**
 * Checks what MCP 2026-07-28 requires of every request: the version and the client's capabilities in `_meta`, and headers
 * that repeat the body, so that a proxy can route without reading it. A notification needs no headers.
 *
 * @returns the refusal, if there is one
 */
function checkModern({ id, method, params }: Envelope, header: Message['header']): Answer | undefined {
  const refuse = (error: RpcError) => failure(400, id ?? null, error)
  const mismatch = (reason: string) => refuse({ code: CODE.headerMismatch, message: `Header mismatch: ${reason}` })
  const meta = isObject(params?._meta) ? params._meta : {}
  const requested = meta[META_VERSION]
  if (typeof requested !== 'string') return refuse(invalidParams(`_meta["${META_VERSION}"] is required`))
  // White space around a header's value is not part of it (RFC 9110, section 5.5).
  const version = header('mcp-protocol-version')?.trim()
  if (version === undefined && id !== undefined) return mismatch('MCP-Protocol-Version is missing')
  if (version !== undefined && version !== requested) {
    return mismatch('MCP-Protocol-Version differs from the version in _meta')
  }
  if (!MODERN_VERSIONS.includes(requested)) {
    const data = { supported: MODERN_VERSIONS, requested }
    return refuse({ code: CODE.unsupportedVersion, message: 'Unsupported protocol version', data })
  }
  if (!isObject(meta[META_CAPABILITIES])) return refuse(invalidParams(`_meta["${META_CAPABILITIES}"] is required`))
  if (id === undefined) return undefined
  const methodHeader = header('mcp-method')?.trim()
  if (methodHeader === undefined) return mismatch('Mcp-Method is missing')
  if (methodHeader !== method) return mismatch('Mcp-Method differs from the method in the body')
  if (method !== 'tools/call' || typeof params?.name !== 'string') return undefined
  const nameHeader = decodeName(header('mcp-name')?.trim())
  if (nameHeader === undefined) return mismatch('Mcp-Name is missing or not readable')
  return nameHeader === params.name ? undefined : mismatch('Mcp-Name differs from the name in the body')
}

/** Decodes a name. Names that are not plain ASCII are sent as `=?base64?...?=`. */
function decodeName(value: string | undefined): string | undefined {
  const encoded = value && /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  if (encoded === undefined || encoded === '') return value
  return /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64').toString('utf8') : undefined
}
