import { expect, test } from 'vitest'
import type { BookmarkQuery } from '../../src-main/contract/bookmark.ts'
import { type Count, explainEmpty, type Lookup } from '../../src-main/search/empty-hint.ts'
import { parseQuery } from '../../src-main/search/query.ts'
import type { ParsedQuery } from '../../src-main/search/query-nodes.ts'

const NONE: Count = { total: 0, atLeast: false, whole: true }
const TWO: Count = { total: 2, atLeast: false, whole: true }

/** Explains why nothing is found, where searches find two bookmarks once `passes` is true of them. */
function explained(
  query: Partial<BookmarkQuery>,
  passes: (query: BookmarkQuery, parsed: ParsedQuery | undefined) => boolean,
  more: Partial<Lookup> = {}
): string | undefined {
  const parsed = query.words === undefined ? undefined : parseQuery(query.words)
  return explainEmpty({ page: 3, limit: 20, ...query }, parsed, {
    count: (asked, words) => (passes(asked, words) ? TWO : NONE),
    tries: 3,
    nearestTag: () => undefined,
    nearestSite: () => undefined,
    ...more
  })
}

test('an excluded word that emptied a search is named, and how many there are with it', () => {
  expect(explained({ words: 'rust -book' }, (_, parsed) => parsed?.none.length === 0)).toBe(
    'Nothing matches without what was left out; with it 2 bookmarks match.'
  )
})

test('a tag nobody has is named with the nearest one', () => {
  const said = explained({ words: 'x tag:rsut' }, ({ tags }, parsed) => !tags && parsed?.filters.length === 0, {
    nearestTag: (tag) => (tag === 'rsut' ? 'rust' : undefined)
  })
  expect(said).toBe('No bookmark has the tag “rsut”; the nearest there is: “rust”. Without it 2 bookmarks match.')
})

test('a site nobody has is named with the nearest one', () => {
  const said = explained({ domain: 'docker.org' }, () => false, { nearestSite: () => 'docker.com' })
  expect(said).toBe('No bookmark has the domain “docker.org”; the nearest there is: “docker.com”.')
})

test('the one filter without which something is found is named, beside the words or in them', () => {
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

test('a filter that is the only one is named without a try, and of several none where none may be tried', () => {
  const bare = ({ type, visibility }: BookmarkQuery) => !type && !visibility
  expect(explained({ words: 'x', type: 'link' }, bare, { tries: 0 })).toMatch(/^Nothing matches with type “link”;/)
  const anyType = ({ type }: BookmarkQuery) => !type
  expect(explained({ words: 'x', type: 'link', visibility: 'public' }, anyType, { tries: 0 })).toBe(
    'Nothing matches with these filters together; without them 2 bookmarks match.'
  )
})

test('filters that empty a search only together are not named', () => {
  const bare = ({ type, visibility }: BookmarkQuery) => !type && !visibility
  expect(explained({ words: 'x', type: 'link', visibility: 'public' }, bare)).toBe(
    'Nothing matches with these filters together; without them 2 bookmarks match.'
  )
})

test('of a search without filters there is nothing to explain', () => {
  expect(explained({ words: 'x' }, () => true)).toBeUndefined()
})
