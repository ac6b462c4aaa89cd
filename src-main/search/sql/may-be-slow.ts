/**
 * Says which searches may take longer than a turn of the event loop should: SQLite cannot be interrupted, so these run
 * on the reading thread. What bounds a search's cost is the rarest thing it asks for: an intersection is walked from
 * there. A single word stops at the page, however common.
 */
import type { BookmarkQuery } from '../../contract/bookmark.ts'
import type { Match } from '../match.ts'
import { foldWord } from '../segment.ts'
import type { CommonWords } from './common-words.ts'
import type { FilterPlan } from './filters.ts'

/** A filter that lets no more than this through bounds a search by itself. */
const FEW = 1500

/** Pages beyond this many bookmarks are rarely asked for, and cost by their depth. */
const DEEP = 500

export function listMayBeSlow(plan: FilterPlan, { page, limit }: BookmarkQuery): boolean {
  return page * limit > DEEP || (plan.count > 1 && plan.narrowest > FEW)
}

export function matchMayBeSlow(
  { groups, excludes, titles }: Match,
  plan: FilterPlan,
  { page, limit }: BookmarkQuery,
  common: CommonWords | undefined
): boolean {
  if (page * limit > DEEP) return true
  if (plan.narrowest <= FEW) return false
  const isRare = (token: string) => common?.tokens.has(foldWord(token)) === false
  if (groups.some((group) => group.every((term) => !term.prefix && term.tokens.some(isRare)))) return false
  const [only = [], more] = groups
  const stopsEarly = !more && !only.some((term) => term.prefix) && titles !== undefined && !excludes && plan.count === 0
  return !stopsEarly
}

/** Every word is in many bookmarks. */
export function isCommon({ groups }: Match, common: CommonWords | undefined): boolean {
  const many = (token: string) => common?.tokens.has(foldWord(token)) === true
  return groups.every((group) => group.some((term) => term.prefix || term.tokens.every(many)))
}
