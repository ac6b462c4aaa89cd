import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ParsedQuery, parseQuery, type Term } from '../../src-main/core/parse-query.ts'

/** A query as a line: groups in brackets, phrases in quotes, excluded terms after a minus. */
function written({ all, none, is }: ParsedQuery): string {
  const term = ({ text, phrase }: Term) => (phrase ? `"${text}"` : text)
  return [
    ...all.map((group) => `[${group.map(term).join('|')}]`),
    ...none.map((one) => `${one.mark ? '!' : '-'}${term(one)}`),
    ...(is ? [`is:${is.join('|')}`] : [])
  ].join(' ')
}

test.for([
  ['rust async', '[rust] [async]'],
  ['  rust \n\t async ', '[rust] [async]'],
  ['"borrow checker" rust', '["borrow checker"] [rust]'],
  ['rust -video', '[rust] -video'],
  ['rust -"for beginners"', '[rust] -"for beginners"'],
  ['rust OR zig', '[rust|zig]'],
  ['rust OR zig OR "c lang" fast', '[rust|zig|"c lang"] [fast]'],
  ['rust or zig', '[rust] [or] [zig]'],
  ['"OR"', '["OR"]'],
  ['OR rust', '[rust]'],
  ['rust OR', '[rust]'],
  ['rust OR OR zig', '[rust|zig]'],
  ['rust OR -zig', '[rust] -zig'],
  ['-rust', '-rust'],
  ['well-known', '[well-known]'],
  ['e-mail -well-known', '[e-mail] -well-known'],
  ['"unclosed quote', '["unclosed quote"]'],
  ['rust "unclosed quote', '[rust] ["unclosed quote"]'],
  ['rust -"unclosed quote', '[rust] -"unclosed quote"'],
  ['5"disk', '[5] [disk]'],
  ['c++ c# .net', '[c++] [c#] [.net]'],
  ['title:rust NEAR(a, b) a*', '[title:rust] [NEAR(a,] [b)] [a*]'],
  ['is:broken', 'is:broken'],
  ['rust IS:Moved', '[rust] is:moved'],
  ['is:broken OR is:moved', 'is:broken|moved'],
  ['is:broken is:moved', 'is:'],
  ['is:broken OR rust OR go', '[rust|go] is:broken'],
  ['rust OR is:broken', '[rust] is:broken'],
  ['rust -is:broken', '[rust] !is:broken'],
  ['is:new "is:broken"', '[is:new] ["is:broken"]'],
  ['日本 語', '[日本] [語]'],
  ['nul\0l', '[nul l]'],
  ['half \ud83d', '[half]'],
  ['', ''],
  ['  ', ''],
  ['- -- """" ""', ''],
  ['!!! ??? …', '']
])('%j is read as %j', ([text = '', query]) => {
  expect(written(parseQuery(text))).toBe(query)
})

test('what is beyond 32 terms is ignored', () => {
  const words = Array.from({ length: 50 }, (_, index) => `${index % 2 ? '-' : ''}word${index}`)
  const { all, none } = parseQuery(words.join(' '))
  expect(all.flat().length + none.length).toBe(32)
  expect(none.at(-1)?.text).toBe('word31')
})

/** Any UTF-16, with much of what the query language and FTS5 know. */
const anything = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom('"', '-', ' ', ' OR ', 'word', '*', '(', ')', ':', '^', '+', '{', '}', '\0', '\ud800', '\ue000')
    ),
    { maxLength: 80 }
  )
  .map((parts) => parts.join(''))

test('whatever is typed, terms hold a letter or a digit, no quotes and no control characters, and are 32 at most', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const { all, none } = parseQuery(text)
      const terms = [...all.flat(), ...none]
      expect(terms.length).toBeLessThanOrEqual(32)
      expect(all.every((group) => group.length > 0)).toBe(true)
      for (const term of terms) {
        expect(term.text).toMatch(/[\p{L}\p{N}\p{Co}]/u)
        expect(term.text).not.toMatch(/["\p{Cc}\p{Cs}]/u)
        expect(term.text).toBe(term.text.trim())
      }
    }),
    { numRuns: 2000 }
  )
})

test.for(['"', '-"', 'a"', '" ', '-', 'OR ', 'a '])('a million characters of %j are read without trouble', (piece) => {
  const { all, none } = parseQuery(piece.repeat(1_000_000 / piece.length))
  expect(all.flat().length + none.length).toBeLessThanOrEqual(32)
})
