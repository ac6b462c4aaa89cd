import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BOOKMARK_TYPES } from '../../../src-main/contract/bookmark.ts'
import { type BookmarkList, KeptOrder } from '../../../src-main/contract/bookmark-list.ts'
import { isState } from '../../../src-main/contract/state-tags.ts'
import { runs } from '../../support/runs.ts'
import {
  emptyLibrary,
  hasTag,
  link,
  listed,
  note,
  PRIVATE,
  PUBLIC,
  settle,
  type TestLibrary,
  within
} from '../library.ts'

test('a list goes by the bookmarks’ own dates, not by when they were saved; the last saved of a date is newer', () => {
  const library = emptyLibrary()
  const dates = { old: 10, first: 20, second: 20, new: 30 }
  const titles = ['new', 'first', 'old', 'second'] as const
  library.saveBookmarks(
    PRIVATE,
    titles.map((title) => note({ title, createdAt: dates[title] }))
  )
  expect(listed(library)).toEqual(['new', 'second', 'first', 'old'])
  expect(listed(library, { order: 'oldest' })).toEqual(['old', 'first', 'second', 'new'])
})

test('a list by title minds no case, and what has no title goes by its site', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [
    note({ title: 'cherry' }),
    link('https://banana.example/', { title: '' }),
    note({ title: 'Apple' }),
    note({ title: 'Date' })
  ])
  expect(listed(library, { order: 'title' })).toEqual(['Apple', '', 'cherry', 'Date'])
})

test('a random list holds all once over its pages, the same for a seed, though bookmarks are saved and deleted', () => {
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
  order: fc.constantFrom(...KeptOrder.options),
  limit: fc.constantFrom(1, 7, 100)
})
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never
type List = typeof list extends fc.Arbitrary<infer T> ? T : never

/** Every page of a list, one after the other. */
function pages(library: TestLibrary, { order, limit, ...filters }: Omit<BookmarkList, 'page'>) {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { total, atLeast, bookmarks } = library.listBookmarks({ ...filters, order, limit, page })
    ids.push(...bookmarks.map((one) => one.id))
    if (bookmarks.length < limit) {
      expect([total, atLeast]).toEqual([ids.length, false])
      return ids
    }
  }
}

function passes(one: Row, list: List): boolean {
  const { tags, domain, type, visibility, organization, after = 0, before = 10, untagged, opened } = list
  const site = domain?.replace('www.', '')
  const place = ['private', 'public', 'organization', 'organization'][one.place]
  return (
    (tags ?? []).every((tag) => hasTag(one.tags, tag)) &&
    (site === undefined || one.site === site || (one.site ?? '').endsWith(`.${site}`)) &&
    (type === undefined || one.type === type) &&
    (visibility === undefined || place === visibility) &&
    (organization === undefined || one.place === organization + 2) &&
    one.createdAt >= after &&
    one.createdAt < before &&
    (!untagged || one.tags.every(isState)) &&
    (!opened || one.openedAt !== null)
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

test('random lists hold what a scan finds, in order, whatever the page, none twice', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(rows, fc.array(list, { minLength: 30, maxLength: 30 }), (shelf, lists) => {
      const library = emptyLibrary()
      const owners = ['A', 'B'].map((name) => library.createOrganization(name, 1).rowId)
      const places = [PRIVATE, PUBLIC, ...owners.map(within)]
      const saved = shelf.map((one, at) => {
        const { site, place, deleted, openedAt, ...facts } = one
        const draft = site === null ? note(facts) : link(`https://${site}/${at}`, facts)
        const id = library.saveBookmarks(places[place] ?? PRIVATE, [draft])[0]?.id ?? ''
        if (openedAt !== null) library.noteOpenings([id], openedAt)
        if (deleted) library.changeBookmarks([id], { kind: 'delete' }, 2000)
        return { ...one, id, at }
      })
      for (const one of lists) {
        const expected = saved.filter((row) => !row.deleted && passes(row, one)).toSorted(before(one))
        const organization = one.organization === undefined ? undefined : owners[one.organization]
        const asked = Object.entries({ ...one, organization }).filter(([, value]) => value !== undefined)
        expect(pages(library, Object.fromEntries(asked) as never)).toEqual(expected.map((row) => row.id))
      }
    }),
    { numRuns: runs(20, 200) }
  )
})

