/** Odd, so that it can be undone, and large, so that numbers side by side end far apart. */
const FACTORS = [0x9e3779b1, 0x85ebca6b]

/**
 * Returns a part of the numbers from 1 to `2 ** bits`, in an order that the seed decides: each stands at one place, and
 * the same places hold the same numbers each time.
 *
 * @param from the first place, counted from 0
 */
export function shuffledNumbers(seed: number, bits: number, from: number, count: number): number[] {
  const all = 2 ** bits
  const length = Math.max(0, Math.min(count, all - from))
  return Array.from({ length }, (_, at) => 1 + mix(from + at, seed, bits))
}

/** Returns where the seed's order of 31 bits puts a number: sorted by it, any numbers are shuffled. */
export function shuffledRank(seed: number, number: number): number {
  return mix(number, seed, 31)
}

/** Each step can be undone within these bits, so no two places become the same number. */
function mix(place: number, seed: number, bits: number): number {
  const mask = 2 ** bits - 1
  const half = Math.ceil(bits / 2)
  let number = place
  for (const factor of FACTORS) {
    number = (Math.imul(number, factor) + seed) & mask
    number ^= number >>> half
  }
  return (Math.imul(number, FACTORS[0] ?? 1) + seed) & mask
}
