import { editDistance } from '../core/edit-distance.ts'
import { foldWord, queryTokens } from './segment.ts'
import type { Vocabulary } from './wordings.ts'

/** Shorter words have too many similar words to guess from, and appear by chance. In letters. */
const MIN_LENGTH = 4

/** Longer words are not in the list of words, and have too many similar words to look up. In letters. */
const MAX_LENGTH = 40

/** Words of this length may have two mistakes. In letters. */
const MIN_LENGTH_FOR_TWO = 8

/** Returns whether a word may be misspelled. One with a digit names something, and is never guessed at. */
export function mayBeMistyped(word: string): boolean {
  return word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && /^\p{L}+$/u.test(word)
}

export function mayHaveTwoMistakes(word: string): boolean {
  return word.length >= MIN_LENGTH_FOR_TWO && mayBeMistyped(word)
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

/**
 * Returns the letters a mistake may have put or left out; of other scripts only those the word itself has. The names of tags
 * and sites have hyphens and digits too.
 */
function alphabetOf(word: string): string[] {
  const ownLetters = word.replace(/\P{L}/gu, '')
  const alphabet = ALPHABETS.find(({ script }) => script.test(ownLetters))
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

/** The letters of keyboards in the order of their keys, as `LATIN` has them. */
const LATIN = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
const OTHERS = [
  'ёйцукенгшщзхъфывапролджэячсмитьбю',
  "'йцукенгшщзхїфівапролджєячсмитьбю",
  "`;ςερτυθιοπ[]ασδφγηξκλ΄'ζχψωβνμ,.",
  ";/'קראטוןםפ][שדגכעיחלךף,זסבהנמצתץ"
].map((letters) => [...letters])

/**
 * Returns what was meant by words of which no bookmark holds one, where bookmarks hold all of them once they are typed
 * with another keyboard layout.
 */
export function meantByKeys(text: string, vocabulary: Vocabulary): string | undefined {
  if (!/^[\p{L}\p{M}\s`[\];',./΄-]+$/u.test(text) || vocabulary.known(wordsOf(text)).length > 0) return undefined
  return otherLayouts(text).find((reading) => {
    const words = wordsOf(reading)
    return words.some(({ length }) => length >= MIN_LENGTH) && vocabulary.known(words).length === words.length
  })
}

function wordsOf(text: string): string[] {
  return [...new Set(queryTokens(text).tokens.map(foldWord))]
}

/**
 * Returns what a text says that was typed with the keyboard set to another script: Russian, Ukrainian, Greek or Hebrew
 * for Latin letters, or the other way round.
 */
function otherLayouts(text: string): string[] {
  const typed = [...text.toLowerCase()]
  const readings = OTHERS.flatMap((other) => [convert(typed, [...LATIN], other), convert(typed, other, [...LATIN])])
  return [...new Set(readings)].filter((reading) => reading !== typed.join(''))
}

function convert(typed: string[], from: string[], to: string[]): string {
  return typed.map((letter) => to[from.indexOf(letter)] ?? letter).join('')
}
