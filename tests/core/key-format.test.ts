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

test('a key is emk_, 43 characters that hold the entropy, and the CRC-32 of what stands before', () => {
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

test.for([0, 255])('the least and the greatest entropy have their key: 32 times %d', (byte) => {
  expect(isWellFormedKey(formatKey(new Uint8Array(32).fill(byte)))).toBe(true)
})

test('every change of one character breaks a key', () => {
  const key = formatKey(Uint8Array.from({ length: 32 }, (_, index) => index * 7))
  const changed = [...key].flatMap((_, at) =>
    [...`${ALPHABET}_-`]
      .filter((other) => other !== key[at])
      .map((other) => key.slice(0, at) + other + key.slice(at + 1))
  )
  expect(changed.length).toBeGreaterThan(53 * 62)
  expect(changed.filter(isWellFormedKey)).toEqual([])
})

test('a change of one character breaks any key', () => {
  fc.assert(
    fc.property(entropy, fc.nat({ max: 52 }), fc.constantFrom(...ALPHABET), (bytes, at, other) => {
      const key = formatKey(bytes)
      fc.pre(key[at] !== other)
      expect(isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    })
  )
})

test('two characters that changed places break a key', () => {
  const key = formatKey(Uint8Array.from({ length: 32 }, (_, index) => 255 - index * 5))
  for (let at = 4; at < key.length - 1; at++) {
    const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2)
    expect(isWellFormedKey(swapped)).toBe(swapped === key)
  }
})

test.for(['', 'emk_', 'hunter2', ' ', 'emk_\n'])('%j is no key', (text) => {
  expect(isWellFormedKey(text)).toBe(false)
})

test('a key with anything before or after it is no key', () => {
  const key = formatKey(new Uint8Array(32).fill(9))
  for (const text of [` ${key}`, `${key} `, `${key}\n`, `${key}0`, key.slice(1), key.slice(0, -1), key.toUpperCase()]) {
    expect(isWellFormedKey(text)).toBe(false)
  }
})

test('a key is not made of less entropy', () => {
  expect(() => formatKey(new Uint8Array(31))).toThrow(RangeError)
})

test('lists show a part of a key that says too little to guess the rest', () => {
  const key = formatKey(new Uint8Array(32).fill(7))
  expect(key.startsWith(keyPrefix(key))).toBe(true)
  expect(keyPrefix(key)).toHaveLength(10)
})
