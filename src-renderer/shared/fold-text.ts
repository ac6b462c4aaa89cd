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
