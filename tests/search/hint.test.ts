import { expect, test } from 'vitest'
import type { Group } from '../../src-main/search/groups.ts'
import { filterWords, pastEnd, relaxedHint } from '../../src-main/search/hint.ts'
import type { Instead } from '../../src-main/search/wordings.ts'

function group(typed: string, more: Partial<Group> = {}): Group {
  return { typed, term: typed, alternatives: [], weight: 1, empty: false, held: 1, instead: undefined, ...more }
}

const groups = [group('async'), group('rust'), group('talks'), group('the', { empty: true })]

test.for([
  ['nothing behind exact matches', 3, [], undefined],
  [
    'other forms behind one exact match',
    1,
    [0b111],
    'The first bookmark has all words as typed; the rest other forms of them.'
  ],
  [
    'parts behind exact matches',
    2,
    [0b111, 0b011],
    'The first 2 bookmarks have all words as typed; the rest only some of them.'
  ],
  [
    'other forms alone',
    0,
    [0b111, 0b111],
    'No bookmark has exactly these words; these have other forms of them, or words that begin with the last.'
  ],
  [
    'other forms, then parts',
    0,
    [0b111, 0b001],
    'The first bookmark has other forms of all words; the rest only some of them.'
  ],
  [
    'most of the words',
    0,
    [0b011],
    'No bookmark has all of: async, rust, talks. Showing those with most of them; none of these has “talks”. 1 bookmark has “talks”.'
  ],
  [
    'some of the words',
    0,
    [0b001, 0b010],
    'No bookmark has all of: async, rust, talks. Showing those with some of them; none of these has “talks”. 1 bookmark has “talks”.'
  ]
] satisfies [string, number, number[], string | undefined][])('%s', ([, exact, shown, note]) => {
  expect(relaxedHint({ groups, exact, shown, filtered: false }).note).toBe(note)
})

test.for([
  [{ by: 'spelling', words: ['rust'] }, 'No bookmark has “rsut”; searched for “rust”.'],
  [{ by: 'form', words: ['a', 'b'] }, 'No bookmark has “rsut”; searched for “a” or “b”.'],
  [{ by: 'parts', words: ['open sound'] }, 'No bookmark has “rsut” as one word; searched for “open sound”.'],
  [{ by: 'beginning', words: ['rsut…'] }, 'No bookmark has the word “rsut”; searched for words that begin with it.'],
  [
    { by: 'part', words: [...'abcdef'] },
    'No whole word matches “rsut”; searched for words that hold it: “a”, “b”, “c”, “d”, “e” ….'
  ]
] satisfies [Instead, string][])('what stands in for a word is said: %j', ([instead, note]) => {
  expect(relaxedHint({ groups: [group('rsut', { instead })], exact: 0, shown: [0b1], filtered: false }).note).toBe(note)
})

test('a run of characters is named whole, and only where none of its pairs is there is it missing', () => {
  const pairs = ['中文', '文文', '文档'].map((typed) => group(typed, { term: '中文文档' }))
  const { note, relaxed } = relaxedHint({
    groups: [...pairs, group('rust')],
    exact: 0,
    shown: [0b0001],
    filtered: false
  })
  expect(note).toBe(
    'No bookmark has all of: 中文文档, rust. Showing those with some of them; none of these has “rust”. 1 bookmark has “rust”.'
  )
  expect(relaxed).toEqual({ words: ['中文文档', 'rust'], absent: ['rust'] })
})

test.for([
  [{}, 'none of these has “go” or “rust”. 13 bookmarks have “rust”.'],
  [{ held: 101 }, 'none of these has “go” or “rust”. 40 bookmarks have “go”.'],
  [{ filtered: true }, 'none of these has “go” or “rust”.']
] as const)('the rarest of the missing words is told with its number, but not beside filters: %j', ([more, note]) => {
  const { held = 13, filtered = false } = more as { held?: number; filtered?: boolean }
  const some = [group('async'), group('go', { held: 40 }), group('rust', { held })]
  expect(relaxedHint({ groups: some, exact: 0, shown: [0b1], filtered }).note).toContain(note)
})

test('where nothing is worth showing, the words nobody has are named, and those that are worth asking alone', () => {
  const some = [group('volvo'), group('diesel'), group('xylophone', { held: 0 })]
  expect(relaxedHint({ groups: some, exact: 0, shown: [], filtered: false }).note).toBe(
    'No bookmark has “xylophone”. None has enough of the rest together; try one of “volvo” and “diesel” alone.'
  )
  expect(relaxedHint({ groups: [group('x', { held: 0 })], exact: 0, shown: [], filtered: false }).note).toBe(
    'No bookmark has “x”.'
  )
})

test('where filters leave bookmarks out, only those they let pass are spoken of', () => {
  const some = [group('volvo'), group('xylophone', { held: 0 })]
  expect(relaxedHint({ groups: some, exact: 0, shown: [], filtered: true }).note).toMatch(
    /^With these filters no bookmark has “xylophone”/
  )
})

test('filters are said in words', () => {
  const filter = { tags: ['a', 'b'], domain: 'x.example', is: ['broken' as const], before: 0, untagged: true }
  expect(filterWords([filter])).toEqual([
    'tags “a” and “b”',
    'domain “x.example”',
    'is:broken',
    'before:1970-01-01',
    'is:untagged'
  ])
})

test.for([
  [3, 5, 4, false, 'Page 3 is past the end: there is one page.'],
  [9, 5, 12, false, 'Page 9 is past the end: there are 3 pages.'],
  [900, 100, 100, true, 'Page 900 is further than a search goes: narrow it by more words or a filter.']
] as const)('page %i', ([page, limit, total, atLeast, said]) => {
  expect(pastEnd(page, limit, total, atLeast)).toBe(said)
})
