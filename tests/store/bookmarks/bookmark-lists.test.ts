import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BOOKMARK_TYPES } from '../../../src-main/contract/bookmark.ts'
import { type BookmarkList, FixedOrder } from '../../../src-main/contract/bookmark-list.ts'
import { isState } from '../../../src-main/contract/tag-names.ts'
import { packDrafts } from '../../../src-main/core/packed-drafts.ts'
import { anyToIndex } from '../../../src-main/search/sql/search-index.ts'
import { runs } from '../../support/runs.ts'
import {
  emptyLibrary,
  hasTag,
  imported,
  link,
  listed,
  note,
  PRIVATE,
  PUBLIC,
  settle,
  type TestLibrary,
  titles,
  within
} from '../library.ts'

test('a random list has each bookmark once, in the same order for a seed, also after changes', () => {
  const library = emptyLibrary()
  const drafts = Array.from({ length: 300 }, (_, at) => note({ title: `${at}`, tags: at % 3 ? [] : ['third'] }))
  library.saveBookmarks(PRIVATE, drafts)
  const pagesOf = (seed: number, list: Partial<BookmarkList> = {}) =>
    Array.from({ length: 8 }, (_, at) =>
      listed(library, { ...list, order: `random:${seed}`, page: at + 1, limit: 40 })
    ).flat()
  for (const filter of [{}, { tags: ['third'] }]) {
    const expected = listed(library, { ...filter, limit: 1000 })
    const first = pagesOf(1, filter)
    expect(first).not.toEqual(expected)
    expect(first.toSorted()).toEqual(expected.toSorted())
    expect(pagesOf(1, filter)).toEqual(first)
    expect(pagesOf(2, filter)).not.toEqual(first)
  }
  const before = pagesOf(1)
  const { bookmarks } = library.listBookmarks({ order: 'newest', page: 1, limit: 1 })
  library.changeBookmarks([bookmarks[0]?.id ?? ''], { kind: 'delete' }, 2000)
  library.saveBookmarks(PRIVATE, [note({ title: 'later' })])
  expect(pagesOf(1).filter((title) => title !== 'later')).toEqual(before.filter((title) => title !== '299'))
})

const SITES = ['a.example', 'docs.a.example', 'b.test', null]
const TAGS = ['Work', 'work/Client', 'work/client/x', 'workshop', 'ärzte', '読書', 'Favorite', 'unread']
const ASKED_TAGS = ['work', 'WORK/', '=Work', 'work/client', 'ÄRZTE', '読書', 'none', 'none/', '=none', 'favorite']

const row = fc.record({
  title: fc.constantFrom('a', 'B', 'c', ''),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
  site: fc.constantFrom(...SITES),
  type: fc.constantFrom(...BOOKMARK_TYPES),
  place: fc.nat({ max: 3 }),
  createdAt: fc.nat({ max: 9 }),
  openedAt: fc.option(fc.nat({ max: 3 })),
  deleted: fc.boolean()
})
const rows = fc.array(row, { minLength: 1, maxLength: 80, size: 'max' })
const option = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 })
const list = fc.record({
  tags: option(fc.uniqueArray(fc.constantFrom(...ASKED_TAGS), { minLength: 1, maxLength: 2 })),
  domain: option(fc.constantFrom('a.example', 'www.docs.a.example', 'example')),
  type: option(fc.constantFrom(...BOOKMARK_TYPES)),
  visibility: option(fc.constantFrom('private' as const, 'public' as const, 'organization' as const)),
  organization: option(fc.nat({ max: 1 })),
  after: option(fc.nat({ max: 9 })),
  before: option(fc.nat({ max: 10 })),
  untagged: option(fc.boolean()),
  opened: option(fc.boolean()),
  order: fc.constantFrom(...FixedOrder.options),
  limit: fc.constantFrom(1, 7, 100)
})
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never
type List = typeof list extends fc.Arbitrary<infer T> ? T : never

/** The ids of every page of a list. */
function pages(library: TestLibrary, { order, limit, ...filters }: Omit<BookmarkList, 'page'>) {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { total, atLeast, bookmarks } = library.listBookmarks({ ...filters, order, limit, page })
    ids.push(...bookmarks.map(({ id }) => id))
    if (bookmarks.length < limit) {
      expect([total, atLeast]).toEqual([ids.length, false])
      return ids
    }
  }
}

