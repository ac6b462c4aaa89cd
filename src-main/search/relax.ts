import { fullGroups, type Group, heaviest } from './groups.ts'
import { isRun } from './segment.ts'

/** A search that finds fewer than this looks further, and shows at least so many: as many as an agent is shown. */
export const FEW = 5

/** Maximum number of groups that select candidates. The other groups only rank them. */
const MAX_GROUPS = 12

/** Returns the groups by which candidates are looked for: known ones that carry something, the heaviest of them. */
export function decidingGroups(groups: Group[]): Group[] {
  const known = fullGroups(groups).filter((group) => group.held > 0 && !isShortBeginning(group))
  return heaviest(known, MAX_GROUPS)
}

/** Returns whether a group begins with a letter or two: that matches too much to look through, but still ranks. */
function isShortBeginning({ alternatives }: Group): boolean {
  return alternatives.some(
    ({ tokens, prefix }) => prefix && tokens.length === 1 && tokens.some((token) => token.length < 3 && !isRun(token))
  )
}

/** Returns the sets of two and three common groups, and each by itself, the heaviest first. */
export function combineGroups(common: Group[]): Group[][] {
  const weigh = (some: Group[]) => some.reduce((sum, { weight }) => sum + weight, 0)
  const all = common.flatMap((one, at) => [
    [one],
    ...common
      .slice(at + 1)
      .flatMap((two, beside) => [[one, two], ...common.slice(at + beside + 2).map((three) => [one, two, three])])
  ])
  return all.sort((a, b) => weigh(b) - weigh(a))
}

/** Minimum weight of a bookmark after the first few, as a share of the weight of the best. */
const MIN_SHARE_OF_BEST = 0.6

/**
 * Leaves out what holds little of what was said, but never the first few: what is nearest is shown, however little it holds.
 *
 * @param scored best first
 */
export function withoutNoise<Scored extends { share: number }>(scored: Scored[]): Scored[] {
  const best = Math.max(0, ...scored.map(({ share }) => share))
  return scored.filter(({ share }, index) => index < FEW || share >= best * MIN_SHARE_OF_BEST)
}
