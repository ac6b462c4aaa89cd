import type { DueLink, LinkFault, LinkReading } from '../../contract/link-check.ts'
import type { Web } from '../../contract/ports.ts'
import type { Ports } from '../ports.ts'

/** Where nobody answered for so long, it may be the network. */
const SILENT_MS = 60_000

/** From these it cannot be told whether the site is away or the network. */
const SILENT: LinkFault[] = ['no-host', 'unreachable', 'slow']

/** Asks links, and tells a site that is away from a network that is. */
export function createNetworkSense(
  { library, web, now }: Ports & { web: Web },
  onError: (error: unknown) => void
): {
  /** `undefined` where it was given up. */
  ask(url: string, signal: AbortSignal): Promise<LinkReading | undefined>
  isAway(link: DueLink, reading: LinkReading, signal: AbortSignal): Promise<boolean>
} {
  let answeredAt = Number.NEGATIVE_INFINITY

  async function ask(url: string, signal: AbortSignal): Promise<LinkReading | undefined> {
    try {
      return await web.checkLink(url, signal)
    } catch (error) {
      if (signal.aborted) return undefined
      onError(error)
      return { fault: 'unreadable' }
    }
  }

  /** Where nobody answers, a link that was well is asked: a site that is gone is no sign, but all of them are. */
  async function isAway({ domain }: DueLink, reading: LinkReading, signal: AbortSignal): Promise<boolean> {
    const fault = 'fault' in reading ? reading.fault : undefined
    if (fault === 'address') return false
    if (fault === undefined || !SILENT.includes(fault)) {
      answeredAt = now()
      return false
    }
    const well = now() - answeredAt < SILENT_MS ? undefined : await library.linkThatAnswered(domain)
    if (well === undefined) return false
    const other = await ask(well, signal)
    if (!other || ('fault' in other && SILENT.includes(other.fault))) return true
    answeredAt = now()
    return false
  }

  return { ask, isAway }
}
