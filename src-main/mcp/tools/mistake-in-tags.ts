/** Why tags find nothing as they are written, and how to write them; `undefined` where nothing speaks against them. */
export function mistakeInTags(tags: string | string[]): string | undefined {
  const hashed = [tags].flat().find((tag) => tag.trim().startsWith('#'))
  // No tag begins with #: it is taken off when one is saved.
  if (hashed !== undefined) {
    const bare = hashed.trim().replace(/^[#\s]+/, '')
    return bare === ''
      ? 'tags: a tag has letters or digits'
      : `tags: tags are named without #: send ${JSON.stringify(bare)}`
  }
  if (typeof tags !== 'string' || !tags.includes(',')) return undefined
  const several = tags.split(',').map((tag) => tag.trim())
  const list = JSON.stringify(several.filter((tag) => tag !== ''))
  return `tags: several tags in one string: send a list, ${list}; a tag that has a comma is a list of one`
}
