import { SESSION_HEADER } from '../../src-main/contract/endpoint.ts'

/**
 * The session of a tab at an address whose cookies other programs on this machine receive too, such as 127.0.0.1: the tab
 * keeps it and says it with each request. At the dashboard's own address, where a cookie has it, this keeps nothing.
 */
const NAME = 'earmark-session'

/** @param secret the session's, or `null` where a cookie has it */
export function keepSession(secret: string | null): void {
  if (secret !== null) sessionStorage.setItem(NAME, secret)
}

export function forgetSession(): void {
  sessionStorage.removeItem(NAME)
}

/** Returns the headers that a call to the service carries beside its cookie. */
export function sessionHeaders(): Record<string, string> {
  const secret = sessionStorage.getItem(NAME)
  return secret === null ? {} : { [SESSION_HEADER]: secret }
}

/** An address of the service for an element of the page, which sends no headers: pictures and live events. */
export function elementAddress(path: string): string {
  const session = sessionStorage.getItem(NAME)
  return session === null ? path : `${path}?${new URLSearchParams({ session })}`
}
