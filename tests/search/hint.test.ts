import { expect, test } from 'vitest'
import type { BookmarkQuery } from '../../src-main/contract/bookmark.ts'
import { type Count, explainEmpty, filterWords, type Lookup, pastEnd } from '../../src-main/search/empty-hint.ts'
import type { Group } from '../../src-main/search/groups.ts'
import { relaxedHint } from '../../src-main/search/hint.ts'
import { parseQuery } from '../../src-main/search/query.ts'
import type { ParsedQuery } from '../../src-main/search/query-nodes.ts'
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
] satisfies [string, number, number[], string | undefined][])(
  'the hint says which bookmarks match how: %s',
  ([, exact, shown, note]) => {
    expect(relaxedHint({ groups, exact, shown, filtered: false }).note).toBe(note)
  }
)

test.for([
  [{ by: 'spelling', words: ['rust'] }, 'No bookmark has “rsut”; searched for “rust”.'],
  [{ by: 'form', words: ['a', 'b'] }, 'No bookmark has “rsut”; searched for “a” or “b”.'],
  [{ by: 'parts', words: ['open sound'] }, 'No bookmark has “rsut” as one word; searched for “open sound”.'],
  [{ by: 'beginning', words: ['rsut…'] }, 'No bookmark has the word “rsut”; searched for words that begin with it.'],
  [
    { by: 'part', words: [...'abcdef'] },
    'No whole word matches “rsut”; searched for words that hold it: “a”, “b”, “c”, “d”, “e” ….'
  ]
] satisfies [Instead, string][])('the hint names the replacement of a word: %j', ([instead, note]) => {
  expect(relaxedHint({ groups: [group('rsut', { instead })], exact: 0, shown: [0b1], filtered: false }).note).toBe(note)
})

test('an unspaced run is named as a whole, and is missing only if none of its pairs is found', () => {
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
] as const)('the rarest missing word has its count, unless a filter is set: %j', ([more, note]) => {
  const { held = 13, filtered = false } = more as { held?: number; filtered?: boolean }
  const missing = [group('async'), group('go', { held: 40 }), group('rust', { held })]
  expect(relaxedHint({ groups: missing, exact: 0, shown: [0b1], filtered }).note).toContain(note)
})

test('a search without a result names unknown words, and the words worth a search of their own', () => {
  const missing = [group('volvo'), group('diesel'), group('xylophone', { held: 0 })]
  expect(relaxedHint({ groups: missing, exact: 0, shown: [], filtered: false }).note).toBe(
    'No bookmark has “xylophone”. None has enough of the rest together; try one of “volvo” and “diesel” alone.'
  )
  expect(relaxedHint({ groups: [group('x', { held: 0 })], exact: 0, shown: [], filtered: false }).note).toBe(
    'No bookmark has “x”.'
  )
})

test('with filters, the hint speaks of the filtered bookmarks only', () => {
  const missing = [group('volvo'), group('xylophone', { held: 0 })]
  expect(relaxedHint({ groups: missing, exact: 0, shown: [], filtered: true }).note).toMatch(
    /^With these filters no bookmark has “xylophone”/
  )
})

test('filters are described in words', () => {
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
] as const)('a page %i past the end is explained', ([page, limit, total, atLeast, hint]) => {
  expect(pastEnd(page, limit, total, atLeast)).toBe(hint)
})

const NONE: Count = { total: 0, atLeast: false, whole: true }
const TWO: Count = { total: 2, atLeast: false, whole: true }

/** Explains an empty search; a search that `passes` accepts finds two bookmarks. */
function explained(
  query: Partial<BookmarkQuery>,
  passes: (query: BookmarkQuery, parsed: ParsedQuery | undefined) => boolean,
  more: Partial<Lookup> = {}
): string | undefined {
  const parsed = query.words === undefined ? undefined : parseQuery(query.words)
  return explainEmpty({ page: 3, limit: 20, ...query }, parsed, {
    count: (filters, words) => (passes(filters, words) ? TWO : NONE),
    nearestTag: () => undefined,
    nearestSite: () => undefined,
    anyLinkChecked: () => true,
    ...more
  })
}

test('an excluded word that empties a search is named, with the number of bookmarks that have it', () => {
  expect(explained({ words: 'rust -book' }, (_, parsed) => parsed?.none.length === 0)).toBe(
    'Nothing matches without what was left out; with it 2 bookmarks match.'
  )
})

test('an unknown tag is named, with the nearest one', () => {
  const hint = explained({ words: 'x tag:rsut' }, ({ tags }, parsed) => !tags && parsed?.filters.length === 0, {
    nearestTag: (tag) => (tag === 'rsut' ? 'rust' : undefined)
  })
  expect(hint).toBe('No bookmark has the tag “rsut”; the nearest there is: “rust”. Without it 2 bookmarks match.')
})

test('an unknown domain is named, with the nearest one', () => {
  const hint = explained({ domain: 'docker.org' }, () => false, { nearestSite: () => 'docker.com' })
  expect(hint).toBe('No bookmark has the domain “docker.org”; the nearest there is: “docker.com”.')
})

test('the filter that empties a search is named, also if it is one of the words', () => {
  expect(explained({ words: 'x', type: 'link', visibility: 'public' }, ({ type }) => type === undefined)).toBe(
    'Nothing matches with type “link”; without it 2 bookmarks match.'
  )
  const inWords = explained({ words: 'x type:link before:2020' }, (_, parsed) =>
    Boolean(parsed && !parsed.filters.some(({ before }) => before))
  )
  expect(inWords).toBe('Nothing matches with before:2020-01-01; without it 2 bookmarks match.')
  expect(explained({ words: 'x is:broken' }, (_, parsed) => parsed?.is === undefined)).toBe(
    'Nothing matches with is:broken; without it 2 bookmarks match.'
  )
})

test('a single filter is named without a further search', () => {
  const bare = ({ type }: BookmarkQuery) => !type
  expect(explained({ words: 'x', type: 'link' }, bare)).toMatch(/^Nothing matches with type “link”;/)
})

test('filters that empty a search only together are not named', () => {
  const bare = ({ type, visibility }: BookmarkQuery) => !type && !visibility
  expect(explained({ words: 'x', type: 'link', visibility: 'public' }, bare)).toBe(
    'Nothing matches with these filters together; without them 2 bookmarks match.'
  )
})

test('a search without filters has no explanation', () => {
  expect(explained({ words: 'x' }, () => true)).toBeUndefined()
})
