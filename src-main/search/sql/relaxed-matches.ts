import { memoize } from '../../core/memoize.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { bitOf, bitsOf, fullGroups, type Group, searchGroups } from '../groups.ts'
import { anyOf } from '../match.ts'
import type { ParsedQuery } from '../query-nodes.ts'
import { createRanking } from '../rank.ts'
import { isRun } from '../segment.ts'
import type { Vocabulary } from '../wordings.ts'
import type { FilterPlan } from './filter-plan.ts'
import { matchRows, readRankable } from './word-matches.ts'

/** A group that at most this many bookmarks hold is looked up whole, and every other group beside it. */
export const RARE = 1500

/** Of bookmarks that share only common groups, the newest of each combination. */
const NEWEST = 150

/** Maximum number of rows on which filters are checked in one look-up. */
const MAX_CHECKED = 1500

/** Maximum number of candidates whose texts are read. */
const MAX_READ = 60

/** Bookmarks that hold some of what was said, best first. */
export interface RelaxedMatches {
  ids: number[]
  groups: Group[]
  /** The groups that each bookmark holds, as bits by their place. */
  holds: Map<number, number>
}

/**
 * Finds bookmarks that hold some of what was said, best first. Filters hold for all of them.
 *
 * @param parts full-text expressions that hold for all of them too
 * @param asTyped leaves out other wordings of the words
 */
export function matchRelaxed(
  db: ReadConnection,
  parsed: ParsedQuery,
  plan: FilterPlan,
  vocabulary: Vocabulary,
  rowsOf: ((expression: string) => number[]) | undefined,
  { typing, parts, asTyped }: { typing: boolean; parts: string[]; asTyped?: boolean }
): RelaxedMatches {
  const groups = searchGroups(parsed, vocabulary, { typing, asTyped })
  const strict = (expression: string) => [expression, ...parts].map((part) => `(${part})`).join(' AND ')
  const find: Find = (expressions, most) =>
    matchRows(db, 'bookmark_texts', strict(expressions.join(' AND ')), plan, most, MAX_CHECKED)
  const findRare = (expression: string) => (parts.length > 0 || !rowsOf ? find([expression], RARE) : rowsOf(expression))
  const deciding = decidingGroups(groups)
  const weightOf = memoize((held: number) =>
    deciding.reduce((sum, group) => sum + (held & bitOf(groups, group) ? group.weight : 0), 0)
  )
  const likely = [...findCandidates(deciding, groups, { find, findRare, weightOf })]
    .map(([id, held]) => ({ id, held, weight: weightOf(held) }))
    .sort((a, b) => b.weight - a.weight || b.id - a.id)
    .slice(0, MAX_READ)
  const texts = readRankable(
    db,
    likely.map(({ id }) => id)
  )
  const rank = createRanking(groups, bitsOf(groups, deciding.filter(isRare)))
  const scored = likely.flatMap(({ id, held }) => {
    const bookmark = texts.get(id)
    return bookmark ? [{ id, ...rank(bookmark, held) }] : []
  })
  const kept = scored.sort((a, b) => b.score - a.score || b.id - a.id)
  return { ids: kept.map(({ id }) => id), groups, holds: new Map(kept.map(({ id, holds }) => [id, holds])) }
}

/** Returns the groups by which candidates are looked for: known ones that carry something. */
function decidingGroups(groups: Group[]): Group[] {
  return fullGroups(groups).filter((group) => group.held > 0 && !isShortBeginning(group))
}

/** Returns whether a group begins with a letter or two: that matches too much to look through, but still ranks. */
function isShortBeginning({ alternatives }: Group): boolean {
  return alternatives.some(
    ({ tokens, prefix }) => prefix && tokens.length === 1 && tokens.some((token) => token.length < 3 && !isRun(token))
  )
}

/** Returns the pairs of common groups, and each by itself, the heaviest first. */
function combineGroups(common: Group[]): Group[][] {
  const weigh = (some: Group[]) => some.reduce((sum, { weight }) => sum + weight, 0)
  const all = common.flatMap((one, at) => [[one], ...common.slice(at + 1).map((two) => [one, two])])
  return all.sort((a, b) => weigh(b) - weigh(a))
}

function isRare({ held }: Group): boolean {
  return held <= RARE
}

/** Returns the newest row ids that match all of these expressions. */
type Find = (expressions: string[], most: number) => number[]

interface Finding {
  find: Find
  /** Of an expression that few bookmarks match. */
  findRare: (expression: string) => number[]
  /** The weight of groups as bits. */
  weightOf: (bits: number) => number
}

/**
 * Returns bookmarks that may be meant, with the deciding groups that they hold, as bits. Once as many candidates are
 * found as are read, groups that weigh less than all of these are not looked for.
 */
function findCandidates(
  deciding: Group[],
  groups: Group[],
  { find, findRare, weightOf }: Finding
): Map<number, number> {
  const candidates = new Map<number, number>()
  const areEnough = (weight: number) => {
    let heavier = 0
    for (const bits of candidates.values()) if (weightOf(bits) >= weight) heavier += 1
    return heavier >= MAX_READ
  }
  const add = (ids: number[], bits: number, onlyKnown = false) => {
    for (const id of ids) {
      const known = candidates.get(id)
      if (known !== undefined || !onlyKnown) candidates.set(id, (known ?? 0) | bits)
    }
  }
  const byWeight = deciding.toSorted((a, b) => b.weight - a.weight)
  const rare = byWeight.filter(isRare)
  const common = byWeight.filter((group) => !isRare(group))
  for (const [at, group] of rare.entries()) {
    const rest = [...rare.slice(at), ...common]
    add(findRare(anyOf(group.alternatives)), bitOf(groups, group), areEnough(weightOf(bitsOf(groups, rest))))
  }
  const anyRare = anyOf(rare.flatMap(({ alternatives }) => alternatives))
  for (const group of rare.length > 0 ? common : []) {
    add(find([anyRare, anyOf(group.alternatives)], RARE * rare.length), bitOf(groups, group), true)
  }
  for (const some of combineGroups(common)) {
    const bits = bitsOf(groups, some)
    if (areEnough(weightOf(bits))) break
    add(
      find(
        some.map(({ alternatives }) => anyOf(alternatives)),
        NEWEST
      ),
      bits
    )
  }
  return candidates
}
