import type { Caller } from '../../contract/caller.ts'
import { percentDecoded } from '../../core/address.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readValues } from '../../database/sql.ts'
import { filterToken } from '../filter-tokens.ts'
import { anyOf } from '../match.ts'
import type { Rankable } from '../rank.ts'
import { foldWord, queryTokens, spacedWords } from '../segment.ts'
import { countVisible, planPermission } from './filter-plan.ts'
import { countMatches, matchRows, readRankable } from './word-matches.ts'

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

/** How much a word tells about a bookmark where it stands. */
const PLACE = { title: 1, tags: 1, description: 0.7, address: 0.5 } as const

/** How much less a word tells of a bookmark that has it elsewhere than in its title or tags. */
const ELSEWHERE = 0.8

/** The power of a word's idf: as measured, 1.5 finds tags better than 1 and 2. */
const SHARPNESS = 1.5

/** Maximum number of words of a bookmark that are looked up, those of its title first. */
const MAX_WORDS = 28

/** A word of a bookmark as the index has it. */
interface ToldWord {
  token: string
  /** By the best place where it stands, from 0 to 1. */
  place: number
}

/** A word that tells bookmarks apart. */
interface TellingWord extends ToldWord {
  /** The more, the fewer bookmarks hold it. */
  idf: number
}

/** Returns the words of a bookmark, the most telling places first. */
function wordsOf({ title, tags, description, url, domain }: Rankable): ToldWord[] {
  const path = percentDecoded(url ?? '').replace(/^[a-z]+:\/\/[^/]*/i, '')
  const site = (domain ?? '').split('.').slice(0, -1).join(' ')
  const texts = [
    [PLACE.title, title],
    [PLACE.tags, tags.join(' ')],
    [PLACE.address, `${site} ${path.replace(/[_-]/g, ' ')}`],
    [PLACE.description, description]
  ] as const
  const places = new Map<string, number>()
  for (const [place, text] of texts) {
    for (const token of queryTokens(text).tokens.map(foldWord)) {
      if (token.length > 1 && !/^\d+$/.test(token)) places.set(token, Math.max(places.get(token) ?? 0, place))
    }
  }
  return [...places].map(([token, place]) => ({ token, place })).slice(0, MAX_WORDS)
}

/** Returns how much a word tells that `held` of `all` bookmarks hold. */
function idfOf(held: number, all: number): number {
  return Math.log((all + 1) / (held + 0.5))
}

/** A bookmark that may be like another one. */
interface Candidate {
  bookmark: Rankable
  /** Sums what a tag or a site tells that both have. */
  shared: number
}

/**
 * Returns how like another bookmark one is: what the words tell that both hold, of all that the other's words tell, a
 * long text counting less. Comparable for the same words only.
 */
function likeness(words: TellingWord[]): (candidate: Candidate) => number {
  return ({ bookmark, shared }) => {
    const title = `${spacedWords(bookmark.title)}\n${bookmark.tags.map(spacedWords).join('\n')}`
    const rest = `${spacedWords(bookmark.description)}\n${spacedWords(percentDecoded(bookmark.url ?? ''))}`
    let sum = shared
    for (const { token, place, idf } of words) {
      const stands = title.includes(` ${token} `) ? 1 : rest.includes(` ${token} `) ? ELSEWHERE : 0
      sum += idf ** SHARPNESS * place * stands
    }
    return sum / Math.sqrt(12 + (title.length + rest.length) / 7)
  }
}

/** A bookmark that is like the one that tags are suggested for. */
export interface Neighbour {
  score: number
  tags: string[]
}

/**
 * Minimum share of the votes for a tag. Of 100 suggestions for 600 tagged bookmarks of a real library, 76 with this share
 * are tags that their owner chose, and 45 without a minimum. The share was chosen on 600 others: 79 and 48.
 */
const MIN_SHARE = 0.4

/** Returns the tags that most of the similar bookmarks have, weighted by their similarity, the likeliest first. */
export function votedTags(neighbours: Neighbour[]): string[] {
  const votes = new Map<string, number>()
  let total = 0
  for (const { score, tags } of neighbours) {
    const weight = score ** SHARPNESS
    total += weight
    for (const tag of tags) votes.set(tag, (votes.get(tag) ?? 0) + weight)
  }
  return [...votes]
    .filter(([, weight]) => weight >= MIN_SHARE * total)
    .sort(([, a], [, b]) => b - a)
    .map(([tag]) => tag)
}
