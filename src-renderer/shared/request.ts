import type { ClientResponse } from 'hono/client'
import { common } from '../strings/common.ts'
import { toMessage } from '../strings/to-message.ts'

/** The service's refusal, in its own words: the message may be shown. */
export class ApiProblem extends Error {
  readonly code: string
  readonly status: number

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Nobody answered. */
export class Unreachable extends Error {
  constructor() {
    super(common.unreachable)
  }
}

type Body<R> = R extends ClientResponse<infer T, number, string> ? T : never

/**
 * Returns the service's answer.
 *
 * @throws {ApiProblem} when it refused, with status 401 where the session has ended
 * @throws {Unreachable} when it did not answer
 */
export async function ask<R extends Response | ClientResponse<unknown, number, string>>(
  call: Promise<R>
): Promise<Body<R>> {
  const response = await call.catch((error: unknown) => {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : new Unreachable()
  })
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as Body<R>
  const answer = (await response.json().catch(() => undefined)) as
    | { error?: { code: string; message: string } }
    | undefined
  throw new ApiProblem(
    response.status,
    answer?.error?.code ?? 'internal',
    toMessage(answer?.error?.message ?? common.unexpected)
  )
}

/** Whether the session has ended, or never was. */
export function endsSession(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401
}
