// The reader: the parts of a text, search within it, and its appearance.

import { lexer } from 'marked'
import { expect, test } from 'vitest'
import { findInText, MAX_MATCHES } from '../../src-renderer/features/bookmarks/reader/find.tsx'
import { otherSize, readLook } from '../../src-renderer/features/bookmarks/reader/reading-look.tsx'
import { withoutTitle } from '../../src-renderer/features/bookmarks/reader/stored-text.tsx'

test('a first heading that repeats the title is left out', () => {
  const tokens = lexer('## The *Heron*\n\n## the heron\n\nIt stood.')
  expect(withoutTitle(tokens, ' The heron!')).toHaveLength(tokens.length - 1)
  expect(withoutTitle(tokens, 'Herons')).toBe(tokens)
  expect(withoutTitle(lexer('It stood.'), 'It stood.')).toHaveLength(1)
  expect(withoutTitle([], '')).toEqual([])
})

test.for([
  ['Élan, elan and ÉLAN', 'elan', ['Élan', 'elan', 'ÉLAN']],
  ['aaaa', 'aa', ['aa', 'aa']],
  ['İstanbul ıs here', 'istanbul', ['İstanbul']],
  ['東京と京都\n서울', '京', ['京', '京']],
  ['서울 서', '서', ['서', '서']],
  ['שָׁלוֹם שלום', 'שלום', ['שלום']],
  ['one\ntwo', 'one two', ['one\ntwo']],
  ['text', ' ', []],
  ['', 'text', []],
  ['text', 'texts', []]
] as const)('in the text %j, “%s” is found as %j', ([text, typed, expected]) => {
  expect(findInText(text, typed).map(({ start, end }) => text.slice(start, end))).toEqual(expected)
})

test('a search stops at the maximum number of matches', () => {
  expect(findInText('a'.repeat(5000), 'a')).toHaveLength(MAX_MATCHES)
})

test('the appearance is restored, and invalid values become the defaults', () => {
  const defaults = { width: 'medium', size: 19, letters: 'serif' }
  expect(readLook('{"width":"wide","size":24,"letters":"sans"}')).toEqual({ width: 'wide', size: 24, letters: 'sans' })
  expect(readLook('{"width":"huge","size":24.5,"letters":7}')).toEqual(defaults)
  for (const text of [null, '', '{', 'null', '"x"', '[]']) expect(readLook(text)).toEqual(defaults)
})

test('letters grow and shrink in steps between a minimum and a maximum', () => {
  expect(otherSize(19, 1)).toBe(21)
  expect(otherSize(15, -1)).toBe(15)
  expect(otherSize(28, 1)).toBe(28)
})
