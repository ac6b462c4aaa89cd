/** A JSON-RPC request id. */
export type Id = string | number

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

export interface RpcError {
  code: (typeof CODE)[keyof typeof CODE]
  message: string
  data?: unknown
}

/** @param result must not hold `undefined` */
export function success(id: Id, result: object): Answer {
  return { status: 200, body: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(result)}}` }
}

/** An id that could not be read is answered as null (JSON-RPC 2.0, section 5). */
export function failure(status: Answer['status'], id: Id | null, error: RpcError): Answer {
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id, error }) }
}
