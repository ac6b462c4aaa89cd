/** A match: where it begins and where it ends, each in one of the texts. */
export interface Match {
  from: Place
  to: Place
}

interface Place {
  text: number
  at: number
}

/** More are not shown. */
export const MOST_MATCHES = 1000

/**
 * Finds what somebody types, whatever its case and its accents, in texts that follow each other; also across where one
 * ends and the next begins.
 */
export function findInTexts(texts: string[], wanted: string): Match[] {
  const sought = folded(wanted.trim())
  if (sought === '') return []
  const all = folded(texts.join(''))
  const place = placer(texts)
  const found: Match[] = []
  for (
    let at = all.indexOf(sought);
    at >= 0 && found.length < MOST_MATCHES;
    at = all.indexOf(sought, at + sought.length)
  ) {
    found.push({ from: place(at), to: place(at + sought.length - 1, 1) })
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

/** As long as the text, code unit for code unit. */
function folded(text: string): string {
  return text.replace(/\s/g, ' ').replace(NOT_PLAIN, (letter) => {
    const plain = letter.normalize('NFD').charAt(0).toLowerCase()
    return plain.length === 1 ? plain : letter
  })
}

/** Whatever has a case or an accent. Hangul falls apart into its letters, which nobody means. */
const NOT_PLAIN = /[A-Z]|(?![\uac00-\ud7a3])[\u00c0-\uffee]/g
