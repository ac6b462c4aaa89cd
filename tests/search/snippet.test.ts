import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerpt, hiddenWords, snippet as pieceOf } from '../../src-main/search/snippet.ts'

/** What a search shows of a text, beside what is shown already. */
function snippet(words: string[], shown: string, text: string): string | undefined {
  return pieceOf(hiddenWords(words, shown), text)
}

const before = 'Something else entirely is said here. '.repeat(10)
const after = ' And then it goes on about other things.'.repeat(10)

test('a short text is shown whole, without ellipses', () => {
  expect(snippet(['borrow'], 'Title', 'About the borrow checker.')).toBe('About the borrow checker.')
})

test('a word deep in a text is shown with what is around it, cut at a word, with ellipses on both sides', () => {
  const found = snippet(['borrow'], 'Title', `${before}The borrow checker explained.${after}`)
  expect(found).toMatch(/^…\w.* The borrow checker explained\. .*…$/)
})

test('an ellipsis stands only where something was cut', () => {
  expect(snippet(['borrow'], '', `borrow${after}`)).toMatch(/^borrow .*…$/)
  expect(snippet(['borrow'], '', `${before}borrow`)).toMatch(/^….* borrow$/)
})

test('there is no snippet when every word can be seen already', () => {
  expect(snippet(['Rust'], 'The rust book', 'rust rust rust')).toBeUndefined()
  expect(snippet([], 'The rust book', 'rust rust rust')).toBeUndefined()
})

test('there is no snippet when the text holds none of the words', () => {
  expect(snippet(['borrow'], 'Title', 'Nothing of the kind.')).toBeUndefined()
})

test('it shows the word that cannot be seen, not the one that can', () => {
  const found = snippet(['rust', 'borrow'], 'The rust book', `rust ${before} borrow`)
  expect(found).toContain('borrow')
})

test.for([
  ['café', 'In the CAFE downtown'],
  ['cafe', 'In the Café downtown'],
  ['ÜBER', 'Alles über alles'],
  ['istanbul', 'Trip to İstanbul'],
  ['日本', '東京は日本の首都です'],
  ['😀', 'A 😀 face']
])('%s is found in %j, whatever its case and accents', ([word = '', text = '']) => {
  expect(snippet([word], '', text)).toBe(text)
})

test('a Korean word counts as seen only where it stands, not where another begins with the same consonants', () => {
  expect(snippet(['한글'], '하고 있는 가구', '한글 문서')).toBe('한글 문서')
})

test('white space becomes single spaces', () => {
  expect(snippet(['borrow'], '', 'The\n\n  borrow\tchecker')).toBe('The borrow checker')
})

const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(' ', '😀', 'İ', 'word', '\ufacf')), {
  maxLength: 60,
  size: 'max'
})

test('whatever the text, a snippet holds the word, has whole characters only and at most 160 of them', () => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      const found = snippet(['needle'], '', `${left.join('')}needle${right.join('')}`)
      expect(found).toContain('needle')
      expect(found?.length).toBeLessThanOrEqual(160)
      expect(found?.isWellFormed()).toBe(true)
    }),
    { numRuns: 1000 }
  )
})

test('a text without spaces is cut too', () => {
  const found = snippet(['needle'], '', `${'😀'.repeat(500)}needle${'😀'.repeat(500)}`)
  expect(found).toMatch(/^…(😀)+needle(😀)+…$/u)
  expect(found?.length).toBeLessThanOrEqual(160)
})

test('of a page’s text, a piece around the first hidden word is shown, without its marks of headings', () => {
  const text = `${'before '.repeat(50)}\n\n## The Narwhal\n\nswims ${'after '.repeat(50)}`
  expect(excerpt(['narwhal'], text)).toMatch(/^…(before )+The Narwhal swims (after )+/)
  expect(excerpt(['unicorn', 'swims'], text)).toContain('swims')
  expect(excerpt(['unicorn'], text)).toBeUndefined()
  expect(excerpt([], text)).toBeUndefined()
})

test('accents make no difference near the beginning of a page’s text, whose length may change in lower case', () => {
  expect(excerpt(['creme'], 'Une crème brûlée')).toBe('Une crème brûlée')
  expect(excerpt(['istanbul'], 'İİİ to Istanbul')).toBe('İİİ to Istanbul')
})

test('words that can be seen are not hidden', () => {
  expect(hiddenWords(['Rust', 'café', 'book'], 'The rust CAFE')).toEqual(['book'])
})
