/** Returns a name as names of tags are compared: case, and how an accent is encoded, make no difference. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/**
 * Returns those whose name begins with a text, then those whose name holds it, each in the given order. Case makes no
 * difference, nor does the width of letters.
 *
 * @param holds whether a folded name holds the folded text
 */
export function matchNames<Named extends { name: string }>(
  all: Named[],
  text: string,
  holds = (name: string, wanted: string) => name.includes(wanted)
): Named[] {
  const wanted = fold(text)
  const begins = all.filter(({ name }) => fold(name).startsWith(wanted))
  const others = all.filter(({ name }) => !fold(name).startsWith(wanted) && holds(fold(name), wanted))
  return [...begins, ...others]
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
