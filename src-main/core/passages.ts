import { PAGE_START } from '../contract/page-details.ts'

/** Length of the text on each side of a word, in UTF-16 code units. */
const AROUND = 200

/** Maximum length of a passage, in UTF-16 code units. A longer passage is split. */
const MAX_PASSAGE = 1200

/** Returns the words and "phrases in quotes" of a query, without those that `-` excludes. */
export function wordsIn(query: string): string[] {
  return [...query.matchAll(/(-?)(?:"([^"]+)"|([^\s"]+))/g)]
    .filter(([, minus, phrase, word]) => minus === '' && /[\p{L}\p{N}]/u.test(phrase ?? word ?? ''))
    .map(([, , phrase, word]) => phrase?.trim() ?? word ?? '')
}

/**
 * Returns the pieces of a text that contain one of the words, in order. Overlapping pieces are joined.
 * In a document with pages, each piece begins with its page.
 */
export function findPassages(text: string, words: string[]): string[] {
  if (words.length === 0) return []
  const pattern = new RegExp(words.map(escapePattern).join('|'), 'giu')
  const pieces: { from: number; to: number; first: number }[] = []
  for (const { index, 0: match } of text.matchAll(pattern)) {
    const from = Math.max(0, index - AROUND)
    const to = Math.min(text.length, index + match.length + AROUND)
    const last = pieces.at(-1)
    if (last && from <= last.to && to - last.from <= MAX_PASSAGE) last.to = to
    else pieces.push({ from: Math.max(from, last?.to ?? 0), to, first: index })
  }
  const hasPages = text.includes(PAGE_START)
  const pageAt = (offset: number) => `Page ${text.slice(0, offset).split(PAGE_START).length}: `
  return pieces.map(({ from, to, first }) => `${hasPages ? pageAt(first) : ''}${trimToWords(text, from, to)}`)
}

/** White space in a phrase matches any white space. */
function escapePattern(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+')
}

/** Cuts a piece at whole words, with `…` at each cut. */
function trimToWords(text: string, from: number, to: number): string {
  let piece = text.slice(from, to)
  if (from > 0) piece = `…${piece.replace(/^\S{0,40}\s+/, '')}`
  if (to < text.length) piece = `${piece.replace(/\s+\S{0,40}$/, '')}…`
  return piece.toWellFormed().trim()
}
