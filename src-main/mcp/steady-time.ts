/** When an answer may leave for the first time, in milliseconds after its call came; then each time twice as late. */
const FIRST_MS = 16

/**
 * Answers 16, 32, 64 ... ms after the call, never in between. What a caller may not see still costs time to pass over,
 * so without this the key of an organization could tell by the clock which words and tags private bookmarks have. The
 * first timer starts before the work, because one that starts after it would end earlier or later with the work.
 *
 * @returns what the work returns; it throws what the work throws, at such a time too
 */
export async function inSteadyTime<T>(work: () => Promise<T>): Promise<T> {
  let done = false
  let next = wait(FIRST_MS)
  const working = work().finally(() => {
    done = true
  })
  working.catch(() => {}) // until it is awaited below
  for (let passed = FIRST_MS; ; passed *= 2) {
    await next
    if (done) return working
    next = wait(passed)
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
