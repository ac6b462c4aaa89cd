import { foldWord, queryTokens } from './segment.ts'
import type { Vocabulary } from './wordings.ts'

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
    return words.some(({ length }) => length >= SHORTEST) && vocabulary.known(words).length === words.length
  })
}

/** One word at least is as long, in letters: shorter ones are words by chance. */
const SHORTEST = 4

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
