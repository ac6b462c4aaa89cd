/** How often, or on what, a property is tried: `npm run test:all -- full` tries the long form. */
export function runs<Short, Full>(short: Short, full: Full): Short | Full {
  return process.env.EARMARK_TEST_FULL ? full : short
}

/** A source of numbers from 0 up to 1 (mulberry32), which are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
