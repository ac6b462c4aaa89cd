/** Errors that a person or a client can cause or solve. Every other error is a bug. */
export type ProblemCode =
  | 'conflict'
  | 'data-folder-unusable'
  | 'disk-full'
  | 'expired'
  | 'forbidden'
  | 'invalid'
  | 'library-damaged'
  | 'library-in-use'
  | 'library-missing'
  | 'login-used'
  | 'not-a-library'
  | 'not-found'
  | 'port-taken'
  | 'service-unreachable'
  | 'store-too-new'
  | 'store-too-old'
  | 'taken'
  | 'too-large'
  | 'too-many'
  | 'unauthorized'

/** The JSON of every refusal outside of JSON-RPC. */
export function errorBody(code: string, message: string) {
  return { error: { code, message } }
}

/**
 * A problem that a person can understand and often fix. The message says what happened and what to do. It contains no
 * secret, SQL or stack, so it may leave the process.
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  /** How long to wait before another attempt, in ms, if known. */
  readonly retryAfterMs: number | undefined

  constructor(code: ProblemCode, message: string, retryAfterMs?: number) {
    super(message)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}