function passes(row: Row, list: List): boolean {
  const { tags, domain, type, visibility, organization, after = 0, before = 10, untagged, opened } = list
  const site = domain?.replace('www.', '')
  const place = ['private', 'public', 'organization', 'organization'][row.place]
  return (
    (tags ?? []).every((tag) => hasTag(row.tags, tag)) &&
    (site === undefined || row.site === site || (row.site ?? '').endsWith(`.${site}`)) &&
    (type === undefined || row.type === type) &&
    (visibility === undefined || place === visibility) &&
    (organization === undefined || row.place === organization + 2) &&
    row.createdAt >= after &&
    row.createdAt < before &&
    (!untagged || row.tags.every(isState)) &&
    (!opened || row.openedAt !== null)
  )
}

function before({ order, opened }: Pick<List, 'order' | 'opened'>) {
  const name = ({ title, site }: Row) => (title || site || '').toLowerCase()
  return (a: Row & { at: number }, b: Row & { at: number }): number => {
    if (opened) return (b.openedAt ?? 0) - (a.openedAt ?? 0) || b.at - a.at
    if (order === 'site' && a.site !== b.site) return (a.site ?? '~') < (b.site ?? '~') ? -1 : 1
    if (order === 'title') return name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a.at - b.at
    return (a.createdAt - b.createdAt || a.at - b.at) * (order === 'oldest' ? 1 : -1)
  }
}

test('random lists have what a scan finds, in order, on pages of any size', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(rows, fc.array(list, { minLength: 30, maxLength: 30 }), (shelf, lists) => {
      const library = emptyLibrary()
      const owners = ['A', 'B'].map((name) => library.createOrganization(name, 1).rowId)
      const places = [PRIVATE, PUBLIC, ...owners.map(within)]
      const saved = shelf.map((row, at) => {
        const { site, place, deleted, openedAt, ...facts } = row
        const draft = site === null ? note(facts) : link(`https://${site}/${at}`, facts)
        const id = library.saveBookmarks(places[place] ?? PRIVATE, [draft])[0]?.id ?? ''
        if (openedAt !== null) library.noteOpenings([id], openedAt)
        if (deleted) library.changeBookmarks([id], { kind: 'delete' }, 2000)
        return { ...row, id, at }
      })
      for (const list of lists) {
        const expected = saved.filter((row) => !row.deleted && passes(row, list)).toSorted(before(list))
        const organization = list.organization === undefined ? undefined : owners[list.organization]
        const fields = Object.entries({ ...list, organization }).filter(([, value]) => value !== undefined)
        expect(pages(library, Object.fromEntries(fields) as never)).toEqual(expected.map((row) => row.id))
      }
    }),
    { numRuns: runs(20, 200) }
  )
})

test('pages opened last are listed first without a change of the bookmark, up to a thousand', () => {
  const library = emptyLibrary()
  const drafts = Array.from({ length: 1002 }, (_, at) => note({ title: `${at}` }))
  const ids = library.saveBookmarks(PRIVATE, drafts).map(({ id }) => id)
  const [first = '', second = ''] = ids
  const untouched = library.findBookmark(first)
  library.noteOpenings(ids, 1)
  expect(listed(library, { opened: true, limit: 2000 })).toEqual(ids.slice(2).map((_, at) => `${1001 - at}`))
  library.noteOpenings([second], 2)
  library.noteOpenings([first, 'unknown'], 3)
  expect(listed(library, { opened: true, limit: 3 })).toEqual(['0', '1', '1001'])
  expect(library.findBookmark(first)).toEqual(untouched)
  library.changeBookmarks([first], { kind: 'delete' }, 4)
  expect(listed(library, { opened: true, limit: 1 })).toEqual(['1'])
})

test('lists by a new tag and without a removed one are complete before the index is', () => {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    Array.from({ length: 300 }, () => note({ tags: ['a'] }))
  )
  const page = { order: 'newest' as const, untagged: true, page: 1, limit: 1 }
  expect(library.listBookmarks(page).total).toBe(0)
  library.renameTag('a', 'b', 1500)
  expect(anyToIndex(library.db)).toBe(true)
  expect(library.listBookmarks({ ...page, untagged: false, tags: ['b'], visibility: 'private' }).total).toBe(300)
  settle(library)
  library.deleteTag('b', 2000)
  expect(anyToIndex(library.db)).toBe(true)
  expect(library.listBookmarks(page).total).toBe(300)
  settle(library)
  expect(library.listBookmarks(page).total).toBe(300)
})

