import { memoize } from '../../core/memoize.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { contentGroups, createGroups, type Group, groupBit, groupBits } from '../groups.ts'
import { anyOf, createMatch, exclusionExpression, termExpression } from '../match.ts'
import { breakPhrases } from '../query.ts'
import type { ParsedQuery, Term } from '../query-nodes.ts'
import { createRanking } from '../rank.ts'
import { isUnspaced } from '../segment.ts'
import type { Vocabulary } from '../wordings.ts'
import type { FilterPlan } from './filter-plan.ts'
import { countMatches, matchRows, readRankable } from './word-matches.ts'

/** A group that at most this many bookmarks match is rare: all of them become candidates. */
export const MAX_RARE = 1500

/** Maximum number of candidates for each combination of common groups. The newest bookmarks are taken. */
const MAX_NEWEST = 150

/** Maximum number of rows on which filters are checked in one look-up. */
const MAX_CHECKED = 1500

/** Maximum number of candidates whose texts are read. */
const MAX_READ_CANDIDATES = 60

/** Bookmarks that match some of the groups, best first. */
export interface RelaxedMatches {
  ids: number[]
  groups: Group[]
  /** For each bookmark, the groups that it matches as a bit set. */
  matchedBits: Map<number, number>
}

/**
 * Finds bookmarks that match the filters and some of the words, best first.
 *
 * @param findRareRows finds the rows that match an expression, if there are no filters to check on rows
 * @param required full-text expressions that must all match
 * @param asTyped searches no other wordings of the words
 */
export function matchRelaxed(
  db: ReadConnection,
  parsed: ParsedQuery,
  plan: FilterPlan,
  vocabulary: Vocabulary,
  findRareRows: ((expression: string) => number[]) | undefined,
  { typing, required, asTyped }: { typing: boolean; required: string[]; asTyped?: boolean }
): RelaxedMatches {
  const groups = createGroups(parsed, vocabulary, { typing, asTyped })
  const withRequired = (expression: string) => [expression, ...required].map((part) => `(${part})`).join(' AND ')
  const find: Find = (expressions, limit) =>
    matchRows(db, 'bookmark_texts', withRequired(expressions.join(' AND ')), plan, limit, MAX_CHECKED)
  const findRare =
    findRareRows && required.length === 0 ? findRareRows : (expression: string) => find([expression], MAX_RARE)
  const searched = searchedGroups(groups)
  const weightOf = memoize((bits: number) =>
    searched.reduce((sum, group) => sum + (bits & groupBit(groups, group) ? group.weight : 0), 0)
  )
  const likely = [...findCandidates(searched, groups, { find, findRare, weightOf })]
    .map(([id, bits]) => ({ id, bits, weight: weightOf(bits) }))
    .sort((a, b) => b.weight - a.weight || b.id - a.id)
    .slice(0, MAX_READ_CANDIDATES)
  const texts = readRankable(
    db,
    likely.map(({ id }) => id)
  )
  const rank = createRanking(groups, groupBits(groups, searched.filter(isRare)))
  const scored = likely.flatMap(({ id, bits }) => {
    const bookmark = texts.get(id)
    return bookmark ? [{ id, ...rank(bookmark, bits) }] : []
  })
  const ranked = scored.sort((a, b) => b.score - a.score || b.id - a.id)
  return {
    ids: ranked.map(({ id }) => id),
    groups,
    matchedBits: new Map(ranked.map((bookmark) => [bookmark.id, bookmark.matchedBits]))
  }
}

/** Returns the groups with which candidates are searched: groups that some bookmark matches, and no stop words. */
function searchedGroups(groups: Group[]): Group[] {
  return contentGroups(groups).filter((group) => group.matchCount > 0 && !isShortBeginning(group))
}

/** Returns whether a group matches all words with one or two first letters: too many to search, but it still ranks. */
function isShortBeginning({ alternatives }: Group): boolean {
  return alternatives.some(
    ({ tokens, prefix }) =>
      prefix && tokens.length === 1 && tokens.some((token) => token.length < 3 && !isUnspaced(token))
  )
}

