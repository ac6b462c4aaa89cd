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

/** Bookmarks with a word, a tag or a site are counted up to this number, because a higher count hardly changes the score. */
const MAX_COUNT = 1000

/** Minimum inverse document frequency of a word. Three of four bookmarks contain a word of this value. */
const MIN_IDF = 0.3

/** Maximum number of bookmarks with the same word, tag or site that become candidates. The newest are taken. */
const MAX_NEWEST = 250

/** Maximum number of words that select candidates. */
const MAX_SEARCHED_WORDS = 16

/** Maximum number of candidates whose texts are read. */
const MAX_READ_CANDIDATES = 80

/** A bookmark that is similar to another one. */
export interface Related {
  id: number
  score: number
  bookmark: Rankable
}

/**
 * Finds the bookmarks that are most similar to one, best first: those with the same rare words, tags or site. Frequencies
 * are counted in bookmarks that the caller may see, so that the order reveals nothing about others.
 *
 * @param except the row id of the bookmark itself
 */
export function matchRelated(
  db: ReadConnection,
  caller: Caller,
  bookmark: Rankable,
  { except, most }: { except: number | undefined; most: number }
): Related[] {
  const plan = planPermission(db, caller)
  const all = countVisible(db, caller)
  const idf = (expression: string) => idfOf(countMatches(db, expression, plan, MAX_COUNT), all)
  const words: WeightedWord[] = wordsOf(bookmark)
    .map((word) => ({ ...word, idf: idf(textExpression(word.token)) }))
    .filter((word) => word.idf > MIN_IDF)
    .sort((a, b) => b.idf * b.fieldWeight - a.idf * a.fieldWeight)
    .slice(0, MAX_SEARCHED_WORDS)
  const candidates = new Map<number, number>()
  const sharedWeight = new Map<number, number>()
  const add = (expression: string, weight: number, sums: Map<number, number>[]) => {
    const ids = matchRows(db, 'bookmark_texts', expression, plan, MAX_NEWEST)
    for (const id of ids) for (const sum of sums) sum.set(id, (sum.get(id) ?? 0) + weight)
  }
  for (const { token, idf, fieldWeight } of words) add(textExpression(token), idf * idf * fieldWeight, [candidates])
  for (const token of sharedTokens(db, bookmark)) {
    const tokenIdf = idf(`"${token}"`)
    if (tokenIdf > idfOf(MAX_COUNT, all)) add(`"${token}"`, tokenIdf ** 2 / 2, [candidates, sharedWeight])
  }
  if (except !== undefined) candidates.delete(except)
  const likely = [...candidates].sort(([a, x], [b, y]) => y - x || b - a).slice(0, MAX_READ_CANDIDATES)
  const score = createScorer(words)
  const texts = readRankable(
    db,
    likely.map(([id]) => id)
  )
  return [...texts]
    .map(([id, bookmark]) => ({ id, bookmark, score: score({ bookmark, sharedWeight: sharedWeight.get(id) ?? 0 }) }))
    .sort((a, b) => b.score - a.score || b.id - a.id)
    .slice(0, most)
}

/** Searches a word in all texts except those of pages, which are long and say little about the bookmark. */
function textExpression(token: string): string {
  return `{title tags address description} : ${anyOf([{ tokens: [token] }])}`
}

/** Returns the index's tokens of a bookmark's tags and of its site. */
function sharedTokens(db: ReadConnection, { tags, domain }: Rankable): string[] {
  const names = JSON.stringify(tags.map(foldName))
  const ids = readValues<number>(db, 'SELECT id FROM tags WHERE folded IN (SELECT value FROM json_each(?))', names)
  return [...ids.map(filterToken.tag), ...(domain === null ? [] : [filterToken.site(domain)])]
}

/** The weight of a word in each field of the bookmark itself. */
const FIELD_WEIGHT = { title: 1, tags: 1, description: 0.7, address: 0.5 } as const

/** The weight of a word that a candidate has in its description or address, and not in its title or tags. */
const OTHER_FIELD_WEIGHT = 0.8

