import { createHash, randomBytes } from 'node:crypto'
import { Problem } from '../contract/problem.ts'

/** Crockford's base 32: no letter that looks like a digit. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const KEY_BYTES = 32
const KEY_DIGITS = 52
const CHECK_DIGITS = 4

/** Returns a new random key, as people copy it: 14 groups of four, of which the last tells whether it was copied right. */
export function newCode(): string {
  return writeCode(randomBytes(KEY_BYTES))
}

/**
 * Returns the key that a code stands for, however it was typed.
 *
 * @throws Problem `invalid` when it is no code, or was copied wrong
 */
export function readCode(code: string): Buffer {
  const typed = code
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
    .replace(/[^0-9A-Z]/g, '')
  const key = Buffer.alloc(KEY_BYTES)
  let bits = 0n
  for (const digit of typed.slice(0, KEY_DIGITS)) bits = (bits << 5n) | BigInt(Math.max(0, DIGITS.indexOf(digit)))
  const bytes = (bits >> BigInt(KEY_DIGITS * 5 - KEY_BYTES * 8)).toString(16).padStart(KEY_BYTES * 2, '0')
  key.write(bytes.slice(-KEY_BYTES * 2), 'hex')
  if (typed.length !== KEY_DIGITS + CHECK_DIGITS || writeCode(key).replaceAll('-', '') !== typed) {
    throw new Problem(
      'invalid',
      'This is not a sync code, or it was not copied right. It has 14 groups of 4 characters.'
    )
  }
  return key
}

function writeCode(key: Buffer): string {
  const check = createHash('sha256').update('earmark-sync').update(key).digest()
  const digits = inDigits(key, KEY_DIGITS) + inDigits(check.subarray(0, 3), CHECK_DIGITS)
  return digits.match(/.{4}/g)?.join('-') ?? ''
}

/** Writes the first bits of bytes as so many digits. */
function inDigits(bytes: Buffer, digits: number): string {
  const all = BigInt(`0x${bytes.toString('hex')}`)
  const spare = BigInt(digits * 5 - bytes.length * 8)
  const bits = spare >= 0n ? all << spare : all >> -spare
  return Array.from({ length: digits }, (_, at) => DIGITS[Number((bits >> BigInt((digits - 1 - at) * 5)) & 31n)]).join(
    ''
  )
}
