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

/** Why a text is not the address of a page. */
export interface AddressFault {
  kind: 'spaces' | 'control' | 'several' | 'not-alone' | 'incomplete' | 'no-scheme' | 'not-valid'
  /** The address that was probably meant. */
  meant?: string | undefined
}

/** A value that was refused: the path to its field, with indexes of lists, and the reason. */
export interface FieldFault {
  path: (string | number)[]
  message: string
  address?: AddressFault | undefined
}

/** Details of a problem, from which the dashboard writes a message in the owner's language. */
export interface ProblemValues {
  fields: FieldFault[]
}

/** The JSON of every refusal outside of JSON-RPC. */
export function errorBody(code: string, message: string, values?: ProblemValues) {
  return { error: { code, message, values } }
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
  readonly values: ProblemValues | undefined

  constructor(code: ProblemCode, message: string, retryAfterMs?: number, values?: ProblemValues) {
    super(message)
    this.code = code
    this.retryAfterMs = retryAfterMs
    this.values = values
  }
}

/** Returns one Problem for all values that were refused. */
export function invalidFields(fields: FieldFault[]): Problem {
  const message = fields.map(({ path, message }) => [...path, message].join(': ')).join('; ')
  return new Problem('invalid', message, undefined, { fields })
}
