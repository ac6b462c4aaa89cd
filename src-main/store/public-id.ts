import { randomBytes } from 'node:crypto'

/**
 * The name a row has outside the library; it survives export and import. 16 URL-safe characters, 96 random bits, and
 * never a leading dash, which a command line would take for an option.
 */
export function publicId(): string {
  const id = randomBytes(12).toString('base64url')
  return id.startsWith('-') ? publicId() : id
}