/** The exponent of a word's inverse document frequency. In measurements, 1.5 suggested better tags than 1 and 2. */
const IDF_EXPONENT = 1.5

/** Maximum number of words of a bookmark that are looked up, those of its title first. */
const MAX_WORDS = 28

/** A word of a bookmark as a token of the index. */
interface BookmarkWord {
  token: string
  /** The highest weight of the fields that have the word. */
  fieldWeight: number
}

interface WeightedWord extends BookmarkWord {
  /** The inverse document frequency. */
  idf: number
}

/** Returns the words of a bookmark: first those of its title, then of its tags, address and description. */
function wordsOf({ title, tags, description, url, domain }: Rankable): BookmarkWord[] {
  const path = percentDecoded(url ?? '').replace(/^[a-z]+:\/\/[^/]*/i, '')
  const site = (domain ?? '').split('.').slice(0, -1).join(' ')
  const texts = [
    [FIELD_WEIGHT.title, title],
    [FIELD_WEIGHT.tags, tags.join(' ')],
    [FIELD_WEIGHT.address, `${site} ${path.replace(/[_-]/g, ' ')}`],
    [FIELD_WEIGHT.description, description]
  ] as const
  const fieldWeights = new Map<string, number>()
  for (const [fieldWeight, text] of texts) {
    for (const token of queryTokens(text).tokens.map(foldWord)) {
      if (token.length < 2 || /^\d+$/.test(token)) continue
      fieldWeights.set(token, Math.max(fieldWeights.get(token) ?? 0, fieldWeight))
    }
  }
  return [...fieldWeights].map(([token, fieldWeight]) => ({ token, fieldWeight })).slice(0, MAX_WORDS)
}

/** Returns the inverse document frequency of a word that `count` of `all` bookmarks have. */
function idfOf(count: number, all: number): number {
  return Math.log((all + 1) / (count + 0.5))
}

/** A bookmark that may be similar. */
interface Candidate {
  bookmark: Rankable
  /** The weight of the tags and the site that both bookmarks have. */
  sharedWeight: number
}

/**
 * Returns a function for the similarity of a candidate: the sum of the weights of common words, divided by a measure of
 * its length. Scores are only comparable for the same words.
 */
function createScorer(words: WeightedWord[]): (candidate: Candidate) => number {
  return ({ bookmark, sharedWeight }) => {
    const title = `${spacedWords(bookmark.title)}\n${bookmark.tags.map(spacedWords).join('\n')}`
    const rest = `${spacedWords(bookmark.description)}\n${spacedWords(percentDecoded(bookmark.url ?? ''))}`
    let sum = sharedWeight
    for (const { token, fieldWeight, idf } of words) {
      const fieldFactor = title.includes(` ${token} `) ? 1 : rest.includes(` ${token} `) ? OTHER_FIELD_WEIGHT : 0
      sum += idf ** IDF_EXPONENT * fieldWeight * fieldFactor
    }
    return sum / Math.sqrt(12 + (title.length + rest.length) / 7)
  }
}

/** A bookmark that is similar to the one for which tags are suggested. */
export interface Neighbour {
  score: number
  tags: string[]
}

/**
 * Minimum share of the votes for a tag. Of 100 suggestions for 600 tagged bookmarks of a real library, 76 with this share
 * are tags that their owner chose, and 45 without a minimum. The share was chosen on 600 others: 79 and 48.
 */
const MIN_SHARE = 0.4

/** Returns the tags that most of the similar bookmarks have, weighted by similarity, the most frequent first. */
export function votedTags(neighbours: Neighbour[]): string[] {
  const votes = new Map<string, number>()
  let total = 0
  for (const { score, tags } of neighbours) {
    const weight = score ** IDF_EXPONENT
    total += weight
    for (const tag of tags) votes.set(tag, (votes.get(tag) ?? 0) + weight)
  }
  return [...votes]
    .filter(([, weight]) => weight >= MIN_SHARE * total)
    .sort(([, a], [, b]) => b - a)
    .map(([tag]) => tag)
}
