import { type Envelope, isObject } from './envelope.ts'

/** Revisions whose clients begin with `initialize`, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
/** Revisions without a handshake, newest first. */
export const MODERN_VERSIONS = ['2026-07-28']

export const META_VERSION = 'io.modelcontextprotocol/protocolVersion'

/** The kind of client: a plain JSON-RPC caller, a client of an MCP revision with a handshake, or of one without. */
export type Era = 'plain' | 'legacy' | 'modern'

/** The HTTP status of failures: a client of MCP reads the body, and some take any other status for a lost connection. */
export const STATUS = {
  plain: { params: 400, method: 404, internal: 500 },
  legacy: { params: 200, method: 200, internal: 200 },
  modern: { params: 200, method: 404, internal: 200 }
} as const satisfies Record<Era, Record<'params' | 'method' | 'internal', number>>

/** The revision that requires servers to take JSON-RPC batches; the next one took them away. */
const BATCHES_SINCE = '2025-03-26'

/**
 * Whether a client may send batches. Clients of 2025-03-26 have no header for their version, but must accept both types.
 * Nothing else depends on `Accept`: many plain callers send it too, and their errors keep their form.
 */
export function mayBatch(versionHeader: string | undefined, accept: string | undefined): boolean {
  if (versionHeader !== undefined) return versionHeader === BATCHES_SINCE
  return accept?.includes('application/json') === true && accept.includes('text/event-stream')
}

/** @param versionHeader the `MCP-Protocol-Version` header */
export function eraOf(envelope: Envelope, versionHeader: string | undefined): Era {
  const meta = envelope.params?._meta
  if (isObject(meta) && meta[META_VERSION] !== undefined) return 'modern'
  if (versionHeader !== undefined) return MODERN_VERSIONS.includes(versionHeader) ? 'modern' : 'legacy'
  // Gemini CLI agrees on 2025-06-18 and then sends no header, but a progress token.
  if (isObject(meta)) return 'legacy'
  // `initialize` is sent before a version is agreed on, so without the header.
  return envelope.method === 'initialize' && envelope.params?.protocolVersion !== undefined ? 'legacy' : 'plain'
}
