import { percentDecoded } from '../core/address.ts'
import type { Rankable } from './rank.ts'
import { foldWord, queryTokens, spacedWords } from './segment.ts'

/** How much a word tells about a bookmark where it stands. */
const PLACE = { title: 1, tags: 1, description: 0.7, address: 0.5 } as const

/** How much less a word tells of a bookmark that has it elsewhere than in its title or tags. */
const ELSEWHERE = 0.8

/** The power of a word's idf: as measured, 1.5 finds tags better than 1 and 2. */
const SHARPNESS = 1.5

/** Maximum number of words of a bookmark that are looked up, those of its title first. */
const MAX_WORDS = 28

/** A word of a bookmark as the index has it. */
export interface ToldWord {
  token: string
  /** By the best place where it stands, from 0 to 1. */
  place: number
}

/** A word that tells bookmarks apart. */
export interface TellingWord extends ToldWord {
  /** The more, the fewer bookmarks hold it. */
  idf: number
}

/** Returns the words of a bookmark, the most telling places first. */
export function wordsOf({ title, tags, description, url, domain }: Rankable): ToldWord[] {
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
export function idfOf(held: number, all: number): number {
  return Math.log((all + 1) / (held + 0.5))
}

/** A bookmark that may be like another one. */
export interface Candidate {
  bookmark: Rankable
  /** Sums what a tag or a site tells that both have. */
  shared: number
}

/**
 * Returns how like another bookmark one is: what the words tell that both hold, of all that the other's words tell, a
 * long text counting less. Comparable for the same words only.
 */
export function likeness(words: TellingWord[]): (candidate: Candidate) => number {
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

/** Returns the tags of bookmarks that are like one, first those that the most, and the most like it, have. */
export function votedTags(neighbours: Neighbour[]): string[] {
  const votes = new Map<string, number>()
  for (const { score, tags } of neighbours) {
    for (const tag of tags) votes.set(tag, (votes.get(tag) ?? 0) + score ** SHARPNESS)
  }
  return [...votes].sort(([, a], [, b]) => b - a).map(([tag]) => tag)
}
