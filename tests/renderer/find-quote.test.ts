// Highlights are found in texts that changed.
import { expect, test } from 'vitest'
import { quoteFinder } from '../../src-renderer/features/bookmarks/reader/find-quote.ts'

const TEXT = `Orchards
The patient gardener counts every apple and pear in the walled orchard behind the old stone house.
In October the quince turns yellow, and its scent fills the cellar until the first frost.
Sign up for our letter. It comes each week.
Medlars are eaten when they are soft; “bletted”, as growers say.
Sign up for our letter. It comes each week.
By March the last jars of jelly are gone, and the blossom of the almond begins the year again.`

/** A highlight of a passage of the text, by default of the first that reads so. */
function highlightOf(quote: string, start = TEXT.indexOf(quote)) {
  const end = start + quote.length
  return { quote, prefix: TEXT.slice(Math.max(0, start - 64), start), suffix: TEXT.slice(end, end + 64), start }
}

/** Returns what is found in a text, as the text reads there. */
function find(text: string, highlight: Parameters<ReturnType<typeof quoteFinder>>[0]): string | undefined {
  const span = quoteFinder(text)(highlight)
  return span && text.slice(span.start, span.end)
}

test('a passage is found in the text that it is from', () => {
  const highlight = highlightOf('turns yellow, and its scent')
  expect(quoteFinder(TEXT)(highlight)).toEqual({ start: highlight.start, end: highlight.start + 27 })
})

test('passages are found where they moved to', () => {
  const text = TEXT.replace('Orchards\n', `Orchards\n${'A new introduction of some length. '.repeat(20)}\n`)
  const finder = quoteFinder(text)
  for (const quote of ['walled orchard behind', 'turns yellow, and its scent', 'begins the year again.']) {
    const span = finder(highlightOf(quote))
    expect(span?.start).toBe(text.indexOf(quote))
  }
})

test.for([
  ['its scent fills the cellar', 'scent', 'perfume', 'its perfume fills the cellar'],
  // The first and the last word.
  ['turns yellow, and its scent', 'turns', 'becomes', 'becomes yellow, and its scent'],
  ['turns yellow, and its scent', 'scent', 'smell', 'turns yellow, and its smell'],
  // A word more, and one less.
  ['fills the cellar until', 'cellar', 'whole cellar', 'fills the whole cellar until'],
  ['fills the cellar until', 'the cellar', 'cellar', 'fills cellar until'],
  // Punctuation at the ends stays, if the text has it.
  ['soft; “bletted”, as growers say.', 'growers', 'we', 'soft; “bletted”, as we say.'],
  // White space and case make no difference.
  ['quince turns yellow', 'quince turns', 'Quince\n  turns', 'Quince\n  turns yellow']
] as const)('“%s” is found although “%s” is “%s” now', ([quote, from, to, expected]) => {
  expect(find(TEXT.replace(from, to), highlightOf(quote))).toBe(expected)
})

test('of passages that repeat, the one with the same surroundings is found, although it changed and the other did not', () => {
  const quote = 'Sign up for our letter. It comes each week.'
  const second = TEXT.lastIndexOf(quote)
  const text = `${TEXT.slice(0, second)}${TEXT.slice(second).replace('each week', 'every week')}`
  expect(quoteFinder(text)(highlightOf(quote, second))?.start).toBe(second)
  expect(quoteFinder(text)(highlightOf(quote))?.start).toBe(TEXT.indexOf(quote))
})

test('a passage without surroundings and position, as imports have it, is found', () => {
  const alone = { quote: 'the  blossom of the\nalmond', prefix: '', suffix: '', start: null }
  expect(find(TEXT, alone)).toBe('the blossom of the almond')
})

test('a passage that the text has no more is not found, although its words are there', () => {
  const text = TEXT.replace(/In October[^\n]*\n/, '')
  expect(find(text, highlightOf('the quince turns yellow, and its scent'))).toBeUndefined()
  expect(find('', highlightOf('quince'))).toBeUndefined()
  expect(find(TEXT, { quote: '…', prefix: '', suffix: '', start: null })).toBeUndefined()
})

test('a passage of a script without spaces is found', () => {
  const text = '果樹園の古い壁の中で、庭師は林檎を数える。十月には花梨が黄色くなる。'
  const highlight = { quote: '庭師は林檎を数える', prefix: '古い壁の中で、', suffix: '。十月には', start: 11 }
  expect(find(text, highlight)).toBe('庭師は林檎を数える')
  expect(find(`序。${text.replace('林檎', '梨')}`, highlight)).toBe('庭師は梨を数える')
})
