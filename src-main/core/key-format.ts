/**
 * An API key is `emk_`, 43 base62 characters for 256 random bits, and 6 base62 characters for the CRC-32 of the rest.
 * With the checksum, a mistyped key is detected without a query, and secret scanners can find leaked keys.
 */
const KEY = /^emk_[0-9A-Za-z]{49}$/
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Number of characters of a key that lists show: enough to recognize the key, far too few to guess it. */
const PREFIX_LENGTH = 10

/** @param entropy 32 bytes from a cryptographic source */
export function formatKey(entropy: Uint8Array): string {
  if (entropy.length !== 32) throw new RangeError(`A key is made of 32 random bytes, not ${entropy.length}.`)
  let number = 0n
  for (const byte of entropy) number = (number << 8n) | BigInt(byte)
  const body = `emk_${base62(number, 43)}`
  return body + base62(BigInt(crc32(body)), 6)
}

/** Whether a text has a key’s form and checksum. The key need not exist. */
export function isWellFormedKey(text: string): boolean {
  return KEY.test(text) && base62(BigInt(crc32(text.slice(0, -6))), 6) === text.slice(-6)
}

export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH)
}

/** Shortens each key in a text to the part that lists show. */
export function withoutKeys(text: string): string {
  return text.replace(/emk_[0-9A-Za-z]{49}/g, (key) => `${keyPrefix(key)}…`)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text
  return text
}

/** CRC-32 as in gzip (RFC 1952, section 8), of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
