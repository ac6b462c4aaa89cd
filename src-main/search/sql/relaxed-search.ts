import { type Group, heaviest, searchGroups, type Vocabulary } from '../groups.ts'
import { anyOf, exceptOf, matchOf } from '../match.ts'
import type { ParsedQuery } from '../query.ts'
import { rankRelaxed } from '../rank-relaxed.ts'
import { isRun } from '../segment.ts'
import type { FilterPlan } from './filter-plan.ts'
import type { RankedRows } from './ranked-rows.ts'

/** Finds the newest row ids that a full-text expression and the filters let through. */
export type Matching = (
  table: 'bookmark_texts' | 'bookmark_titles',
  expression: string,
  plan: FilterPlan,
  limit: number
) => number[]

/** Of what was said, so many things decide what is looked at; the rest only ranks it. */
const MOST_SAID = 7

/** What so few bookmarks hold is looked up whole, and everything else about them with it. */
const RARE = 1500

/** Of bookmarks that share only usual words, the newest of each combination. */
const NEWEST = 150

/** Combinations of usual words that are tried, the most telling first. */
const MOST_COMBINATIONS = 40

/** Candidates whose texts are read. */
const MOST_READ = 60

/** Below this share of what the known words tell, a bookmark is noise. */
const LEAST_SHARE = 0.5

/** Where none reaches that: at least this share, and this much of what the best one holds. */
const LEAST_SHARE_AT_ALL = 0.25
const LEAST_OF_BEST = 0.8

/** Bookmarks that hold some of what was said, best first. */
export interface RelaxedMatches {
  ids: number[]
  groups: Group[]
  /** What each holds of the groups, as bits by their place. */
  holds: Map<number, number>
}

/** Finds bookmarks that hold most of what was said; phrases, words to leave out and filters hold for all of them. */
export function relaxedSearch(
  matching: Matching,
  rows: RankedRows,
  parsed: ParsedQuery,
  plan: FilterPlan,
  vocabulary: Vocabulary,
  typing: boolean
): RelaxedMatches {
  const groups = searchGroups(parsed, vocabulary, typing)
  const strict = strictOf(parsed)
  const find = (expressions: string[], most: number) =>
    matching('bookmark_texts', strict(expressions.join(' AND ')), plan, most)
  const said = telling(groups)
  const bits = candidatesOf(said, groups, find)
  const weightOf = (held: number) =>
    said.reduce((sum, group) => sum + (held & bitOf(groups, group) ? group.weight : 0), 0)
  const likely = [...bits]
    .map(([id, held]) => ({ id, held, weight: weightOf(held) }))
    .sort((a, b) => b.weight - a.weight || b.id - a.id)
    .slice(0, MOST_READ)
  const texts = rows.texts(likely.map(({ id }) => id))
  const rank = rankRelaxed(groups)
  const scored = likely.flatMap(({ id, held }) => {
    const bookmark = texts.get(id)
    return bookmark ? [{ id, ...rank(bookmark, held) }] : []
  })
  const kept = worthShowing(
    scored,
    said.reduce((sum, group) => sum | bitOf(groups, group), 0)
  )
  return {
    ids: kept.sort((a, b) => b.score - a.score || b.id - a.id).map(({ id }) => id),
    groups,
    holds: new Map(kept.map(({ id, holds }) => [id, holds]))
  }
}

function telling(groups: Group[]): Group[] {
  const full = groups.filter(({ empty }) => !empty)
  const known = (full.length > 0 ? full : groups).filter((group) => group.held > 0 && !isShortBeginning(group))
  return heaviest(known, MOST_SAID)
}

/** What begins with a letter or two is too much to look through; it still ranks what other words find. */
function isShortBeginning({ alternatives }: Group): boolean {
  return alternatives.some(({ tokens, prefix }) => prefix && tokens.some((token) => token.length < 3 && !isRun(token)))
}

function bitOf(groups: Group[], group: Group): number {
  return 1 << groups.indexOf(group)
}

type Find = (expressions: string[], most: number) => number[]

/** Bookmarks that may be meant, and which groups they hold. */
function candidatesOf(said: Group[], groups: Group[], find: Find): Map<number, number> {
  const bits = new Map<number, number>()
  const note = (ids: number[], bit: number) => {
    for (const id of ids) bits.set(id, (bits.get(id) ?? 0) | bit)
  }
  const rare = said.filter(({ held }) => held <= RARE)
  const common = said.filter(({ held }) => held > RARE)
  for (const group of rare) note(find([anyOf(group.alternatives)], RARE), bitOf(groups, group))
  if (rare.length > 0) {
    const anyRare = anyOf(rare.flatMap(({ alternatives }) => alternatives))
    for (const group of common) {
      note(find([anyRare, anyOf(group.alternatives)], RARE * rare.length), bitOf(groups, group))
    }
  }
  for (const some of combinations(common, said)) {
    const bit = some.reduce((sum, group) => sum | bitOf(groups, group), 0)
    note(
      find(
        some.map(({ alternatives }) => anyOf(alternatives)),
        NEWEST
      ),
      bit
    )
  }
  return bits
}

/** Two or more of the usual groups together, the most telling first, as long as they may tell enough. */
function combinations(common: Group[], said: Group[]): Group[][] {
  const weigh = (some: Group[]) => some.reduce((sum, { weight }) => sum + weight, 0)
  const least = weigh(said) * LEAST_SHARE_AT_ALL
  const fewest = said.length === 1 ? 1 : 2
  const all: Group[][] = []
  for (let bits = 1; bits < 1 << common.length; bits++) {
    const some = common.filter((_, index) => bits & (1 << index))
    if (some.length >= fewest && weigh(some) >= least) all.push(some)
  }
  return all.sort((a, b) => weigh(b) - weigh(a)).slice(0, MOST_COMBINATIONS)
}

/** Adds what is never loosened to an expression. */
function strictOf(parsed: ParsedQuery): (expression: string) => string {
  const phrases = parsed.all.filter((terms) => terms.some(({ phrase }) => phrase))
  const held = matchOf({ ...parsed, all: phrases, none: [] }, false)?.texts
  const except = exceptOf(parsed)
  return (expression) =>
    [expression, held, except]
      .filter((part) => part !== undefined)
      .map((part) => `(${part})`)
      .join(' AND ')
}

interface Scored {
  id: number
  score: number
  share: number
  holds: number
}

/** @param mask what was said that is known, of which more than half is enough, however usual it is */
function worthShowing(scored: Scored[], mask: number): Scored[] {
  const best = Math.max(0, ...scored.map(({ share }) => share))
  const least = Math.max(LEAST_SHARE_AT_ALL, Math.min(LEAST_SHARE, best * LEAST_OF_BEST))
  return scored.filter(({ share, holds }) => share >= least || bitsIn(holds & mask) * 2 > bitsIn(mask))
}

function bitsIn(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
