/** Texts of one record as one description: those that say anything, with an empty line between. */
export function joined(texts: string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n')
}

/** The author as a line of the description: a bookmark has no field for it. */
export function byAuthor(author: string): string {
  return author.trim() === '' ? '' : `By ${author.trim()}`
}
