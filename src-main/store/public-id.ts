import { randomBytes } from 'node:crypto'

/**
 * The name a row has outside the library; it survives export and import. 16 URL-safe characters, 96 random bits, and
 * never a leading dash, which a command line would take for an option.
 */
export function publicId(): string {
  const id = randomBytes(12).toString('base64url')
  return id.startsWith('-') ? publicId() : id
}

/** Ids for many rows at once: neighbours, so that an index takes them in one place, with 72 random bits in common. */
export function createPublicIds(): () => string {
  const common = publicId().slice(0, 12)
  let made = 0
  return () => {
    made += 1
    if (made > MOST) throw new Error('Too many ids were asked for at once.')
    return common + made.toString(36).padStart(4, '0')
  }
}

const MOST = 36 ** 4 - 1
