/** When an answer may leave for the first time, in milliseconds after its call came; then each time twice as late. */
const FIRST_MS = 16

/** How much earlier the clock is watched: a timer ends up to one millisecond late, or more on a busy machine. */
const WATCHED_MS = 2

/**
 * Answers 16, 32, 64 ... ms after the call, never in between. What a caller may not see still costs time to pass over,
 * so without this the key of an organization could tell by the clock which words and tags private bookmarks have. The
 * first timer starts before the work, because one that starts after it would end earlier or later with the work.
 *
 * @returns what the work returns; it throws what the work throws, at such a time too
 */
export async function inSteadyTime<T>(work: () => Promise<T>): Promise<T> {
  let done = false
  const begun = performance.now()
  let next = until(begun + FIRST_MS)
  const working = work().finally(() => {
    done = true
  })
  working.catch(() => {}) // until it is awaited below
  for (let passed = FIRST_MS; ; ) {
    await next
    if (done) return working
    passed *= 2
    next = until(begun + passed)
  }
}

/**
 * Waits until a time of `performance.now()`, to some microseconds. A timer alone ends at whole milliseconds counted from
 * when the event loop went to sleep, which is when the work ended: the fraction would tell.
 */
async function until(time: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now() - WATCHED_MS)))
  while (performance.now() < time) await new Promise((resolve) => setImmediate(resolve))
}
