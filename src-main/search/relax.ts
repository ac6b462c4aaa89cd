import { fullGroups, type Group, heaviest } from './groups.ts'
import { isRun } from './segment.ts'

/** Of what was said, this many groups decide which bookmarks are looked at; the rest only rank them. */
const MOST_GROUPS = 7

/** Combinations of common groups that are tried, the heaviest first. */
const MOST_COMBINATIONS = 40

/** Below this share of the weight of the known groups, a bookmark is noise. */
const LEAST_SHARE = 0.5

/** Where no bookmark reaches that: at least this share, and this much of what the best one holds. */
const LEAST_SHARE_AT_ALL = 0.25
const LEAST_OF_BEST = 0.8

/** Returns the groups by which candidates are looked for: known ones that carry something, the heaviest of them. */
export function decidingGroups(groups: Group[]): Group[] {
  const known = fullGroups(groups).filter((group) => group.held > 0 && !isShortBeginning(group))
  return heaviest(known, MOST_GROUPS)
}

/** Returns whether a group begins with a letter or two: that matches too much to look through, but still ranks. */
function isShortBeginning({ alternatives }: Group): boolean {
  return alternatives.some(({ tokens, prefix }) => prefix && tokens.some((token) => token.length < 3 && !isRun(token)))
}

/**
 * Returns sets of two or more common groups, the heaviest first, as long as they weigh enough.
 *
 * @param deciding all groups by which candidates are looked for
 */
export function combineGroups(common: Group[], deciding: Group[]): Group[][] {
  const weigh = (some: Group[]) => some.reduce((sum, { weight }) => sum + weight, 0)
  const least = weigh(deciding) * LEAST_SHARE_AT_ALL
  const fewest = deciding.length === 1 ? 1 : 2
  const all: Group[][] = []
  for (let bits = 1; bits < 1 << common.length; bits++) {
    const some = common.filter((_, index) => bits & (1 << index))
    if (some.length >= fewest && weigh(some) >= least) all.push(some)
  }
  return all.sort((a, b) => weigh(b) - weigh(a)).slice(0, MOST_COMBINATIONS)
}

/**
 * Leaves out bookmarks that hold too little of what was said.
 *
 * @param deciding bits of the known groups, of which more than half is enough, however common they are
 */
export function withoutNoise<Scored extends { share: number; holds: number }>(
  scored: Scored[],
  deciding: number
): Scored[] {
  const best = Math.max(0, ...scored.map(({ share }) => share))
  const least = Math.max(LEAST_SHARE_AT_ALL, Math.min(LEAST_SHARE, best * LEAST_OF_BEST))
  return scored.filter(({ share, holds }) => share >= least || countBits(holds & deciding) * 2 > countBits(deciding))
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
