/** Texts of one record as one description: those that say anything, with an empty line between. */
export function joined(texts: string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n')
}
