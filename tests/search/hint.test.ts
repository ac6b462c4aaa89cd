import { expect, test } from 'vitest'
import type { BookmarkQuery } from '../../src-main/contract/bookmark.ts'
import { type Count, explainEmpty, type Lookup, pastEndHint } from '../../src-main/search/empty-hint.ts'
import type { Group } from '../../src-main/search/groups.ts'
import { relaxedHint } from '../../src-main/search/hint.ts'
import { describeFilters } from '../../src-main/search/obstacles.ts'
import { parseQuery } from '../../src-main/search/query.ts'
import type { ParsedQuery } from '../../src-main/search/query-nodes.ts'
import type { Replacement } from '../../src-main/search/wordings.ts'

function group(typed: string, more: Partial<Group> = {}): Group {
  return {
    typed,
    term: typed,
    alternatives: [],
    weight: 1,
    isStopWord: false,
    matchCount: 1,
    replacement: undefined,
    ...more
  }
}

const groups = [group('async'), group('rust'), group('talks'), group('the', { isStopWord: true })]

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
    expect(relaxedHint({ groups, exact, shown, leftOut: undefined }).note).toBe(note)
  }
)

test.for([
  [{ by: 'spelling', words: ['rust'] }, 'No bookmark has “rsut”; searched for “rust”.'],
  [{ by: 'form', words: ['a', 'b'] }, 'No bookmark has “rsut”; searched for “a” or “b”.'],
  [{ by: 'parts', words: ['open sound'] }, 'No bookmark has “rsut” as one word; searched for “open sound”.'],
  [{ by: 'beginning', words: ['rsut…'] }, 'No bookmark has the word “rsut”; searched for words that begin with it.'],
  [
    { by: 'part', words: [...'abcdef'] },
    'No whole word matches “rsut”; searched for words that contain it: “a”, “b”, “c”, “d”, “e” ….'
  ]
] satisfies [Replacement, string][])('the hint names the replacement of a word: %j', ([replacement, note]) => {
  expect(
    relaxedHint({ groups: [group('rsut', { replacement })], exact: 0, shown: [0b1], leftOut: undefined }).note
  ).toBe(note)
})

test('an unspaced run is named as a whole, and is missing only if none of its pairs is found', () => {
  const pairs = ['中文', '文文', '文档'].map((typed) => group(typed, { term: '中文文档' }))
  const { note, relaxed } = relaxedHint({
    groups: [...pairs, group('rust')],
    exact: 0,
    shown: [0b0001],
    leftOut: undefined
  })
  expect(note).toBe(
    'No bookmark has all of: 中文文档, rust. Showing those with some of them; none of these has “rust”. 1 bookmark has “rust”.'
  )
  expect(relaxed).toEqual({ words: ['中文文档', 'rust'], absent: ['rust'] })
})

test.for([
  [{}, 'none of these has “go” or “rust”. 13 bookmarks have “rust”.'],
  [{ matchCount: 101 }, 'none of these has “go” or “rust”. 40 bookmarks have “go”.'],
  [{ leftOut: 'filters' }, 'none of these has “go” or “rust”.']
] as const)('the rarest missing word has its count, unless a filter is set: %j', ([more, note]) => {
  const { matchCount = 13, leftOut } = more as { matchCount?: number; leftOut?: 'filters' }
  const missing = [group('async'), group('go', { matchCount: 40 }), group('rust', { matchCount })]
  expect(relaxedHint({ groups: missing, exact: 0, shown: [0b1], leftOut }).note).toContain(note)
})

test('a search without a result names unknown words, and the words worth a search of their own', () => {
  const missing = [group('volvo'), group('diesel'), group('xylophone', { matchCount: 0 })]
  expect(relaxedHint({ groups: missing, exact: 0, shown: [], leftOut: undefined }).note).toBe(
    'No bookmark has “xylophone”. None has enough of the rest together; try one of “volvo” and “diesel” alone.'
  )
  expect(relaxedHint({ groups: [group('x', { matchCount: 0 })], exact: 0, shown: [], leftOut: undefined }).note).toBe(
    'No bookmark has “x”.'
  )
})

test('with filters, the hint speaks of the filtered bookmarks only', () => {
  const missing = [group('volvo'), group('xylophone', { matchCount: 0 })]
  expect(relaxedHint({ groups: missing, exact: 0, shown: [], leftOut: 'filters' }).note).toMatch(
    /^With these filters no bookmark has “xylophone”/
  )
})

test('filters are described in words', () => {
  const filter = { tags: ['a', 'b'], domain: 'x.example', is: ['broken' as const], before: 60_000, untagged: true }
  expect(describeFilters([filter])).toEqual([
    'tags “a” and “b”',
    'domain “x.example”',
    'is:broken',
    'before:1970-01-01T00:01Z',
    'is:untagged'
  ])
})

test.for([
  [3, 5, 4, false, 'Page 3 is past the end: there is one page.'],
  [9, 5, 12, false, 'Page 9 is past the end: there are 3 pages.'],
  [900, 100, 100, true, 'Page 900 is further than a search goes: narrow the search by more words or a filter.']
] as const)('a page %i past the end is explained', ([page, limit, total, atLeast, hint]) => {
  expect(pastEndHint(page, limit, total, atLeast)).toBe(hint)
})

const NONE: Count = { total: 0, atLeast: false, hasAllWords: true }
const TWO: Count = { total: 2, atLeast: false, hasAllWords: true }

