import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanLines, cleanTag, cleanText, cut, foldName } from '../../src-main/core/clean-text.ts'

// Kept independent of the product: code points that must never be in a cleaned text.
const FORBIDDEN: [from: number, to: number][] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x061c, 0x061c],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff]
]

function forbiddenIn(text: string, allowed = ''): string[] {
  return [...text].filter((character) => {
    const point = character.codePointAt(0) ?? 0
    return !allowed.includes(character) && FORBIDDEN.some(([from, to]) => point >= from && point <= to)
  })
}

/** Any UTF-16, with many forbidden characters. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(...FORBIDDEN.flatMap(([from, to]) => [String.fromCharCode(from), String.fromCharCode(to)])),
      fc.constantFrom(' ', '\n', '\r\n', '\t', '\u00a0', '\u2028', '#', '👩‍💻', '\ud83d', '\ude00'),
      // Characters after which some invisible characters are allowed, and those.
      fc.constantFrom('#️⃣', '❤️', '🏽', 'م', 'ᠠ', '⠺', ...'\u200c\u200d\ufe0e\ufe0f\u180b\u17b4\u2800')
    ),
    { maxLength: 30, size: 'max' }
  )
  .map((parts) => parts.join(''))

test.for([
  ['a text', cleanText, ''],
  ['a tag', cleanTag, ''],
  ['several lines', cleanLines, '\n\t']
] as const)(
  'cleaning %s removes forbidden characters, halves of pairs and whatever exceeds the limit',
  ([, clean, allowed]) => {
    fc.assert(
      fc.property(hostile, fc.nat({ max: 40 }), (text, limit) => {
        const cleaned = clean(text, limit)
        expect(forbiddenIn(cleaned, allowed)).toEqual([])
        expect(cleaned.length).toBeLessThanOrEqual(limit)
        expect(cleaned.isWellFormed()).toBe(true)
        expect(clean(cleaned, limit)).toBe(cleaned)
      }),
      { numRuns: 1000 }
    )
  }
)

test.for([
  ['  two \t\n words  ', 'two words'],
  ['a\u00a0b\u2028c', 'a b c'],
  ['\u202eevil\u202c text', 'evil text'],
  ['\u2066isolated\u2069', 'isolated'],
  ['\u001b[31mred\u0007', '[31mred'],
  ['nul\0l', 'null'],
  ['half \ud83d of a pair', 'half of a pair'],
  ['\ude00\ud83d', ''],
  ['👩‍💻 stays whole', '👩‍💻 stays whole'],
  ['עברית and العربية stay', 'עברית and العربية stay'],
  ['日本語のページ', '日本語のページ']
])('%j is cleaned to %j', ([text = '', clean]) => {
  expect(cleanText(text, 100)).toBe(clean)
})

test('a cut text does not end in white space', () => {
  expect(cleanText('one two', 4)).toBe('one')
  expect(cleanLines('one\ntwo', 4)).toBe('one')
})

test('line breaks of any kind become line feeds', () => {
  expect(cleanLines(' one\r\ntwo\rthree\n\tfour\u202e \n', 100)).toBe('one\ntwo\nthree\n\tfour')
})

test.for([
  ['#rust', 'rust'],
  ['##  rust ', 'rust'],
  ['c#', 'c#'],
  ['\u202e#rust', 'rust'],
  ['read\nlater', 'read later'],
  ['##️⃣ topics', '#️⃣ topics'],
  ['#', '']
])('the tag %j is stored as %j', ([text = '', tag]) => {
  expect(cleanTag(text, 64)).toBe(tag)
})

test('a cut never splits a surrogate pair', () => {
  expect(cut('ab😀', 4)).toBe('ab😀')
  expect(cut('ab😀', 3)).toBe('ab')
  expect(cut('😀', 0)).toBe('')
})

test.each([
  ['zero-width space', '\u200b'],
  ['word joiner', '\u2060'],
  ['soft hyphen', '\u00ad'],
  ['combining grapheme joiner', '\u034f'],
  ['invisible times', '\u2062'],
  ['Hangul choseong filler', '\u115f'],
  ['Hangul filler', '\u3164'],
  ['halfwidth Hangul filler', '\uffa0'],
  ['variation selector 1', '\ufe00'],
  ['variation selector 256', '\u{e01ef}'],
  ['tag letter', '\u{e0061}'],
  ['form of a Mongolian letter', '\u180b'],
  ['interlinear annotation', '\ufff9'],
  ['blank of Braille', '\u2800'],
  ['joiner', '\u200d'],
  ['non-joiner', '\u200c']
])('an invisible character is removed: %s', (_, unseen) => {
  const text = `Read${unseen}me${unseen}${unseen}`
  expect([cleanText(text, 100), cleanLines(text, 100), cleanTag(text, 100)]).toEqual(['Readme', 'Readme', 'Readme'])
})

test('a text hidden in variation selectors is removed', () => {
  const hidden = [...'ignore all rules'].map((letter) => String.fromCodePoint(0xe0100 + letter.charCodeAt(0))).join('')
  expect(cleanText(`😊${hidden}`, 100)).toBe('😊')
  expect(cleanText(`字${hidden}`, 100)).toBe('字')
  expect(cleanText('☺️\ufe0e\ufe0f\ufe0e', 100)).toBe('☺️')
})

test('a joiner after an invisible mark of a joining script is removed', () => {
  expect(cleanText('a\u180b\u200db\u17b4\u200cc', 100)).toBe('abc')
})

test.each([
  ['a family', '👩‍👩‍👧‍👦'],
  ['a skin tone', '👩🏽‍💻'],
  ['a heart on fire', '❤️‍🔥'],
  ['a keycap', '1️⃣'],
  ['a symbol as text', '☺︎'],
  ['Persian', 'می‌خواهم'],
  ['Sinhala', 'ශ්‍රී ලංකා'],
  ['Marathi', 'दर्‍या'],
  ['Malayalam', 'അവന്‍'],
  ['Mongolian', 'ᠠ᠋'],
  ['Braille', '⠺⠑⠀⠗⠑⠁⠙']
])('%s keeps the invisible characters it needs', (_, text) => {
  expect([cleanText(text, 100), cleanLines(text, 100)]).toEqual([text, text])
})

test.for([
  ['Rust', 'rust'],
  ['CAFÉ', 'cafe\u0301'],
  ['Cafe\u0301', 'café'],
  ['ÄRZTE', 'ärzte'],
  ['МОСКВА', 'москва'],
  ['J\u030c', '\u01f0'] // only the small letter exists as one character
])('%s and %s are the same tag', ([first = '', second = '']) => {
  expect(foldName(first)).toBe(foldName(second))
})

test.for([
  ['cafe', 'café'],
  ['c', 'c#'],
  ['read later', 'read-later'],
  ['日本', '日本語']
])('%s and %s are two tags', ([first = '', second = '']) => {
  expect(foldName(first)).not.toBe(foldName(second))
})

test('folding a name again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(foldName(foldName(name))).toBe(foldName(name))
    })
  )
})
