/** What a match is judged by. */
export interface Rankable {
  title: string
  tags: string[]
  domain: string | null
  url: string | null
  description: string
}

/** How much a word counts where it stands; what is only in a page's text counts 1. */
const WEIGHT = { title: 10, tags: 8, domain: 5, address: 4, description: 2, elsewhere: 1 } as const

/**
 * How well a bookmark fits the words it was found by: where they stand, how much of the title they are, and whether
 * they stand together. Comparable within one search only.
 *
 * @param words as typed, in lower case
 */
export function rank(bookmark: Rankable, words: string[]): number {
  const title = bookmark.title.toLowerCase()
  const tags = bookmark.tags.map((tag) => tag.toLowerCase())
  const address = (bookmark.url ?? '').toLowerCase()
  const description = bookmark.description.toLowerCase()
  let score = 0
  for (const word of words) {
    if (title.includes(word)) score += WEIGHT.title * share(word, title)
    else if (tags.some((tag) => tag.includes(word))) score += WEIGHT.tags
    else if (bookmark.domain?.includes(word)) score += WEIGHT.domain
    else if (address.includes(word)) score += WEIGHT.address
    else if (description.includes(word)) score += WEIGHT.description
    else score += WEIGHT.elsewhere
  }
  const together = words.join(' ')
  if (words.length > 1 && title.includes(together)) score += 6
  if (title === together) score += 20
  else if (title.startsWith(together)) score += 3
  return score
}

/** A word of a short title says more than one of a long title; a whole word more than a part of one. */
function share(word: string, title: string): number {
  const words = title.split(/\s+/)
  const whole = words.some((one) => one.replace(/^\P{L}+|\P{L}+$/gu, '') === word) ? 1 : 0.7
  return whole * (1 + 4 / (4 + words.length))
}
