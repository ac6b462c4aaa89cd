/** Requests to the service: the typed client, its errors, and the session that a tab keeps. */
import { t } from '@lingui/core/macro'
import { type ClientResponse, hc } from 'hono/client'
import { SESSION_HEADER } from '../../src-main/contract/endpoint.ts'
import type { errorBody } from '../../src-main/contract/problem.ts'
import type { Api } from '../../src-main/server/api.ts'
import { fieldText, hintText } from '../lib/problem-text.ts'

/** The service that served this page. */
export const api = hc<Api>('/api', { headers: sessionHeaders })

/** The service refused a request. The message is for people. */
export class ApiProblem extends Error {
  readonly code: string
  readonly status: number

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The service did not answer. */
export class Unreachable extends Error {
  constructor() {
    super(t`Earmark does not answer. Is it still running?`)
  }
}

type Body<R> = R extends ClientResponse<infer T, number, string> ? T : never

/**
 * Returns the body of the service's answer.
 *
 * @throws {ApiProblem} if the service refused, with status 401 if the session has ended
 * @throws {Unreachable} if it did not answer
 */
export async function ask<R extends Response | ClientResponse<unknown, number, string>>(
  call: Promise<R>
): Promise<Body<R>> {
  const response = await call.catch((error: unknown) => {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : new Unreachable()
  })
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as Body<R>
  const answer = (await response.json().catch(() => undefined)) as
    | { error?: ReturnType<typeof errorBody>['error'] }
    | undefined
  const { code = 'internal', message = t`Something went wrong that should not have.`, values } = answer?.error ?? {}
  throw new ApiProblem(response.status, code, values?.fields.map(fieldText).join('; ') ?? message)
}

/** Whether the session has ended, or never was. */
export function endsSession(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401
}

export type BookmarksQuery = NonNullable<Parameters<typeof api.bookmarks.$get>[0]>['query']
export type BookmarksPage = Awaited<ReturnType<typeof askBookmarks>>
export type ShownBookmark = BookmarksPage['bookmarks'][number]

/** Returns a page of bookmarks as the service lists them. Times are ISO 8601. */
export async function askBookmarks(query: BookmarksQuery, signal?: AbortSignal) {
  const page = await ask(api.bookmarks.$get({ query }, { init: { signal } }))
  return { ...page, hint: page.hint && hintText(page.hint, page.named ?? []) }
}

/** Records that the web pages of these bookmarks were opened. */
export function noteOpened(ids: string[]): Promise<unknown> {
  return ask(api.bookmarks.openings.$post({ json: { ids } }))
}

/**
 * The storage key of the session's secret, at addresses that share cookies with other programs on this machine, such as
 * 127.0.0.1. At the dashboard's own address, a cookie has the secret.
 */
const SESSION_KEY = 'earmark-session'

/** @param secret the session's secret, or `null` if a cookie has it */
export function keepSession(secret: string | null): void {
  if (secret !== null) sessionStorage.setItem(SESSION_KEY, secret)
}

export function forgetSession(): void {
  sessionStorage.removeItem(SESSION_KEY)
}

/** Returns the header with the session's secret, if no cookie has it. */
export function sessionHeaders(): Record<string, string> {
  const secret = sessionStorage.getItem(SESSION_KEY)
  return secret === null ? {} : { [SESSION_HEADER]: secret }
}

/** Returns an address for an element such as `<img>`. Its request cannot have headers, so the address has the secret. */
export function elementAddress(path: string): string {
  const session = sessionStorage.getItem(SESSION_KEY)
  return session === null ? path : `${path}?${new URLSearchParams({ session })}`
}
