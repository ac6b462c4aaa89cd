/** Within this time, in milliseconds, a page may be loaded anew this often. */
const WITHIN_MS = 60_000
const TRIES = 3

/**
 * Decides what follows when a page's process is gone: it is loaded anew, three times within a minute; then a person is
 * asked, because a page that dies of what it shows dies again. One that ended by itself is left alone.
 */
export function createCrashes(now: () => number = Date.now): (reason: string) => 'reload' | 'ask' | 'leave' {
  let times: number[] = []
  return (reason) => {
    if (reason === 'clean-exit') return 'leave'
    times = [...times.filter((time) => now() - time < WITHIN_MS), now()]
    return times.length > TRIES ? 'ask' : 'reload'
  }
}
