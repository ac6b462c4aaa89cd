import { expect, test } from 'vitest'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import type { BulkChange } from '../../../src-main/contract/bookmark-change.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { addressOf, emptyLibrary, link, listed, note, PRIVATE, type TestLibrary, titles, within } from '../library.ts'

/** A library with two links and a note, and their ids. */
function shelf() {
  const library = emptyLibrary()
  const saved = library.saveBookmarks(PRIVATE, [
    link('https://a.example/1', { title: 'One', tags: ['red', 'blue'] }),
    link('https://a.example/2', { title: 'Two', tags: ['red'] }),
    note({ title: 'Note', content: 'milk' })
  ])
  const [one = '', two = '', text = ''] = saved.map(({ id }) => id)
  return { library, one, two, text }
}

const change = (library: TestLibrary, ids: string[], wanted: BulkChange, at = 5000) =>
  library.changeBookmarks(ids, wanted, at)

test('an edit changes the named fields only, and is found at once', () => {
  const { library, one } = shelf()
  const before = library.findBookmark(one)
  const edited = library.editBookmark(one, { title: 'First', tags: ['green', 'blue'], description: 'About it' }, 5000)
  expect(edited).toEqual({ undo: expect.any(Number) })
  expect(library.findBookmark(one)).toEqual({
    ...before,
    title: 'First',
    tags: ['blue', 'green'],
    description: 'About it',
    updatedAt: 5000
  })
  expect(titles(library, { words: 'first green' })).toEqual(['First'])
  expect(titles(library, { words: 'one' })).toEqual([])
  expect(titles(library, { tags: ['red'] })).toEqual(['Two'])
})

test('an edit without a change keeps the time of change and cannot be undone', () => {
  const { library, one } = shelf()
  expect(library.editBookmark(one, { title: 'One', tags: ['BLUE', 'red'] }, 5000)).toEqual({ undo: null })
  expect(library.findBookmark(one)?.updatedAt).toBe(1000)
})

test('two edits in the same millisecond get different times', () => {
  const { library, one } = shelf()
  for (const title of ['a', 'b']) library.editBookmark(one, { title }, 1000)
  expect(library.findBookmark(one)?.updatedAt).toBe(1002)
})

test('a bookmark with a new address is the bookmark of that page', () => {
  const { library, one } = shelf()
  library.editBookmark(one, { address: addressOf('https://b.example/x') }, 5000)
  expect(library.findBookmark(one)).toMatchObject({ url: 'https://b.example/x', domain: 'b.example' })
  expect(library.saveBookmarks(PRIVATE, [link('https://b.example/x')])).toEqual([{ id: one, status: 'existing' }])
  expect(library.saveBookmarks(PRIVATE, [link('https://a.example/1')])[0]?.status).toBe('saved')
  expect(titles(library, { domain: 'b.example' })).toEqual(['One'])
})

test('an address of another bookmark is refused with the whole edit, and another form of its own is not', () => {
  const { library, one, two } = shelf()
  const edit = { title: 'Changed', address: addressOf('https://a.example/2?utm_source=x') }
  expect(() => library.editBookmark(one, edit, 5000)).toThrow(expect.objectContaining({ code: 'taken' }))
  expect(library.findBookmark(one)?.title).toBe('One')
  change(library, [two], { kind: 'delete' })
  expect(() => library.editBookmark(one, edit, 5000)).toThrow(/is in the trash/)
  library.editBookmark(one, { address: addressOf('https://a.example/1?utm_source=x') }, 5000)
  expect(library.findBookmark(one)?.url).toBe('https://a.example/1?utm_source=x')
})

test('a bookmark in the trash cannot be edited, and an unknown one is not found', () => {
  const { library, one } = shelf()
  change(library, [one], { kind: 'delete' })
  expect(() => library.editBookmark(one, { title: 'x' }, 5000)).toThrow(expect.objectContaining({ code: 'invalid' }))
  expect(library.editBookmark('nothing', { title: 'x' }, 5000)).toBeUndefined()
})

test('tags are added to and removed from many bookmarks, and bookmarks without a change are counted', () => {
  const { library, one, two, text } = shelf()
  expect(change(library, [one, two, text], { kind: 'tags', add: ['Blue', 'new'], remove: [] })).toMatchObject({
    changed: 3
  })
  expect(change(library, [one, two, text], { kind: 'tags', add: ['blue'], remove: [] })).toEqual({
    changed: 0,
    unchanged: 3,
    kept: [],
    undo: null
  })
  expect(change(library, [one, two, text], { kind: 'tags', add: [], remove: ['RED', 'never'] })).toMatchObject({
    changed: 2,
    unchanged: 1
  })
  expect(library.findBookmark(two)?.tags).toEqual(['blue', 'new'])
  expect(listed(library, { tags: ['red'] })).toEqual([])
})

test('a bookmark with the maximum number of tags gets no more, and the others do', () => {
  const { library, one, two } = shelf()
  const many = Array.from({ length: LIMITS.tags }, (_, index) => `t${index}`)
  library.editBookmark(one, { tags: many }, 4000)
  expect(change(library, [one, two], { kind: 'tags', add: ['more'], remove: [] })).toMatchObject({
    changed: 1,
    kept: [{ id: one, reason: 'too-many-tags' }]
  })
})