test('a filter that only old bookmarks match finds them all', () => {
  const library = emptyLibrary()
  const drafts = Array.from({ length: 2000 }, (_, index) =>
    note({ title: `${index}`, createdAt: index, tags: index < 1000 ? ['old'] : [] })
  )
  library.saveBookmarks(PRIVATE, drafts)
  const { total, bookmarks } = library.listBookmarks({ order: 'newest', tags: ['old'], page: 1, limit: 2 })
  expect(total).toBe(1000)
  expect(bookmarks.map(({ title }) => title)).toEqual(['999', '998'])
})

test.for([0, 100])('an import lists what it added or restored and is not deleted, beside %d others', (others) => {
  const library = emptyLibrary()
  const saved = library.saveBookmarks(PRIVATE, [link('https://a.example/back', { title: 'back' })])
  library.changeBookmarks([saved[0]?.id ?? ''], { kind: 'delete' }, 2000)
  const pages = ['one', 'two', 'gone', 'back'].map((title) => link(`https://a.example/${title}`, { title }))
  const id = library.beginImport(3000)
  library.importBookmarks(id, [packDrafts(pages.map((page) => imported(page, PUBLIC)))])
  const [gone] = library.listBookmarks({ order: 'newest', import: id, page: 1, limit: 2 }).bookmarks
  library.changeBookmarks([gone?.id ?? ''], { kind: 'delete' }, 4000)
  library.saveBookmarks(
    PUBLIC,
    Array.from({ length: others }, (_, at) => link(`https://b.example/${at}`, { title: 'two' }))
  )
  settle(library)

  const { total, bookmarks } = library.listBookmarks({ order: 'newest', import: id, page: 1, limit: 9 })
  expect({ total, titles: bookmarks.map(({ title }) => title) }).toEqual({ total: 3, titles: ['two', 'one', 'back'] })
  expect(titles(library, { words: `import:${id}` })).toEqual(['two', 'one', 'back'])
  expect(titles(library, { words: `two import:${id}` })).toEqual(['two'])
  expect(titles(library, { words: 'two', import: id })).toEqual(['two'])
  expect(titles(library, { words: `-import:${id}` })).toHaveLength(others)
  expect(library.countMatching({ import: id, trash: 'without' })).toBe(3)
  expect(listed(library, { import: id + 1 })).toEqual([])

  const organization = library.createOrganization('Acme', 1).rowId
  expect(titles(library, { words: `import:${id}` }, { owner: organization, readOnly: true })).toEqual([])
})

test('past bookmarks are random, old, not deleted and not repeated', () => {
  const library = emptyLibrary()
  const past: (...args: Parameters<typeof library.pastBookmarks>) => string[] = (...args) =>
    library.pastBookmarks(...args).map(({ id }) => id)
  expect(past(5000, [], 3)).toEqual([])
  const drafts = Array.from({ length: 9 }, (_, at) => note({ title: `${at}`, createdAt: at < 6 ? 1000 : 9000 }))
  const ids = library.saveBookmarks(PRIVATE, drafts).map(({ id }) => id)
  const first = past(5000, [], 3)
  const others = past(5000, first, 3)
  expect([...first, ...others].sort()).toEqual(ids.slice(0, 6).sort())
  library.changeBookmarks(first, { kind: 'delete' }, 9500)
  expect(past(5000, [], 9).sort()).toEqual(others.sort())
})

test('past bookmarks were not opened since', () => {
  const library = emptyLibrary()
  const drafts = ['one', 'two', 'three'].map((title) => note({ title, createdAt: 1000 }))
  const [one = '', two = '', three = ''] = library.saveBookmarks(PRIVATE, drafts).map(({ id }) => id)
  library.noteOpenings([one], 6000)
  library.noteOpenings([two], 2000)
  const given = library.pastBookmarks(5000, [], 3).map(({ id }) => id)
  expect(given.sort()).toEqual([two, three].sort())
})
