import type { HeaderReader } from '../contract/header-reader.ts'
import { type Answer, CODE, failure, type RpcError } from './answer.ts'
import { type Envelope, isObject } from './envelope.ts'
import { META_VERSION, MODERN_VERSIONS } from './era.ts'

const META_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/**
 * Checks what MCP 2026-07-28 requires of every request: the version and the client's capabilities in `_meta`, and
 * headers that say the same as the body, so that a proxy can route without reading it. A notification needs no headers.
 *
 * @returns the refusal, or `undefined` when all is well
 */
export function checkModern({ id, method, params }: Envelope, header: HeaderReader): Answer | undefined {
  const refuse = (error: RpcError) => failure(400, id ?? null, error)
  const meta = isObject(params?._meta) ? params._meta : {}
  const requested = meta[META_VERSION]
  if (typeof requested !== 'string') return refuse(missing(META_VERSION))

  const version = trimmed(header('mcp-protocol-version'))
  if (version === undefined && id !== undefined) return refuse(mismatch('MCP-Protocol-Version is missing'))
  if (version !== undefined && version !== requested) {
    return refuse(mismatch('MCP-Protocol-Version differs from the version in _meta'))
  }
  if (!MODERN_VERSIONS.includes(requested)) return refuse(unsupported(requested))
  if (!isObject(meta[META_CAPABILITIES])) return refuse(missing(META_CAPABILITIES))
  if (id === undefined) return undefined

  const methodHeader = trimmed(header('mcp-method'))
  if (methodHeader === undefined) return refuse(mismatch('Mcp-Method is missing'))
  if (methodHeader !== method) return refuse(mismatch('Mcp-Method differs from the method in the body'))

  if (method !== 'tools/call' || typeof params?.name !== 'string') return undefined
  const nameHeader = decoded(trimmed(header('mcp-name')))
  if (nameHeader === undefined) return refuse(mismatch('Mcp-Name is missing or not readable'))
  if (nameHeader !== params.name) return refuse(mismatch('Mcp-Name differs from the name in the body'))
  return undefined
}

function missing(key: string): RpcError {
  return { code: CODE.params, message: 'Invalid params', data: `_meta["${key}"] is required` }
}

function mismatch(reason: string): RpcError {
  return { code: CODE.headerMismatch, message: `Header mismatch: ${reason}` }
}

function unsupported(requested: string): RpcError {
  const data = { supported: MODERN_VERSIONS, requested }
  return { code: CODE.unsupportedVersion, message: 'Unsupported protocol version', data }
}

/** Optional white space around a header's value is not part of it (RFC 9110, section 5.5). */
function trimmed(value: string | undefined): string | undefined {
  return value?.trim()
}

/** A name that is no plain ASCII travels as `=?base64?...?=`. */
function decoded(value: string | undefined): string | undefined {
  const encoded = value && /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  if (encoded === undefined || encoded === '') return value
  return /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64').toString('utf8') : undefined
}
