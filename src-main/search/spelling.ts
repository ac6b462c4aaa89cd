import { editDistance } from '../core/edit-distance.ts'

/** Shorter words have too many neighbours to guess at, in letters. */
const SHORTEST = 4

/** Longer ones are in no list of words, and what is near to them is more than can be looked up, in letters. */
const LONGEST = 40

/** From this length on a word may be wrong in two places, in letters. */
const TWO_MISTAKES = 8

/** Returns whether a word may be misspelled. One with a digit names something, and is never guessed at. */
export function mayBeMistyped(word: string): boolean {
  return word.length >= SHORTEST && word.length <= LONGEST && /^\p{L}+$/u.test(word)
}

export function mayHaveTwoMistakes(word: string): boolean {
  return word.length >= TWO_MISTAKES && mayBeMistyped(word)
}

/**
 * Returns every word that is one letter away: one left out, one too many, one wrong, two swapped. For a word of eight letters
 * some 450, which costs less to look up than any scan of a library's words.
 */
export function oneLetterAway(word: string): string[] {
  const letters = alphabetOf(word)
  const near = new Set<string>()
  for (let at = 0; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    for (const letter of letters) {
      near.add(head + letter + tail)
      if (tail !== '') near.add(head + letter + tail.slice(1))
    }
    if (tail !== '') near.add(head + tail.slice(1))
    if (tail.length > 1) near.add(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2))
  }
  near.delete(word)
  return [...near]
}

/** Returns the letters a mistake may have put or left out; of other scripts only those the word itself has. */
function alphabetOf(word: string): string[] {
  const alphabet = ALPHABETS.find(({ script }) => script.test(word))
  return [...new Set([...(alphabet?.letters ?? ''), ...word])]
}

const ALPHABETS = [
  { script: /^\p{Script=Latin}+$/u, letters: 'abcdefghijklmnopqrstuvwxyz' },
  { script: /^\p{Script=Cyrillic}+$/u, letters: 'абвгдежзиклмнопрстуфхцчшщъыьэюяії' },
  { script: /^\p{Script=Greek}+$/u, letters: 'αβγδεζηθικλμνξοπρσςτυφχψω' }
]

/**
 * Returns parts of a word of which one is right, whichever two letters are wrong: a word two letters away begins with the first
 * or holds one of the others.
 */
export function piecesOf(word: string): { beginning: string; parts: string[] } {
  const third = Math.round(word.length / 3)
  return { beginning: word.slice(0, third), parts: [word.slice(third, -third), word.slice(-third)] }
}

export function isTwoLettersAway(word: string, other: string): boolean {
  return editDistance(word, other, 2) <= 2
}
