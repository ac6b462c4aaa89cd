import type { LinkReading } from '../contract/link-check.ts'
import { addressOf } from '../core/address.ts'
import { type Answer, type FetchOptions, fetchGuarded } from './fetch-guarded.ts'
import { ledToWall } from './walls.ts'
import { WebFault } from './web-fault.ts'

/**
 * Asks whether a page is there, by HEAD at first: many servers answer that with an error where GET would do, so only
 * what GET says counts against a link.
 */
export async function checkLink(address: string, options: FetchOptions, signal: AbortSignal): Promise<LinkReading> {
  const ask = (unread: 'HEAD' | 'GET') => fetchGuarded(address, { ...options, unread }, signal)
  try {
    const answer = await ask('HEAD').catch((error) => {
      if (error instanceof WebFault && mayBeTheMethod(error)) return ask('GET')
      throw error
    })
    const wall = ledToWall(address, answer.url)
    return wall ? { fault: wall } : { movedTo: movedTo(address, answer) }
  } catch (error) {
    if (!(error instanceof WebFault)) throw error
    const { link, wait } = error
    return { fault: link, wait }
  }
}

/** The site answered, or broke off; but too many visitors are too many by any method. */
function mayBeTheMethod({ fault, status }: WebFault): boolean {
  return status === undefined ? fault === 'unreadable' : status !== 429
}

/** As far as the redirects, one after the other, say that they are for good. */
function movedTo(asked: string, { redirects }: Answer): string | null {
  const temporary = redirects.findIndex(({ status }) => status !== 301 && status !== 308)
  const lasting = (temporary === -1 ? redirects : redirects.slice(0, temporary)).map(({ to }) => new URL(to))
  const last = lasting.at(-1)
  if (!last) return null
  // RFC 9110, section 10.2.2: a redirect without a fragment keeps the one there was.
  last.hash = lasting.reduce((hash, to) => to.hash || hash, new URL(asked).hash)
  const address = addressOf(last.href)
  return 'fault' in address ? null : address.url
}