/** Returns each common group and each pair of them, those with the highest total weight first. */
function combineGroups(common: Group[]): Group[][] {
  const weightOf = (combination: Group[]) => combination.reduce((sum, { weight }) => sum + weight, 0)
  const all = common.flatMap((group, index) => [[group], ...common.slice(index + 1).map((other) => [group, other])])
  return all.sort((a, b) => weightOf(b) - weightOf(a))
}

function isRare({ matchCount }: Group): boolean {
  return matchCount <= MAX_RARE
}

/** Returns the newest row ids that match all of the expressions. */
type Find = (expressions: string[], limit: number) => number[]

interface CandidateSearch {
  find: Find
  /** Returns the row ids that match the expression of a rare group. */
  findRare: (expression: string) => number[]
  /** Returns the total weight of a bit set of groups. */
  weightOf: (bits: number) => number
}

/**
 * Returns the row ids of candidates, each with the searched groups that it matches as a bit set. When enough candidates
 * are found, groups whose bookmarks cannot weigh more are not searched.
 */
function findCandidates(
  searched: Group[],
  groups: Group[],
  { find, findRare, weightOf }: CandidateSearch
): Map<number, number> {
  const candidates = new Map<number, number>()
  const areEnough = (weight: number) => {
    let heavier = 0
    for (const bits of candidates.values()) if (weightOf(bits) >= weight) heavier += 1
    return heavier >= MAX_READ_CANDIDATES
  }
  const add = (ids: number[], bits: number, onlyExisting = false) => {
    for (const id of ids) {
      const previous = candidates.get(id)
      if (previous !== undefined || !onlyExisting) candidates.set(id, (previous ?? 0) | bits)
    }
  }
  const byWeight = searched.toSorted((a, b) => b.weight - a.weight)
  const rare = byWeight.filter(isRare)
  const common = byWeight.filter((group) => !isRare(group))
  for (const [index, group] of rare.entries()) {
    const rest = [...rare.slice(index), ...common]
    add(findRare(anyOf(group.alternatives)), groupBit(groups, group), areEnough(weightOf(groupBits(groups, rest))))
  }
  const anyRare = anyOf(rare.flatMap(({ alternatives }) => alternatives))
  for (const group of rare.length > 0 ? common : []) {
    add(find([anyRare, anyOf(group.alternatives)], MAX_RARE * rare.length), groupBit(groups, group), true)
  }
  for (const combination of combineGroups(common)) {
    const bits = groupBits(groups, combination)
    if (areEnough(weightOf(bits))) break
    const expressions = combination.map(({ alternatives }) => anyOf(alternatives))
    add(find(expressions, MAX_NEWEST), bits)
  }
  return candidates
}

/** A query without exact matches, in the form in which it is searched next. */
interface RelaxedQuery {
  parsed: ParsedQuery
  /** The phrases whose words are searched instead. */
  broken: string[]
  /** Full-text expressions that every result must still match. */
  required: string[]
}

/** Keeps the phrases if some bookmark has all of them, and replaces the others by their words. */
export function relaxQuery(db: ReadConnection, parsed: ParsedQuery, plan: FilterPlan): RelaxedQuery {
  const hasMatch = (required: string[]) =>
    required.length === 0 || countMatches(db, required.map((part) => `(${part})`).join(' AND '), plan, 1) > 0
  const hasTermMatch = (term: Term) => hasMatch([termExpression(term) ?? '""'])
  const withKnownPhrases = breakPhrases(parsed, hasTermMatch) ?? parsed
  const withoutPhrases = () => breakPhrases(parsed, () => false) ?? parsed
  const relaxed = hasMatch(strictExpressions(withKnownPhrases)) ? withKnownPhrases : withoutPhrases()
  const broken = relaxed.all.flat().flatMap((term) => (term.broken ? term.text : []))
  return { parsed: relaxed, broken, required: strictExpressions(relaxed) }
}

/** Returns the expressions that always must match: phrases, and excluded words. */
export function strictExpressions(parsed: ParsedQuery): string[] {
  const phrases = parsed.all.filter((terms) => terms.some(({ phrase }) => phrase))
  const phraseExpression = createMatch({ ...parsed, all: phrases, excludedTerms: [] }, false)?.texts
  return [phraseExpression, exclusionExpression(parsed)].filter((expression) => expression !== undefined)
}
