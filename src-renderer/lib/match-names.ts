/** Returns the key by which tag names are compared. Case and the encoding of accents make no difference. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/**
 * Returns the items whose name matches a typed text. Equal names come first, then names that begin with the text, names
 * with a part that begins with it, and names that contain all its words; each group in the given order. Case and the
 * width of letters make no difference.
 */
export function matchNames<Named extends { name: string }>(all: Named[], typed: string): Named[] {
  const text = fold(typed.trim())
  if (text === '') return all
  return all
    .map((item) => ({ item, rank: rankOf(fold(item.name), text) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

/** The same for tags, given with the most used first. Every field for tags offers them in this order. */
export function matchTags<Tag extends { name: string }>(tags: Tag[], typed: string): Tag[] {
  return matchNames(tags, tagIn(typed))
}

/** Returns the name of a typed tag, without the `#` that some type before it. */
export function tagIn(typed: string): string {
  return typed.replace(/^[#\s]+/, '').trim()
}

const NO_MATCH = 4

function rankOf(name: string, text: string): number {
  if (!text.split(/\s+/).every((word) => name.includes(word))) return NO_MATCH
  if (name === text) return 0
  if (name.startsWith(text)) return 1
  // `work/client` has parts, and so has `read later`.
  return name.split(/[\s/_.:-]+/).some((part) => part.startsWith(text)) ? 2 : 3
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/**
 * Returns a text in lower case and without accents. Each code unit is replaced by one, so that positions stay the same.
 */
export function foldText(text: string): string {
  return text.replace(NOT_PLAIN, (letter) => {
    const plain = letter.normalize('NFD').charAt(0).toLowerCase()
    return plain.length === 1 ? plain : letter
  })
}

/** Characters that may have a case or an accent. Not Hangul: NFD would reduce a syllable to its first letter. */
const NOT_PLAIN = /[A-Z]|(?![\uac00-\ud7a3])[\u00c0-\uffee]/g
