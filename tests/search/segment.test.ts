import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexText, queryTokens } from '../../src-main/search/segment.ts'

test.each([
  ['日本語', ' 日本 本语 语 '],
  ['a日b', 'a 日 b'],
  ['Rust と 日本', 'Rust  と   日本 本 '],
  ['한국어', ' 한국 국어 어 '],
  ['ﾊﾞｲﾄ', ' バイ イト ト '],
  ['ＡＢＣ', 'ABC'],
  ['x\ue000t1\0y', 'x t1 y']
])('the text %j is indexed as %j', (text, indexed) => {
  expect(indexText(text)).toBe(indexed)
})

test.each([
  ['hello', ['hello'], false],
  ['foo-bar', ['foo', 'bar'], false],
  ['日本', ['日本'], false],
  ['日本語', ['日本', '本语'], false],
  ['日', ['日'], true],
  ['abc日', ['abc', '日'], true],
  ['日abc', ['日', 'abc'], false],
  ['c++', ['cpp'], false],
  ['C++20', ['cpp', '20'], false],
  ['.NET', ['dotnet'], false],
  ['asp.net', ['asp', 'net'], false],
  ['Đường', ['Dường'], false],
  ['Straße', ['Strasse'], false],
  ['مُحَمَّد', ['محمد'], false],
  ['學習', ['学习'], false],
  ['नमस्ते', ['नमस्ते'], false],
  ['!!!', [], false],
  ['\ue000t1', ['t1'], false]
])('the word %j is searched for as %j', (text, tokens, prefix) => {
  expect(queryTokens(text)).toEqual({ tokens, prefix })
})

test.each(['中文'.repeat(490), 'the '.repeat(240)])(
  'no more than 64 words or pairs are searched for: %.8s…',
  (text) => {
    expect(queryTokens(text).tokens).toHaveLength(64)
  }
)

test('any part of a run is found in it: its tokens stand together in the index', () => {
  const character = fc.constantFrom(...'日本語中文検索全한국어かな')
  fc.assert(
    fc.property(fc.array(character, { minLength: 2, maxLength: 12 }), fc.nat(), fc.nat(), (run, a, b) => {
      const start = a % (run.length - 1)
      const end = start + 2 + (b % (run.length - start - 1))
      const { tokens } = queryTokens(run.slice(start, end).join(''))
      expect(indexText(run.join('')).trim().split(/\s+/).join(' ')).toContain(tokens.join(' '))
    })
  )
})
