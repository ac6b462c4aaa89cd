import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldName } from '../../src-main/core/fold-name.ts'

test.for([
  ['Rust', 'rust'],
  ['CAFÉ', 'cafe\u0301'],
  ['Cafe\u0301', 'café'],
  ['ÄRZTE', 'ärzte'],
  ['МОСКВА', 'москва'],
  ['J\u030c', '\u01f0'] // only the small letter exists as one character
])('the tags %s and %s are one', ([one = '', other = '']) => {
  expect(foldName(one)).toBe(foldName(other))
})

test.for([
  ['cafe', 'café'],
  ['c', 'c#'],
  ['read later', 'read-later'],
  ['日本', '日本語']
])('the tags %s and %s are two', ([one = '', other = '']) => {
  expect(foldName(one)).not.toBe(foldName(other))
})

test('folding twice is folding once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(foldName(foldName(name))).toBe(foldName(name))
    })
  )
})
