import type { Caller } from '../../contract/caller.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readValues } from '../../database/sql.ts'
import { filterToken } from '../filter-tokens.ts'
import { anyOf } from '../match.ts'
import type { Rankable } from '../rank.ts'
import { idfOf, likeness, type TellingWord, wordsOf } from '../related.ts'
import { countVisible, planPermission } from './filter-plan.ts'
import { readRankable } from './ranked-rows.ts'
import { countMatches, matchRows } from './word-matches.ts'

/** Bookmarks with a word, a tag or a site are counted up to this number, because more distinguish little. */
const MAX_COUNT = 1000

/** Minimum inverse document frequency of a word. Three of four bookmarks contain a word of this value. */
const MIN_IDF = 0.3

/** The newest bookmarks that have a word, a tag or the site. */
const NEWEST = 250

/** Maximum number of words that select candidates. */
const MAX_SEARCHED_WORDS = 16

/** Maximum number of candidates whose texts are read. */
const MAX_READ = 80

/** A bookmark that is like another one, with how much. */
export interface Related {
  id: number
  score: number
  bookmark: Rankable
}

/**
 * Finds the bookmarks that are most like one, by telling words, tags and the site they share, best first. What words, tags
 * and sites tell is counted on what the caller may see, so that nothing else shows in the order.
 *
 * @param except the row id of the bookmark itself
 */
export function matchRelated(
  db: ReadConnection,
  caller: Caller,
  one: Rankable,
  { except, most }: { except: number | undefined; most: number }
): Related[] {
  const plan = planPermission(db, caller)
  const all = countVisible(db, caller)
  const idf = (expression: string) => idfOf(countMatches(db, expression, plan, MAX_COUNT), all)
  const words: TellingWord[] = wordsOf(one)
    .map((word) => ({ ...word, idf: idf(inText(word.token)) }))
    .filter((word) => word.idf > MIN_IDF)
    .sort((a, b) => b.idf * b.place - a.idf * a.place)
    .slice(0, MAX_SEARCHED_WORDS)
  const candidates = new Map<number, number>()
  const shared = new Map<number, number>()
  const add = (expression: string, weight: number, sums: Map<number, number>[]) => {
    const ids = matchRows(db, 'bookmark_texts', expression, plan, NEWEST)
    for (const id of ids) for (const known of sums) known.set(id, (known.get(id) ?? 0) + weight)
  }
  for (const { token, idf, place } of words) add(inText(token), idf * idf * place, [candidates])
  for (const token of sharedTokens(db, one)) {
    const told = idf(`"${token}"`)
    if (told > idfOf(MAX_COUNT, all)) add(`"${token}"`, told ** 2 / 2, [candidates, shared])
  }
  if (except !== undefined) candidates.delete(except)
  const likely = [...candidates].sort(([a, x], [b, y]) => y - x || b - a).slice(0, MAX_READ)
  const like = likeness(words)
  const texts = readRankable(
    db,
    likely.map(([id]) => id)
  )
  return [...texts]
    .map(([id, bookmark]) => ({ id, bookmark, score: like({ bookmark, shared: shared.get(id) ?? 0 }) }))
    .sort((a, b) => b.score - a.score || b.id - a.id)
    .slice(0, most)
}

/** Not in pages' texts: what strangers wrote there says little about what a bookmark is. */
function inText(token: string): string {
  return `{title tags address description} : ${anyOf([{ tokens: [token] }])}`
}

/** Returns the index's tokens of a bookmark's tags and of its site. */
function sharedTokens(db: ReadConnection, { tags, domain }: Rankable): string[] {
  const names = JSON.stringify(tags.map(foldName))
  const ids = readValues<number>(db, 'SELECT id FROM tags WHERE folded IN (SELECT value FROM json_each(?))', names)
  return [...ids.map(filterToken.tag), ...(domain === null ? [] : [filterToken.site(domain)])]
}
