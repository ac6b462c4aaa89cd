import { randomBytes, randomInt } from 'node:crypto'

/**
 * The name a row has outside the library; it survives export and import. 16 URL-safe characters, 96 random bits, and
 * never a leading dash, which a command line would take for an option.
 */
export function publicId(): string {
  const id = randomBytes(12).toString('base64url')
  return id.startsWith('-') ? publicId() : id
}

/**
 * Ids for some thousand rows at once: neighbours, so that an index takes them in one place, with 72 random bits in common.
 * The rest is random too: a number that counts would tell who sees two of them how many lie between.
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
