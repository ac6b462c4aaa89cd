import { type Answer, CODE, failure, type Id } from './answer.ts'

/** A JSON-RPC 2.0 request, or a notification where `id` is absent. */
export interface Envelope {
  id?: Id
  method: string
  params?: Record<string, unknown>
}

/** Nothing the endpoint takes is nested deeper; a deeper text is somebody's attack on a parser. */
const DEEPEST = 32

/** Reads a request, or says what is wrong with it. The id is echoed wherever it could be read. */
export function readEnvelope(text: string): { envelope: Envelope } | { refused: Answer } {
  if (tooDeep(text)) return refuse(null, `nested deeper than ${DEEPEST} levels`)
  let message: unknown
  try {
    // RFC 8259, section 8.1: a byte order mark may be ignored.
    message = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch {
    const error = { code: CODE.parse, message: 'Parse error', data: 'the body is not JSON' }
    return { refused: failure(400, null, error) }
  }
  if (Array.isArray(message)) return refuse(null, isOverfull(message) ? TOO_MANY : NO_BATCH)
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

/** More than any client sends at once. */
const MOST_IN_BATCH = 100

const TOO_MANY = `a batch has at most ${MOST_IN_BATCH} messages`
const NO_BATCH = 'a batch is not supported here, send one request at a time'

const isOverfull = (messages: unknown[]) => messages.length > MOST_IN_BATCH

/** The messages of a JSON-RPC batch, each as text; `undefined` where the text is no batch, or one of too many. */
export function batchIn(text: string): string[] | undefined {
  if (!/^\ufeff?\s*\[/.test(text) || tooDeep(text)) return undefined
  try {
    const messages: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (!Array.isArray(messages) || messages.length === 0 || isOverfull(messages)) return undefined
    return messages.map((message) => JSON.stringify(message))
  } catch {
    return undefined
  }
}

/** The answers to a batch's messages, as one. Notifications have none (JSON-RPC 2.0, section 6). */
export function batchAnswer(bodies: (string | null | undefined)[]): string | null {
  const answers = bodies.filter((body) => body !== null && body !== undefined)
  return answers.length === 0 ? null : `[${answers.join(',')}]`
}

/** A number that is echoed as it was sent: what JSON.parse rounds would not match the caller's id. */
function isExact(id: unknown): id is number {
  return typeof id === 'number' && Number.isFinite(id) && (!Number.isInteger(id) || Number.isSafeInteger(id))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse(id: Id | null, data: string): { refused: Answer } {
  return { refused: failure(400, id, { code: CODE.request, message: 'Invalid Request', data }) }
}

/** Counts brackets outside strings, before anything is built from the text. */
function tooDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (quoted) {
      if (unit === BACKSLASH) at++
      else if (unit === QUOTE) quoted = false
    } else if (unit === QUOTE) quoted = true
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      if (++depth > DEEPEST) return true
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--
  }
  return false
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