/** Explains an empty search; a search that `passes` accepts finds two bookmarks. */
function explained(
  query: Partial<BookmarkQuery>,
  passes: (query: BookmarkQuery, parsed: ParsedQuery | undefined) => boolean,
  more: Partial<Lookup> = {}
): string | undefined {
  const parsed = query.words === undefined ? undefined : parseQuery(query.words)
  const count: Lookup['count'] = (filters, words) => (passes(filters, words) ? TWO : NONE)
  return explainEmpty({ page: 3, limit: 20, ...query }, parsed, {
    count,
    countAsTyped: count,
    nearestTag: () => undefined,
    nearestSite: () => undefined,
    anyLinkChecked: () => true,
    ...more
  })
}

/** Whether a search is only for a filter by itself, which has bookmarks. */
const isAlone = ({ words }: BookmarkQuery, parsed: ParsedQuery | undefined) => words === undefined && !parsed

test('an excluded word that empties a search is named, with the number of bookmarks that have it', () => {
  expect(explained({ words: 'rust -book' }, (_, parsed) => parsed?.excludedTerms.length === 0)).toBe(
    'Nothing matches with -book; without it 2 bookmarks match.'
  )
})

test('an unknown tag is named, with the nearest one if that finds something', () => {
  const passes = ({ tags }: BookmarkQuery, parsed?: ParsedQuery) =>
    !tags && parsed?.filters.every(({ tags }) => tags?.[0] === 'rust') === true
  const near = { nearestTag: (tag: string) => (tag === 'rsut' ? 'rust' : 'other') }
  expect(explained({ words: 'x tag:rsut' }, passes, near)).toBe(
    'No bookmark has the tag “rsut”; the nearest tag is “rust”, with which 2 bookmarks match. Without it 2 bookmarks match.'
  )
  expect(explained({ words: 'x tag:y' }, passes, near)).toBe(
    'No bookmark has the tag “y”. Without it 2 bookmarks match.'
  )
})

test('an unknown tag and an unknown domain are named, each with the nearest one', () => {
  const near = { nearestTag: () => 'rust', nearestSite: () => 'docker.com' }
  const hint = explained(
    { tags: ['rsut'], domain: 'docker.org' },
    ({ tags, domain }) => tags?.[0] === 'rust' && domain === 'docker.com',
    near
  )
  expect(hint).toBe(
    'No bookmark has the tag “rsut”; the nearest tag is “rust”. ' +
      'No bookmark has the domain “docker.org”; the nearest domain is “docker.com”. With these 2 bookmarks match.'
  )
  expect(explained({ tags: ['rsut'], domain: 'docker.org' }, () => false, near)).toBe(
    'No bookmark has the tag “rsut”. No bookmark has the domain “docker.org”.'
  )
})

test('an unknown domain is named, with the nearest one', () => {
  const hint = explained({ domain: 'docker.org' }, ({ domain }) => domain === 'docker.com', {
    nearestSite: () => 'docker.com'
  })
  expect(hint).toBe(
    'No bookmark has the domain “docker.org”; the nearest domain is “docker.com”, with which 2 bookmarks match.'
  )
})

test.for<[string, string, (parsed: ParsedQuery) => boolean]>([
  [
    'x type:link before:2020',
    'before:2020-01-01',
    ({ filters }) => !filters.some(({ before }) => before !== undefined)
  ],
  [
    'x after:2025 before:2024',
    'after:2025-01-01 before:2024-01-01',
    ({ filters }) => !filters.some(({ after }) => after)
  ],
  ['x is:broken', 'is:broken', ({ filters }) => filters.length === 0],
  ['x -tag:a', '-tag:a', ({ excludedFilters }) => excludedFilters.length === 0],
  ['x -site:a.example', '-site:a.example', ({ excludedFilters }) => excludedFilters.length === 0],
  ['x (tag:a OR y)', 'what is in brackets', ({ nodes }) => nodes.length === 0]
])('%s: %s empties the search', ([words, name, passes]) => {
  expect(
    explained({ words }, (query, parsed) => isAlone(query, parsed) || (parsed !== undefined && passes(parsed)))
  ).toBe(`Nothing matches with ${name}; without it 2 bookmarks match.`)
})

test('of several filters, the one is named without which all words are found', () => {
  const hint = explained(
    { words: 'x', type: 'link', visibility: 'public' },
    ({ visibility }) => visibility === undefined,
    {
      countAsTyped: () => NONE,
      count: ({ type, visibility }) =>
        visibility === undefined ? TWO : type === undefined ? { ...TWO, total: 60, hasAllWords: false } : NONE
    }
  )
  expect(hint).toBe('Nothing matches with visibility “public”; without it 2 bookmarks match.')
})

test('filters that have to go together are named together', () => {
  const bare = ({ type, visibility }: BookmarkQuery) => !type && !visibility
  expect(explained({ words: 'x tag:a', type: 'link', visibility: 'public' }, bare)).toBe(
    'Nothing matches with type “link” and visibility “public”; without them 2 bookmarks match.'
  )
})

test('tags that no bookmark has together are offered as alternatives', () => {
  const passes = ({ tags, anyTag }: BookmarkQuery) => anyTag !== undefined || tags?.length === 1
  expect(explained({ words: 'x', tags: ['a', 'b c'] }, passes)).toBe(
    'No bookmark has the tags “a” and “b c” together; search for “x (tag:a OR tag:"b c")” without tags beside it: ' +
      '2 bookmarks match. Without tag “a” 2 bookmarks match.'
  )
})

test('before the first check of links, is:broken says so', () => {
  const hint = explained({ words: 'x is:broken' }, (_, parsed) => parsed?.filters.length === 0, {
    anyLinkChecked: () => false
  })
  expect(hint).toBe('No link was checked yet, so none is known as broken or moved. Without it 2 bookmarks match.')
})

test('a search without filters has no explanation', () => {
  expect(explained({ words: 'x' }, () => true)).toBeUndefined()
})