test('a move keeps bookmarks whose page the new place has already, also in its trash', () => {
  const { library, one, two, text } = shelf()
  const { rowId } = library.createOrganization('Acme', 1)
  library.saveBookmarks(within(rowId), [link('https://a.example/1')])
  const [trashed] = library.saveBookmarks(within(rowId), [link('https://a.example/2')])
  change(library, [trashed?.id ?? ''], { kind: 'delete' })
  const report = change(library, [one, two, text], {
    kind: 'move',
    place: { visibility: 'organization', owner: rowId }
  })
  expect(report).toMatchObject({
    changed: 1,
    unchanged: 2,
    kept: [
      { id: one, reason: 'same-page' },
      { id: two, reason: 'same-page-in-trash' }
    ]
  })
  expect(library.findBookmark(text)).toMatchObject({ visibility: 'organization', organization: 'Acme' })
})

test('an organization sees a bookmark only while it is in a place that the organization can see', () => {
  const { library, one } = shelf()
  const { rowId } = library.createOrganization('Acme', 1)
  const caller = { owner: rowId, readOnly: false }
  const seen = () => titles(library, { words: 'one' }, caller)
  expect(seen()).toEqual([])
  change(library, [one], { kind: 'move', place: { visibility: 'organization', owner: rowId } })
  expect(seen()).toEqual(['One'])
  change(library, [one], { kind: 'move', place: { visibility: 'public', owner: null } })
  expect(seen()).toEqual(['One'])
  change(library, [one], { kind: 'move', place: { visibility: 'private', owner: null } })
  expect(seen()).toEqual([])
})

test('a deleted bookmark is only in the trash, and can be restored with all fields or purged', () => {
  const { library, one, two } = shelf()
  const before = library.findBookmark(one)
  expect(change(library, [one, two], { kind: 'delete' })).toMatchObject({ changed: 2, undo: expect.any(Number) })
  expect([listed(library), titles(library, { words: 'one' }), library.countBookmarks(PROFILE)]).toEqual([
    ['Note'],
    [],
    1
  ])
  expect(library.findBookmark(one)).toMatchObject({ deletedAt: 5000, tags: ['blue', 'red'] })

  change(library, [one], { kind: 'restore' }, 6000)
  expect(library.findBookmark(one)).toEqual({ ...before, updatedAt: 6000 })
  expect(titles(library, { words: 'one', tags: ['blue'] })).toEqual(['One'])

  expect(change(library, [two], { kind: 'purge' })).toEqual({ changed: 1, unchanged: 0, kept: [], undo: null })
  expect(library.findBookmark(two)).toBeUndefined()
  expect(library.saveBookmarks(PRIVATE, [link('https://a.example/2')])[0]?.id).not.toBe(two)
})

test.for([
  ['an edited tag list', { kind: 'tags', add: ['x'], remove: [] }, 'trashed', 'in-trash'],
  ['a second deletion', { kind: 'delete' }, 'trashed', 'in-trash'],
  ['a restore of what is not deleted', { kind: 'restore' }, 'one', 'not-in-trash'],
  ['a purge of what is not deleted', { kind: 'purge' }, 'one', 'not-in-trash'],
  ['a change of what is not there', { kind: 'delete' }, 'nothing', 'missing']
] satisfies [string, BulkChange, string, string][])(
  '%s is refused for that bookmark only',
  ([, wanted, id, reason]) => {
    const { library, one, two, text } = shelf()
    change(library, [two], { kind: 'delete' })
    const trashed = wanted.kind === 'restore' || wanted.kind === 'purge'
    const good = trashed ? two : text
    const bad = { trashed: two, one, nothing: 'nothing' }[id] ?? ''
    const report = change(library, [bad, good, good], wanted, 6000)
    expect(report).toMatchObject({ changed: 1, unchanged: 1, kept: [{ id: bad, reason }] })
  }
)

test('the trash lists the last deleted bookmarks first, in pages', () => {
  const library = emptyLibrary()
  const saved = library.saveBookmarks(
    PRIVATE,
    ['a', 'b', 'c', 'd'].map((title) => note({ title }))
  )
  const [a = '', b = '', c = ''] = saved.map(({ id }) => id)
  library.changeBookmarks([b], { kind: 'delete' }, 2000)
  library.changeBookmarks([a, c], { kind: 'delete' }, 3000)
  expect(listed(library, { trash: true })).toEqual(['c', 'a', 'b'])
  expect(library.listBookmarks({ order: 'newest', trash: true, page: 2, limit: 2 })).toMatchObject({
    total: 3,
    atLeast: false,
    bookmarks: [{ title: 'b', deletedAt: 2000 }]
  })
})

test('bookmarks deleted before a time are purged in batches and counted', () => {
  const library = emptyLibrary()
  const saved = library.saveBookmarks(
    PRIVATE,
    Array.from({ length: 1200 }, () => note({ tags: ['x'] }))
  )
  const ids = saved.map(({ id }) => id)
  library.changeBookmarks(ids.slice(0, 1100), { kind: 'delete' }, 2000)
  library.changeBookmarks(ids.slice(1100, 1150), { kind: 'delete' }, 3000)
  let purged = 0
  for (let batch = library.purgeTrash(3000); batch > 0; batch = library.purgeTrash(3000)) purged += batch
  expect(purged).toBe(1100)
  expect(library.countByKind()).toMatchObject({ all: 50, trash: 50 })
  expect(library.db.prepare('SELECT count(DISTINCT bookmark_id) FROM bookmark_tags').pluck().get()).toBe(100)
})
