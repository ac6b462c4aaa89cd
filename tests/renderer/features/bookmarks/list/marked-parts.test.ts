import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  fromMatch,
  markedParts,
  searchedWords
} from '../../../../../src-renderer/features/bookmarks/list/marked-parts.ts'

/** The text with what is marked in brackets. */
function marked(text: string, words: string): string {
  return markedParts(text, searchedWords(words))
    .map((part) => (part.match ? `[${part.text}]` : part.text))
    .join('')
}

test.for([
  ['The Rust Book', 'rust', 'The [Rust] Book'],
  ['Café au lait', 'cafe', '[Café] au lait'],
  ['cafe', 'CAFÉ', '[cafe]'],
  ['the borrow checker', '"borrow checker"', 'the [borrow] [checker]'],
  ['rust game', 'rust -game', '[rust] game'],
  ['is broken rust', 'is:broken rust', 'is broken [rust]'],
  ['rust OR go', 'rust OR go', '[rust] OR [go]'],
  ['日本語のブックマーク', '日本', '[日本]語のブックマーク'],
  ['a.b (c) [d] $e', '(c) $e', 'a.b ([c]) [d] $[e]'],
  ['nothing', '"', 'nothing'],
  ['nothing', '', 'nothing']
] as const)('%s, searched for %s', ([text, words, expected]) => {
  expect(marked(text, words)).toBe(expected)
})

const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('a', 'É', 'e\u0301', 'İ', 'ß', '日', '가', 'Σ', '😀', ' ', '"', '-', '.', '(', '\\', '$', '^', ' OR ')
)
const typed = (maxLength: number) => fc.array(piece, { maxLength, size: 'max' }).map((pieces) => pieces.join(''))

test('whatever is searched for, the parts are the text, and what is shown of a note is its end', () => {
  fc.assert(
    fc.property(typed(60), typed(8), (text, typed) => {
      const words = searchedWords(typed)
      const parts = markedParts(text, words)
      expect(parts.map((part) => part.text).join('')).toBe(text)
      const shown = fromMatch(text, words)
      if (shown !== text) expect([shown[0], text.endsWith(shown.slice(1))]).toEqual(['…', true])
    })
  )
})

const LONG = 'A long note about birds that live by lakes, of which none is as patient as the grey heron'

test.for([
  ['heron', '…is as patient as the grey heron'],
  ['lakes', LONG],
  ['PATIENT', '…lakes, of which none is as patient as the grey heron'],
  ['eagle', LONG],
  ['', LONG]
] as const)('a note begins where one sees a match: %s', ([words, expected]) => {
  expect(fromMatch(LONG, searchedWords(words))).toBe(expected)
})
