/** After something failed here, and while the network is away. */
const PAUSE_MS = 30_000

interface Surroundings {
  now: () => number
  onError: (error: unknown) => void
  /** Called when there is room for more. */
  onDone: () => void
}

/**
 * Work on sites' pages, one of a site at a time: what is under way, and a pause after something failed.
 *
 * @param work its signal says that it is given up
 */
export function siteWork<Page extends { domain: string }>(
  work: (page: Page, signal: AbortSignal) => Promise<void>,
  { now, onError, onDone }: Surroundings
) {
  const underWay = new Map<string, Promise<void>>()
  let leaving = new AbortController()
  let pausedUntil = 0

  function pause(): void {
    pausedUntil = now() + PAUSE_MS
  }

  return {
    /** The sites at work. */
    domains: () => [...underWay.keys()],
    begin(page: Page): void {
      const working = work(page, leaving.signal)
        .catch((error) => {
          pause()
          onError(error)
        })
        .finally(() => {
          underWay.delete(page.domain)
          onDone()
        })
      underWay.set(page.domain, working)
    },
    pause,
    isPaused: () => now() < pausedUntil,
    /** Gives up what is under way, which is done anew some time. */
    async giveUp(): Promise<void> {
      leaving.abort()
      leaving = new AbortController()
      await Promise.all(underWay.values())
    }
  }
}
