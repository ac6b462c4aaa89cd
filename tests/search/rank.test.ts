import { expect, test } from 'vitest'
import { type Rankable, rank } from '../../src-main/search/rank.ts'

const NOTHING: Rankable = { title: '', tags: [], domain: null, url: null, description: '' }

test('a word counts most in the title, then in tags, site, address, description, text', () => {
  const places: Rankable[] = [
    { ...NOTHING, title: 'The rust book' },
    { ...NOTHING, tags: ['Rust'] },
    { ...NOTHING, domain: 'rust-lang.org', url: 'https://rust-lang.org/' },
    { ...NOTHING, domain: 'a.example', url: 'https://a.example/rust' },
    { ...NOTHING, description: 'About rust' },
    NOTHING
  ]
  const scores = places.map((place) => rank(place, ['rust']))
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(new Set(scores).size).toBe(scores.length)
})

test.each([
  ['a short title', 'Rust async', 'Everything there is to know of rust and async in one long title'],
  ['words that stand together', 'On rust async today', 'On rust and async, today'],
  ['a title that begins with them', 'rust async today', 'today rust async'],
  ['a whole word', 'rust async x', 'rusty async x'],
  ['the whole title', 'rust async', 'rust async x']
])('%s comes before another', (_, first, second) => {
  const words = ['rust', 'async']
  expect(rank({ ...NOTHING, title: first }, words)).toBeGreaterThan(rank({ ...NOTHING, title: second }, words))
})

test.each([
  ['C', 'C-3PO'],
  ['Programming in C', 'C-3PO'],
  ['Everything one needs to write small and quick programs in C', 'C-3PO'],
  ['C: a reference', "C'est la vie"]
])('of one letter, a title that has it as a word comes before another that begins with it: %s', (first, second) => {
  expect(rank({ ...NOTHING, title: first }, ['c'])).toBeGreaterThan(rank({ ...NOTHING, title: second }, ['c']))
})

test('a word that also begins another word of the title is whole', () => {
  const scoreOf = (title: string) => rank({ ...NOTHING, title }, ['rust'])
  expect(scoreOf('On rusty rust')).toBe(scoreOf('On rust rusty'))
})
