import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatKey, isWellFormedKey, keyPrefix } from '../../src-main/core/key-format.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const entropy = fc.uint8Array({ minLength: 32, maxLength: 32 })

/** The number that base62 text stands for. */
function decode(text: string): bigint {
  return [...text].reduce((number, digit) => number * 62n + BigInt(ALPHABET.indexOf(digit)), 0n)
}

test('a key is emk_, 43 characters of entropy and a CRC-32 of both', () => {
  fc.assert(
    fc.property(entropy, (bytes) => {
      const key = formatKey(bytes)
      expect(key).toMatch(/^emk_[0-9A-Za-z]{49}$/)
      expect(decode(key.slice(4, 47))).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
      expect(decode(key.slice(47))).toBe(BigInt(crc32(key.slice(0, 47))))
      expect(isWellFormedKey(key)).toBe(true)
    })
  )
})

test.for([0, 255])('a key is well-formed for 32 bytes of %d', (byte) => {
  expect(isWellFormedKey(formatKey(new Uint8Array(32).fill(byte)))).toBe(true)
})

test('a key with one changed character is malformed', () => {
  fc.assert(
    fc.property(entropy, fc.nat({ max: 52 }), fc.constantFrom(...`${ALPHABET}_-`), (bytes, index, other) => {
      const key = formatKey(bytes)
      fc.pre(key[index] !== other)
      expect(isWellFormedKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false)
    })
  )
})

test('a key with two swapped characters is malformed', () => {
  const key = formatKey(Uint8Array.from({ length: 32 }, (_, index) => 255 - index * 5))
  for (let index = 4; index < key.length - 1; index++) {
    const swapped = key.slice(0, index) + key[index + 1] + key[index] + key.slice(index + 2)
    expect(isWellFormedKey(swapped)).toBe(swapped === key)
  }
})

test.for(['', 'emk_', 'hunter2', ' ', 'emk_\n'])('%j is malformed', (text) => {
  expect(isWellFormedKey(text)).toBe(false)
})

test('a key with anything before or after it is malformed', () => {
  const key = formatKey(new Uint8Array(32).fill(9))
  for (const text of [` ${key}`, `${key} `, `${key}\n`, `${key}0`, key.slice(1), key.slice(0, -1), key.toUpperCase()]) {
    expect(isWellFormedKey(text)).toBe(false)
  }
})

test('less than 32 bytes of entropy are refused', () => {
  expect(() => formatKey(new Uint8Array(31))).toThrow(RangeError)
})

test('the shown prefix of a key is ten characters long', () => {
  const key = formatKey(new Uint8Array(32).fill(7))
  expect(key.startsWith(keyPrefix(key))).toBe(true)
  expect(keyPrefix(key)).toHaveLength(10)
})
