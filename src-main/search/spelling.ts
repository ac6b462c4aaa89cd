import { editDistance } from '../core/edit-distance.ts'
import { foldWord, queryTokens } from './segment.ts'
import type { Vocabulary } from './wordings.ts'

/** Minimum length of a word that is corrected, in letters. Shorter words have too many similar words. */
const MIN_LENGTH = 4

/** Maximum length of a word that is corrected, in letters. The word list has no longer words. */
const MAX_LENGTH = 40

/** Minimum length of a word in which two mistakes are corrected, in letters. */
const MIN_LENGTH_FOR_TWO = 8

/** Returns whether a word may be misspelled. Words with digits are names, such as `h264`, and are never corrected. */
export function mayBeMistyped(word: string): boolean {
  return word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && /^\p{L}+$/u.test(word)
}

export function mayHaveTwoMistakes(word: string): boolean {
  return word.length >= MIN_LENGTH_FOR_TWO && mayBeMistyped(word)
}

/**
 * Returns every string that is one mistake away: a letter missing, added or replaced, or two swapped. A word of eight
 * letters has some 450, and looking them up is faster than scanning the library's words.
 */
export function oneLetterAway(word: string): string[] {
  const letters = alphabetOf(word)
  const near = new Set<string>()
  for (let index = 0; index <= word.length; index++) {
    const [head, tail] = [word.slice(0, index), word.slice(index)]
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

/** Returns the alphabet of a word's script, with all characters of the word: tags and sites also have digits and hyphens. */
function alphabetOf(word: string): string[] {
  const letters = word.replace(/\P{L}/gu, '')
  const alphabet = ALPHABETS.find(({ script }) => script.test(letters))
  return [...new Set([...(alphabet?.letters ?? ''), ...word])]
}

const ALPHABETS = [
  { script: /^\p{Script=Latin}+$/u, letters: 'abcdefghijklmnopqrstuvwxyz' },
  { script: /^\p{Script=Cyrillic}+$/u, letters: 'абвгдежзиклмнопрстуфхцчшщъыьэюяії' },
  { script: /^\p{Script=Greek}+$/u, letters: 'αβγδεζηθικλμνξοπρσςτυφχψω' }
]

/**
 * Cuts a word into three pieces. If two letters are wrong, at least one piece is right: the correct word begins with
 * `beginning` or contains one of `parts`.
 */
export function piecesOf(word: string): { beginning: string; parts: string[] } {
  const third = Math.round(word.length / 3)
  return { beginning: word.slice(0, third), parts: [word.slice(third, -third), word.slice(-third)] }
}

export function isTwoLettersAway(word: string, other: string): boolean {
  return editDistance(word, other, 2) <= 2
}

/** The characters of the US keyboard, in the order of the keys. */
const LATIN = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
/** The Russian, Ukrainian, Greek and Hebrew characters on the same keys. */
const OTHER_LAYOUTS = [
  'ёйцукенгшщзхъфывапролджэячсмитьбю',
  "'йцукенгшщзхїфівапролджєячсмитьбю",
  "`;ςερτυθιοπ[]ασδφγηξκλ΄'ζχψωβνμ,.",
  ";/'קראטוןםפ][שדגכעיחלךף,זסבהנמצתץ"
].map((letters) => [...letters])

/**
 * Corrects a query that was typed with the wrong keyboard layout: `ghbdtn` is `привет`. Returns `undefined` unless
 * bookmarks have none of the words as typed, and all of them in the other layout.
 */
export function fixKeyboardLayout(text: string, vocabulary: Vocabulary): string | undefined {
  if (!/^[\p{L}\p{M}\s`[\];',./΄-]+$/u.test(text) || vocabulary.findKnown(wordsOf(text)).length > 0) return undefined
  return retypeInOtherLayouts(text).find((retyped) => {
    const words = wordsOf(retyped)
    return words.some(({ length }) => length >= MIN_LENGTH) && vocabulary.findKnown(words).length === words.length
  })
}

function wordsOf(text: string): string[] {
  return [...new Set(queryTokens(text).tokens.map(foldWord))]
}

/** Returns the texts that the same keys type in the other layouts. */
function retypeInOtherLayouts(text: string): string[] {
  const typed = [...text.toLowerCase()]
  const latin = [...LATIN]
  const retyped = OTHER_LAYOUTS.flatMap((other) => [convert(typed, latin, other), convert(typed, other, latin)])
  return [...new Set(retyped)].filter((other) => other !== typed.join(''))
}

function convert(typed: string[], from: string[], to: string[]): string {
  return typed.map((letter) => to[from.indexOf(letter)] ?? letter).join('')
}
