/** Wrong keys answered in a row before callers are told to wait, and how many more each second brings. */
const BURST = 50
const PER_SECOND = 10

/**
 * Slows down whoever guesses keys. Only failures draw on it: a valid key always passes, and no address is ever locked
 * out, because every caller here is 127.0.0.1.
 *
 * @returns a function that takes one failure and says how many seconds to wait, 0 when it may be answered
 */
export function createWrongKeyBucket(now: () => number): () => number {
  let tokens = BURST
  let filledAt = now()
  return () => {
    const time = now()
    tokens = Math.min(BURST, tokens + (Math.max(0, time - filledAt) / 1000) * PER_SECOND)
    filledAt = time
    if (tokens < 1) return Math.ceil((1 - tokens) / PER_SECOND)
    tokens -= 1
    return 0
  }
}
