import type { LinkReading } from '../../contract/link-check.ts'
import type { PageReading } from '../../contract/page-details.ts'

/** A site is left alone for so long after each of its pages, and longer when it has too many visitors. */
const REST_MS = 1000
const BUSY_REST_MS = 60_000

/** Nobody reached at so many different sites in a row means that the network is away, not they. */
const SITES_AWAY = 3

/**
 * Knows which sites are to be left alone, and tells sites that are away from a network that is.
 *
 * @param onRested called when a site may be asked again
 */
export function watchSites(now: () => number, onRested: () => void) {
  const resting = new Map<string, number>()
  const away = new Set<string>()

  return {
    /** Takes in what came of asking a site for a page. */
    note(domain: string, reading: PageReading | LinkReading): void {
      const fault = 'fault' in reading ? reading.fault : undefined
      const rest = fault === 'busy' ? BUSY_REST_MS : REST_MS
      resting.set(domain, now() + rest)
      setTimeout(onRested, rest + 1).unref()
      if (fault === 'unreachable') away.add(domain)
      // An address that may not be fetched, or silence, says nothing about the network.
      else if (fault !== 'address' && fault !== 'slow') away.clear()
    },
    resting(): string[] {
      for (const [domain, end] of resting) if (end <= now()) resting.delete(domain)
      return [...resting.keys()]
    },
    networkIsAway: () => away.size >= SITES_AWAY
  }
}
