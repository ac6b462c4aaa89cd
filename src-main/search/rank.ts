import { percentDecoded } from '../core/address.ts'
import type { Group } from './groups.ts'
import type { Column } from './query-nodes.ts'
import { isRun, spacedWords } from './segment.ts'
import type { Alternative } from './wordings.ts'

/** The texts a match is ranked by. */
export interface Rankable {
  title: string
  tags: string[]
  domain: string | null
  url: string | null
  description: string
}

/** How much a word counts where it stands. */
const PLACE = { title: 1, tags: 0.85, domain: 0.75, description: 0.6, address: 0.6 } as const

/** How much it counts where only the index knows it stands: in a text of its own, or its page's. */
const ELSEWHERE = 0.35

/** Up to this many words, the share of weight that is held is squared: each of a few words was chosen, not of a sentence. */
const FEW_WORDS = 6

/** Added where a title is nothing but what was said. */
const WHOLE_TITLE = 0.25

/** The fields of a group that its rank depends on. */
export type RankedGroup = Pick<Group, 'weight' | 'held' | 'alternatives' | 'empty'>

/** How well a bookmark fits, comparable within one search only, and which groups it holds. */
export interface Fit {
  score: number
  /** The groups it holds, as bits by their place. */
  holds: number
}

/**
 * Ranks bookmarks that may each hold only some of what was said: for each group its weight times how well the
 * bookmark's wording stands for it times where it stands, all times the share of weight that is held, squared where
 * little was said.
 *
 * @param certain groups of which it is known which bookmarks hold them, as bits
 * @returns takes a bookmark and the groups that the index says it holds, wherever they stand, as bits; it may hold others
 */
export function createRanking(groups: RankedGroup[], certain = 0): (bookmark: Rankable, known: number) => Fit {
  const looked = groups.map(({ weight, held, alternatives }, index) => ({
    weight: held === 0 ? 0 : weight,
    bit: 1 << index,
    alternatives: alternatives.map(readAlternative).sort((a, b) => b.weight - a.weight)
  }))
  const whole = looked.reduce((sum, { weight }) => sum + weight, 0)
  const power = groups.filter(({ empty }) => !empty).length <= FEW_WORDS ? 2 : 1

  return (bookmark, known) => {
    const textOf = placesOf(bookmark)
    let [sum, held, covered, holds] = [0, 0, 0, 0]
    for (const { weight, bit, alternatives } of looked) {
      if (weight === 0 || (certain & bit & ~known) !== 0) continue
      const { value, letters } = bestOf(alternatives, textOf)
      if (value === 0 && ((known & bit) === 0 || alternatives.every(({ places }) => places !== PLACES))) continue
      holds |= bit
      held += weight
      sum += weight * (value || ELSEWHERE)
      covered += letters
    }
    const share = whole === 0 ? 0 : held / whole
    const ofTitle = Math.min(1, covered / countLetters(textOf('title')))
    return { score: (sum + whole * WHOLE_TITLE * ofTitle) * share ** power, holds }
  }
}

type Place = keyof typeof PLACE
const PLACES = Object.keys(PLACE) as Place[]
/** The places of a word that counts in one column of the index only. */
const PLACES_OF: Record<Column, Place[]> = { title: ['title'], tags: ['tags'], address: ['domain', 'address'] }

/** A bookmark's texts as words are looked for in them, each made when first asked for. */
function placesOf(bookmark: Rankable): (place: Place) => string {
  const made: Partial<Record<Place, string>> = {}
  return (place) => {
    made[place] ??= textAt(place, bookmark)
    return made[place]
  }
}

function textAt(place: Place, { title, tags, domain, url, description }: Rankable): string {
  switch (place) {
    case 'title':
      return spacedWords(title)
    case 'tags':
      return tags.map(spacedWords).join('\n')
    case 'domain':
      return spacedWords(domain ?? '')
    case 'description':
      return spacedWords(description)
    case 'address':
      return spacedWords(percentDecoded(url ?? ''))
  }
}

interface Looked {
  weight: number
  /** Pieces that a text must hold, all of them. */
  parts: string[]
  letters: number
  /** Where it counts. */
  places: Place[]
}

function readAlternative({ tokens, prefix, apart, column, weight }: Alternative): Looked {
  const parts = apart ? tokens.map((token) => ` ${token} `) : [partOf(tokens, prefix)]
  const letters = tokens.reduce((sum, { length }) => sum + length, 0)
  return { weight, parts, letters, places: column ? PLACES_OF[column] : PLACES }
}

function partOf(tokens: string[], prefix: boolean | undefined): string {
  const [only] = tokens
  if (tokens.length === 1 && only !== undefined && isRun(only)) return only
  return ` ${tokens.join(' ')}${prefix ? '' : ' '}`
}

/** The alternative that counts most where it stands; `letters` are those of the title it takes up. */
function bestOf(alternatives: Looked[], textOf: (place: Place) => string): { value: number; letters: number } {
  let value = 0
  let letters = 0
  for (const alternative of alternatives) {
    // The best place is the title, so the rest of the list cannot do better.
    if (alternative.weight <= value) break
    for (const place of alternative.places) {
      const worth = alternative.weight * PLACE[place]
      if (worth <= value) break
      const text = textOf(place)
      if (!alternative.parts.every((part) => text.includes(part))) continue
      value = worth
      letters = place === 'title' ? alternative.letters : 0
      break
    }
  }
  return { value, letters }
}

function countLetters(title: string): number {
  return Math.max(1, title.replaceAll(' ', '').length)
}
