import { foldText } from '../../../lib/match-names.ts'

/** A match: where it begins and where it ends, each in one of the texts. */
export interface Match {
  from: Place
  to: Place
}

interface Place {
  text: number
  at: number
}

/** Maximum number of matches that are shown. */
export const MAX_MATCHES = 1000

/**
 * Finds what somebody types, whatever its case and its accents, in texts that follow each other; also across where one
 * ends and the next begins.
 */
export function findInTexts(texts: string[], wanted: string): Match[] {
  const folded = fold(wanted.trim())
  if (folded === '') return []
  const all = fold(texts.join(''))
  const place = placer(texts)
  const found: Match[] = []
  for (
    let at = all.indexOf(folded);
    at >= 0 && found.length < MAX_MATCHES;
    at = all.indexOf(folded, at + folded.length)
  ) {
    found.push({ from: place(at), to: place(at + folded.length - 1, 1) })
  }
  return found
}

/** Asked for places one after the other. */
function placer(texts: string[]): (at: number, after?: number) => Place {
  let text = 0
  let start = 0
  return (at, after = 0) => {
    while (at >= start + (texts[text]?.length ?? Number.POSITIVE_INFINITY)) start += texts[text++]?.length ?? 0
    return { text, at: at - start + after }
  }
}

/** Folds a text whose line ends and other white space count as spaces. */
function fold(text: string): string {
  return foldText(text.replace(/\s/g, ' '))
}
