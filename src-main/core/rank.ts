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
  return (isWhole(word, title) ? 1 : 0.7) * (1 + 4 / (4 + lengthOf(title)))
}

function isWhole(word: string, title: string): boolean {
  const at = title.indexOf(word)
  return !isLetter(title.charAt(at - 1)) && !isLetter(title.charAt(at + word.length))
}

function isLetter(unit: string): boolean {
  return unit > '\x7f' ? /[\p{L}\p{N}]/u.test(unit) : /[a-z0-9]/.test(unit)
}

/** About how many words a title has. Where none are written apart, two characters count as one. */
function lengthOf(title: string): number {
  let words = 1
  for (let at = 0; at < title.length; at++) {
    const unit = title.charCodeAt(at)
    if (unit === 0x20) words += 1
    else if (unit > 0x2e7f) words += 0.5
  }
  return words
}
