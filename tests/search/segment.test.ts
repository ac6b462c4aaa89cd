import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldWord, indexText, queryTokens } from '../../src-main/search/segment.ts'

test.each([
  ['日本語', ' 日本 本语 语 '],
  ['a日b', 'a 日 b'],
  ['Rust と 日本', 'rust  と   日本 本 '],
  ['한국어', ' 한국 국어 어 '],
  ['ﾊﾞｲﾄ', ' バイ イト ト '],
  ['ＡＢＣ', 'abc'],
  ['ไทยน้ำ', ' ไท ทย ยน้ํ น้ํา า '],
  ['ខ្មែរ', ' ខ្មែ មែរ រ '],
  ['มก2567', ' มก ก 2567'],
  ['\ud83d\udd16 Mine 🇩🇪👍🏽', ' \u{ff516}  mine  \u{ff1e9}\u{ff1ea}  \u{ff44d} 🏽'],
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
  ['Straße', ['strasse'], false],
  ['學習', ['学习'], false],
  ['น้ำ', ['น้ํา'], false],
  ['น้', ['น้'], true],
  ['🔖', ['\u{ff516}'], false],
  ['☕️', ['\u{f2615}'], false],
  ['©', [], false],
  ['नमस्ते', ['नमस्ते'], false],
  ['!!!', [], false],
  ['\ue000t1', ['t1'], false]
])('the word %j is searched for as %j', (text, tokens, prefix) => {
  expect(queryTokens(text)).toEqual({ tokens, prefix })
})

test.each([
  ['Greek accents and capitals', ['Αθήνα', 'αθηνα', 'ΑΘΗΝΑ', 'ἈΘΉΝΑ']],
  ['a final sigma', ['ΑΘΗΝΑΣ', 'Αθήνας', 'αθηνασ']],
  ['Cyrillic accents, but not letters of their own', ['за́мок', 'замок', 'ЗАМОК']],
  ['Russian ё', ['Ёлка', 'елка']],
  ['Vietnamese', ['Đường', 'duong', 'ĐƯỜNG']],
  ['Turkish i', ['ISPARTA', 'ısparta', 'İsparta']],
  ['Hebrew points', ['שָׁלוֹם', 'שלום']],
  ['Arabic vowels and lengthening', ['مُحَمَّد', 'محمـــد', 'محمد']],
  ['Armenian capitals, stress and և', ['Երևան', 'ԵՐԵՎԱՆ', 'ԵՐԵՒԱՆ', 'Երև՞ան']],
  ['Georgian capitals', ['საქართველო', 'ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ']],
  ['Cherokee and Adlam capitals', ['ᏣᎳᎩ𞤀', 'ꮳꮃꭹ𞤢']],
  ['the dot of Devanagari', ['ज़मीन', 'जमीन']],
  ['nasals of Devanagari', ['हिन्दी सम्बन्ध पञ्च गङ्गा घण्टा', 'हिंदी संबंध पंच गंगा घंटा']],
  ['Ukrainian apostrophes', ['пʼять', 'п’ять', "п'ять", "П'ЯТЬ"]],
  ['Hawaiian and Arabic glottal stops', ['Hawaiʻi', "Hawai'i", 'Hawai‘i', 'hawaii']],
  ['Catalan', ['col·lecció', 'COLLECCIÓ']]
])('spellings of a word are equal: %s', (_, writings) => {
  const folded = writings.map((writing) => [
    indexText(writing).trim(),
    queryTokens(writing).tokens.map(foldWord).join(' ')
  ])
  expect(new Set(folded.flat().map((text) => text.toLowerCase())).size).toBe(1)
})

test.each([
  ['мой', 'мои'],
  ['їжак', 'іжак'],
  ["l'amour", 'lamour'],
  ["qu'il", 'quil'],
  ['בית־ספר', 'ביתספר'],
  ['が', 'か'],
  ['जन्म', 'जंम'],
  ['한국', '하국']
])('%s and %s stay different', (first, second) => {
  expect(indexText(first)).not.toBe(indexText(second))
})

test.each(['中文'.repeat(490), 'the '.repeat(240)])('at most 64 words or pairs are searched for: %.8s…', (text) => {
  expect(queryTokens(text).tokens).toHaveLength(64)
})

test('the tokens of any part of an unspaced run are adjacent in the index', () => {
  const character = fc.constantFrom(...'日本語中文検索全한국어かな', 'ท', 'น้', 'ไ', 'ຂ້', 'ခ', 'မြ', 'ខ្')
  fc.assert(
    fc.property(fc.array(character, { minLength: 2, maxLength: 12 }), fc.nat(), fc.nat(), (run, a, b) => {
      const start = a % (run.length - 1)
      const end = start + 2 + (b % (run.length - start - 1))
      const { tokens } = queryTokens(run.slice(start, end).join(''))
      expect(indexText(run.join('')).trim().split(/\s+/).join(' ')).toContain(tokens.join(' '))
    })
  )
})
