/** Returns a name as names of tags are compared: case, and how an accent is encoded, make no difference. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/**
 * Returns the items whose name matches a typed text: the name itself first, then names that begin with it, then those of
 * which a part does, then those that hold all of its words, each in the given order. Case makes no difference, nor does
 * the width of letters.
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

/** The same for tags, most used first as they are given: every field that takes a tag offers them in this order. */
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
 * Returns a text in lower case and without accents, code unit for code unit: positions in it are positions in the text.
 */
export function foldText(text: string): string {
  return text.replace(NOT_PLAIN, (letter) => {
    const plain = letter.normalize('NFD').charAt(0).toLowerCase()
    return plain.length === 1 ? plain : letter
  })
}

/** Characters that have a case or an accent. Hangul would fall apart into its letters, which nobody means. */
const NOT_PLAIN = /[A-Z]|(?![\uac00-\ud7a3])[\u00c0-\uffee]/g
