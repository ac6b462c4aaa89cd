import { randomBytes, randomInt } from 'node:crypto'

/**
 * Creates the id of a row for use outside the library, which an export and an import keep. It has 16 URL-safe characters
 * with 96 random bits, and no leading dash, because a command line would read that as an option.
 */
export function publicId(): string {
  const id = randomBytes(12).toString('base64url')
  return id.startsWith('-') ? publicId() : id
}

/**
 * Creates ids for thousands of rows. They have 72 random bits in common, so that they are neighbours in the index. The
 * other bits are random too, because a counter would reveal how many bookmarks are between two ids.
 */
export function createPublicIds(): () => string {
  const common = publicId().slice(0, 12)
  const made = new Set<string>()
  return () => {
    let rest = ''
    do
      rest = randomInt(36 ** 4)
        .toString(36)
        .padStart(4, '0')
    while (made.has(rest))
    made.add(rest)
    return common + rest
  }
}
