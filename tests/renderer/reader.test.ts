// The reader: the parts of a text, search within it, and its appearance.

import { lexer } from 'marked'
import { expect, test } from 'vitest'
import { findInTexts, MAX_MATCHES } from '../../src-renderer/features/bookmarks/reader/find.tsx'
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
  [['Élan, elan and ÉLAN', 'aaaa'], 'elan', ['Élan', 'elan', 'ÉLAN']],
  [['aaaa'], 'aa', ['aa', 'aa']],
  [['İstanbul ıs here'], 'istanbul', ['İstanbul']],
  [['東京と京都', '서울'], '京', ['京', '京']],
  [['서울 서'], '서', ['서', '서']],
  [['שָׁלוֹם שלום'], 'שלום', ['שלום']],
  [['The pati', 'ent', ' gardener counts'], 'patient gard', ['pati| gard']],
  [['one\ntwo'], 'one two', ['one\ntwo']],
  [['text'], ' ', []],
  [[], 'text', []],
  [['text'], 'texts', []]
] as const)('in the texts %j, “%s” is found as %j', ([texts, typed, expected]) => {
  const matches = findInTexts([...texts], typed).map(({ from, to }) =>
    from.text === to.text
      ? texts[from.text]?.slice(from.at, to.at)
      : `${texts[from.text]?.slice(from.at)}|${texts[to.text]?.slice(0, to.at)}`
  )
  expect(matches).toEqual(expected)
})

test('a search stops at the maximum number of matches', () => {
  expect(findInTexts(['a'.repeat(5000)], 'a')).toHaveLength(MAX_MATCHES)
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
