/** How much of a text stands around a word, to each side, in UTF-16 code units. */
const AROUND = 200

/** What is looked for in a text: words and "phrases in quotes", without those that `-` excludes. */
export function wordsIn(query: string): string[] {
  return [...query.matchAll(/(-?)(?:"([^"]+)"|([^\s"]+))/g)]
    .filter(([, minus, phrase, word]) => minus === '' && /[\p{L}\p{N}]/u.test(phrase ?? word ?? ''))
    .map(([, , phrase, word]) => phrase?.trim() ?? word ?? '')
}

/**
 * The pieces of a text that hold one of the words, in its order; those that overlap are one.
 *
 * @param pages where the pages of a document begin, from the second on: each piece then says which its first word is on
 */
export function passagesOf(text: string, words: string[], pages: number[] = []): string[] {
  if (words.length === 0) return []
  const pattern = new RegExp(words.map(escaped).join('|'), 'giu')
  const pieces: { from: number; to: number; first: number }[] = []
  for (const { index, 0: match } of text.matchAll(pattern)) {
    const from = Math.max(0, index - AROUND)
    const to = Math.min(text.length, index + match.length + AROUND)
    const last = pieces.at(-1)
    if (last && from <= last.to && to - last.from <= MOST) last.to = to
    else pieces.push({ from: Math.max(from, last?.to ?? 0), to, first: index })
  }
  const pageAt = (at: number) => `Page ${1 + pages.filter((begin) => begin <= at).length}: `
  return pieces.map(({ from, to, first }) => `${pages.length > 0 ? pageAt(first) : ''}${trimmed(text, from, to)}`)
}

/** One piece holds no more, however close together the words stand. */
const MOST = 1200

/** White space in a phrase stands for any. */
function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+')
}

/** Begins and ends with a whole word, and says where it was cut. */
function trimmed(text: string, from: number, to: number): string {
  let piece = text.slice(from, to)
  if (from > 0) piece = `…${piece.replace(/^\S{0,40}\s+/, '')}`
  if (to < text.length) piece = `${piece.replace(/\s+\S{0,40}$/, '')}…`
  return piece.toWellFormed().trim()
}