test('a page that was opened comes first among those opened lately, is no other bookmark for that, and a thousand are kept', () => {
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

test('a list without tags is whole while a tag that many bookmarks lost is still in the index', () => {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    Array.from({ length: 300 }, () => note({ tags: ['a'] }))
  )
  const page = { order: 'newest' as const, untagged: true, page: 1, limit: 1 }
  expect(library.listBookmarks(page).total).toBe(0)
  library.deleteTag('a', 2000)
  expect(library.hasStale()).toBe(true)
  expect(library.listBookmarks(page).total).toBe(300)
  settle(library)
  expect(library.listBookmarks(page).total).toBe(300)
})

test('a filter whose bookmarks are all old is found as deep as it lies', () => {
  const library = emptyLibrary()
  const drafts = Array.from({ length: 2000 }, (_, index) =>
    note({ title: `${index}`, createdAt: index, tags: index < 1000 ? ['old'] : [] })
  )
  library.saveBookmarks(PRIVATE, drafts)
  const { total, bookmarks } = library.listBookmarks({ order: 'newest', tags: ['old'], page: 1, limit: 2 })
  expect(total).toBe(1000)
  expect(bookmarks.map((one) => one.title)).toEqual(['999', '998'])
})

test('a tag that many bookmarks just got is listed whole at once, with other filters too', () => {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    Array.from({ length: 300 }, () => note({ tags: ['a'] }))
  )
  library.saveBookmarks(
    PUBLIC,
    Array.from({ length: 5 }, () => note({ tags: ['b'] }))
  )
  library.mergeTags({ from: ['a', 'b'], into: 'c' }, 2000)
  expect(library.hasStale()).toBe(true)
  const page = { order: 'newest' as const, page: 1, limit: 1 }
  expect(library.listBookmarks({ ...page, tags: ['c'] }).total).toBe(305)
  expect(library.listBookmarks({ ...page, tags: ['c'], visibility: 'public' }).total).toBe(5)
})

test('while the index is being made anew a total says that it is a lower bound', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [note({ title: 'one', tags: ['x'] }), note({ title: 'two' })])
  library.db.exec('DELETE FROM filter_counts; UPDATE bookmarks SET filters = NULL')
  const page = { order: 'newest' as const, page: 1, limit: 5 }
  expect(library.listBookmarks(page)).toMatchObject({ total: 0, atLeast: true, bookmarks: [{}, {}] })
  expect(library.listBookmarks({ ...page, tags: ['x'] }).atLeast).toBe(true)
  library.db.exec("INSERT INTO bookmark_texts (bookmark_texts) VALUES ('delete-all')")
  library.db.exec("INSERT INTO bookmark_titles (bookmark_titles) VALUES ('delete-all')")
  settle(library)
  expect(library.listBookmarks(page)).toMatchObject({ total: 2, atLeast: false })
})

test.for([
  ['by date', 'created_at DESC, id DESC', 'bookmarks_by_date', 'deleted_at IS NULL'],
  ['oldest first', 'created_at, id', 'bookmarks_by_date', 'deleted_at IS NULL'],
  [
    'by title',
    "substr(coalesce(nullif(title, ''), domain, ''), 1, 32) COLLATE NOCASE, id",
    'bookmarks_by_title',
    'deleted_at IS NULL AND unindexed IS NULL'
  ],
  [
    'by site',
    "coalesce(domain, '~'), created_at DESC, id DESC",
    'bookmarks_by_site',
    'deleted_at IS NULL AND unindexed IS NULL AND created_at < 5'
  ]
] as const)('a list %s is read from the index alone, without sorting', ([, order, index, held]) => {
  const where = `${held} AND type = 'link' AND visibility = 'private' AND organization_id = 1`
  const plan = explain(`SELECT id FROM bookmarks INDEXED BY ${index} WHERE ${where} ORDER BY ${order} LIMIT 9 OFFSET 9`)
  expect(plan).toEqual([`SCAN bookmarks USING COVERING INDEX ${index}`])
})

test('the trash is read from its index, without sorting', () => {
  const trash = 'SELECT id FROM bookmarks WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC, id DESC LIMIT 9'
  expect(explain(trash)).toEqual(['SEARCH bookmarks USING COVERING INDEX bookmarks_in_trash (deleted_at>?)'])
  const old = 'SELECT id FROM bookmarks WHERE deleted_at IS NOT NULL AND deleted_at < 5 LIMIT 9'
  expect(explain(old)).toEqual([
    'SEARCH bookmarks USING COVERING INDEX bookmarks_in_trash (deleted_at>? AND deleted_at<?)'
  ])
})

test.for([
  ['undo_bookmarks', 'undo_bookmarks_by_bookmark'],
  ['undo_taggings', 'undo_taggings_by_bookmark'],
  ['stale_tags', 'PRIMARY KEY']
])('what %s holds of a deleted bookmark is found by an index', ([table, index]) => {
  expect(explain(`DELETE FROM ${table} WHERE bookmark_id = 5`).join()).toContain(index)
})

function explain(sql: string): string[] {
  const plan = emptyLibrary().db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all()
  return plan.map((step) => step.detail)
}
