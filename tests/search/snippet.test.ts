import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerpt, hiddenWords, snippet as pieceOf } from '../../src-main/search/snippet.ts'

/** The snippet of a text for words that its title does not show. */
function snippet(words: string[], title: string, text: string): string | undefined {
  return pieceOf(hiddenWords(words, title), text)
}

const before = 'Something else entirely is said here. '.repeat(10)
const after = ' And then it goes on about other things.'.repeat(10)

test('a short text is shown whole, without ellipses', () => {
  expect(snippet(['borrow'], 'Title', 'About the borrow checker.')).toBe('About the borrow checker.')
})

test('a word deep in a text is shown with its surroundings, cut between words, with ellipses on both sides', () => {
  const shown = snippet(['borrow'], 'Title', `${before}The borrow checker explained.${after}`)
  expect(shown).toMatch(/^…\w.* The borrow checker explained\. .*…$/)
})

test('an ellipsis is shown only on a side that was cut', () => {
  expect(snippet(['borrow'], '', `borrow${after}`)).toMatch(/^borrow .*…$/)
  expect(snippet(['borrow'], '', `${before}borrow`)).toMatch(/^….* borrow$/)
})

test('a text has no snippet if the title shows every word or the text has none of them', () => {
  expect(snippet(['Rust'], 'The rust book', 'rust rust rust')).toBeUndefined()
  expect(snippet([], 'The rust book', 'rust rust rust')).toBeUndefined()
  expect(snippet(['borrow'], 'Title', 'Nothing of the kind.')).toBeUndefined()
})

test('the snippet shows the word that the title does not show', () => {
  const shown = snippet(['rust', 'borrow'], 'The rust book', `rust ${before} borrow`)
  expect(shown).toContain('borrow')
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

test('a Korean word that another word only begins like is not counted as shown', () => {
  expect(snippet(['한글'], '하고 있는 가구', '한글 문서')).toBe('한글 문서')
})

test('white space in a snippet becomes single spaces', () => {
  expect(snippet(['borrow'], '', 'The\n\n  borrow\tchecker')).toBe('The borrow checker')
})

const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(' ', '😀', 'İ', 'word', '\ufacf')), {
  maxLength: 60,
  size: 'max'
})

test('a snippet of any text has the word, whole characters only and at most 160 of them', () => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      const shown = snippet(['needle'], '', `${left.join('')}needle${right.join('')}`)
      expect(shown).toContain('needle')
      expect(shown?.length).toBeLessThanOrEqual(160)
      expect(shown?.isWellFormed()).toBe(true)
    }),
    { numRuns: 1000 }
  )
})

test('a text without spaces is cut too', () => {
  const shown = snippet(['needle'], '', `${'😀'.repeat(500)}needle${'😀'.repeat(500)}`)
  expect(shown).toMatch(/^…(😀)+needle(😀)+…$/u)
  expect(shown?.length).toBeLessThanOrEqual(160)
})

test('an excerpt surrounds the first word that is not shown, without marks of headings', () => {
  const text = `${'before '.repeat(50)}\n\n## The Narwhal\n\nswims ${'after '.repeat(50)}`
  expect(excerpt(['narwhal'], text)).toMatch(/^…(before )+The Narwhal swims (after )+/)
  expect(excerpt(['unicorn', 'swims'], text)).toContain('swims')
  expect(excerpt(['unicorn'], text)).toBeUndefined()
  expect(excerpt([], text)).toBeUndefined()
})

test('accents and changes of length by case do not shift an excerpt', () => {
  expect(excerpt(['creme'], 'Une crème brûlée')).toBe('Une crème brûlée')
  expect(excerpt(['istanbul'], 'İİİ to Istanbul')).toBe('İİİ to Istanbul')
})

test('words of the title are not hidden', () => {
  expect(hiddenWords(['Rust', 'café', 'book'], 'The rust CAFE')).toEqual(['book'])
})
