import { expect, test } from 'vitest'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import {
  addressOf,
  emptyLibrary,
  link,
  listed,
  note,
  PAGE,
  PRIVATE,
  PUBLIC,
  type TestLibrary,
  titles,
  unmarked,
  within
} from '../library.ts'

const PLAIN = 'http://www.a.example/x/index.html'

/** A page saved under two nearly equal addresses, and another page. */
function shelf() {
  const library = emptyLibrary()
  const ids = library
    .saveBookmarks(PRIVATE, [
      link('https://a.example/x', { title: 'Rust', tags: ['rust'], description: 'A longer one', createdAt: 900 }),
      link(PLAIN, { title: 'The Rust book', tags: ['RUST', 'book'], description: 'Short', createdAt: 500 }),
      link('https://a.example/y', { title: 'Other', createdAt: 100 })
    ])
    .map(({ id }) => id)
  const [one = '', two = '', other = ''] = ids
  return { library, one, two, other, all: () => ids.map((id) => library.findBookmark(id)) }
}

const groups = (library: TestLibrary, page = 1, limit = 10) =>
  library.findDuplicates(page, limit).groups.map((group) => group.bookmarks.map(({ title }) => title))
const merge = (library: TestLibrary, keep: string, ...others: string[]) =>
  library.mergeDuplicates([{ keep, others }], 5000)

test('nearly equal pages of the same owner are a group', () => {
  const { library } = shelf()
  const { rowId } = library.createOrganization('Acme', 1)
  library.saveBookmarks(within(rowId), [link('http://a.example/x', { title: 'Acme’s' })])
  library.saveBookmarks(PUBLIC, [link('http://a.example/y', { title: 'Public' }), note({ title: 'Note' })])
  expect(groups(library)).toEqual([
    ['Other', 'Public'],
    ['Rust', 'The Rust book']
  ])
})

test('groups are listed in pages, the last saved first', () => {
  const library = emptyLibrary()
  const drafts = [1, 2, 3].flatMap((page) =>
    ['https', 'http'].map((scheme) => link(`${scheme}://a.example/${page}`, { title: `${page} ${scheme}` }))
  )
  library.saveBookmarks(PRIVATE, drafts)
  expect(library.findDuplicates(1, 2)).toMatchObject({ total: 3 })
  expect(groups(library, 1, 2)).toEqual([
    ['3 https', '3 http'],
    ['2 https', '2 http']
  ])
  expect(groups(library, 2, 2)).toEqual([['1 https', '1 http']])
  expect(groups(library, 3, 2)).toEqual([])
})

test('a deleted or moved bookmark is no duplicate, unless the change is undone', () => {
  const { library, one, two } = shelf()
  const deleted = library.changeBookmarks([two], { kind: 'delete' }, 2000).undo ?? 0
  expect(groups(library)).toEqual([])
  library.undoStep(deleted)
  expect(groups(library)).toHaveLength(1)
  const moved = library.editBookmark(one, { address: addressOf('https://a.example/z') }, 3000)?.undo ?? 0
  expect(groups(library)).toEqual([])
  library.undoStep(moved)
  expect(groups(library)).toHaveLength(1)
})

test('a merge keeps all tags, the longer texts and the older date, and deletes the other bookmark', () => {
  const { library, one, two } = shelf()
  expect(merge(library, one, two)).toEqual({ merged: 1, trashed: 1, left: [], undo: expect.any(Number) })
  expect(library.findBookmark(one)).toMatchObject({
    url: 'https://a.example/x',
    title: 'The Rust book',
    description: 'A longer one',
    tags: ['book', 'rust'],
    createdAt: 500,
    updatedAt: 5000
  })
  expect(library.findBookmark(two)).toMatchObject({ deletedAt: 5000, title: 'The Rust book' })
  expect(groups(library)).toEqual([])
  expect(listed(library, { order: 'oldest' })).toEqual(['Other', 'The Rust book'])
  expect(titles(library, { words: 'rust book' })).toEqual(['The Rust book'])
  expect(titles(library, { tags: ['book'] })).toEqual(['The Rust book'])
})

test('a merge keeps a text that only the other bookmark had from the owner’s browser', () => {
  const { library, one, two } = shelf()
  const { url = '' } = library.findBookmark(two) ?? {}
  expect(library.saveTabText({ id: two, url: url ?? '' }, unmarked('Behind the login stands an okapi.'), 2000)).toBe(
    true
  )
  merge(library, one, two)
  expect(titles(library, { words: 'okapi' })).toEqual(['The Rust book'])
})

test('a merge whose other bookmark was purged is not undone, and other merges of the step are', () => {
  const { library, one, two, other } = shelf()
  const [near] = library.saveBookmarks(PRIVATE, [link('http://a.example/y', { title: 'Another', tags: ['new'] })])
  const merges = [
    { keep: one, others: [two] },
    { keep: other, others: [near?.id ?? ''] }
  ]
  const { undo } = library.mergeDuplicates(merges, 5000)
  const merged = library.findBookmark(one)
  library.changeBookmarks([two], { kind: 'purge' }, 6000)
  expect(library.undoStep(undo ?? 0)).toEqual({ undone: 2, kept: 1 })
  expect(library.findBookmark(one)).toEqual(merged)
  expect(library.findBookmark(other)).toMatchObject({ title: 'Other', tags: [] })
  expect(titles(library, { tags: ['book'] })).toEqual(['The Rust book'])
})

test('a merge with a private bookmark makes the result private', () => {
  const library = emptyLibrary()
  const [open = ''] = library.saveBookmarks(PUBLIC, [link('https://a.example/x')]).map(({ id }) => id)
  const [own = ''] = library.saveBookmarks(PRIVATE, [link(PLAIN, { title: 'Sued by them' })]).map(({ id }) => id)
  const { undo } = merge(library, open, own)
  expect(library.findBookmark(open)).toMatchObject({ title: 'Sued by them', visibility: 'private' })
  library.undoStep(undo ?? 0)
  expect(library.findBookmark(open)).toMatchObject({ visibility: 'public' })
})

test('a title equal to the address counts as no title', () => {
  const library = emptyLibrary()
  const [one, two] = library
    .saveBookmarks(PRIVATE, [link('https://a.example/', { title: 'A' }), link(PLAIN, { title: PLAIN })])
    .map(({ id }) => id)
  const [plain, bare] = library
    .saveBookmarks(PRIVATE, [
      link('http://a.example/', { title: 'http://a.example/' }),
      link('https://a.example/x', { title: 'https://a.example/x' })
    ])
    .map(({ id }) => id)
  merge(library, plain ?? '', one ?? '')
  merge(library, bare ?? '', two ?? '')
  expect([plain, bare].map((id) => library.findBookmark(id ?? '')?.title)).toEqual(['A', 'https://a.example/x'])
})

test('a merge is undone as one step', () => {
  const { library, one, two, all } = shelf()
  const before = all()
  const { undo } = merge(library, one, two)
  expect(library.undoStep(undo ?? 0)).toEqual({ undone: 2, kept: 0 })
  expect(all()).toEqual(before)
  expect(groups(library)).toEqual([['Rust', 'The Rust book']])
  expect(titles(library, { words: 'short' })).toEqual(['The Rust book'])
  expect(library.undoStep(undo ?? 0)).toBeUndefined()
})

test('several merges are one step, and an impossible one does not stop the others', () => {
  const { library, one, two, other } = shelf()
  const [plain] = library.saveBookmarks(PRIVATE, [link('http://a.example/y', { title: 'Plain' })])
  const report = library.mergeDuplicates(
    [
      { keep: one, others: [two] },
      { keep: other, others: ['no-such-id'] }
    ],
    5000
  )
  expect(report).toEqual({
    merged: 1,
    trashed: 1,
    left: [{ keep: other, reason: 'missing' }],
    undo: expect.any(Number)
  })
  expect(library.findBookmark(plain?.id ?? '')?.deletedAt).toBeNull()
})

test('impossible merges change nothing and have a reason', () => {
  const { library, one, two, other, all } = shelf()
  const { rowId } = library.createOrganization('Acme', 1)
  const [acmes] = library.saveBookmarks(within(rowId), [link('http://a.example/x')])
  const [milk, many] = library.saveBookmarks(PRIVATE, [
    note({ content: 'milk' }),
    link('http://a.example/x', { tags: Array.from({ length: LIMITS.tags }, (_, index) => `tag ${index}`) })
  ])
  const before = all()
  const reasons = [
    merge(library, 'no-such-id', one),
    merge(library, one, other),
    merge(library, one, acmes?.id ?? ''),
    merge(library, one, milk?.id ?? ''),
    merge(library, one, many?.id ?? '')
  ].map(({ left, undo }) => [left[0]?.reason, undo])
  expect(reasons).toEqual([
    ['missing', null],
    ['other-page', null],
    ['other-page', null],
    ['other-page', null],
    ['too-many-tags', null]
  ])
  expect(all()).toEqual(before)
  library.changeBookmarks([two], { kind: 'delete' }, 2000)
  expect(merge(library, one, two).left).toEqual([{ keep: one, reason: 'in-trash' }])
})

/** Makes rows as an older Earmark left them: with these page keys, and without hashes of near pages. */
function asSavedBefore(library: TestLibrary, keys: [id: string, key: string][]): void {
  const set = library.db.prepare('UPDATE bookmarks SET page_key = ? WHERE public_id = ?')
  for (const [id, key] of keys) set.run(key, id)
  library.db.exec('UPDATE bookmarks SET near_page = NULL; UPDATE page_key_rules SET rules = 0, up_to = NULL')
}

const rekey = (library: TestLibrary) => {
  while (library.rekeyBatch());
}
const keysOf = (library: TestLibrary) => library.db.prepare('SELECT page_key FROM bookmarks ORDER BY id').pluck().all()

test('bookmarks saved under older rules get new page keys and are compared', () => {
  const { library, one } = shelf()
  const before = library.findBookmark(one)
  asSavedBefore(library, [[one, 'https://a.example/x?spm=1']])
  expect(library.findDuplicates(1, 10)).toEqual({ total: 0, settled: false, groups: [] })
  rekey(library)
  expect(library.findDuplicates(1, 10)).toMatchObject({ total: 1, settled: true })
  expect(keysOf(library)[0]).toBe('https://a.example/x')
  expect(library.findBookmark(one)).toEqual(before)
  expect(library.saveBookmarks(PRIVATE, [link('https://a.example/x/')])).toEqual([{ id: one, status: 'existing' }])
  expect(library.rekeyBatch()).toBe(false)
})

test('two bookmarks that new rules make one page both stay, as duplicates', () => {
  const library = emptyLibrary()
  const [slash, bare] = library.saveBookmarks(PRIVATE, [
    { ...link('https://a.example/x/', { title: 'Slash' }), pageKey: 'https://a.example/x/' },
    link('https://a.example/x', { title: 'Bare' })
  ])
  asSavedBefore(library, [])
  rekey(library)
  expect(keysOf(library)).toEqual(['https://a.example/x/', 'https://a.example/x'])
  expect(groups(library)).toEqual([['Slash', 'Bare']])
  expect(merge(library, slash?.id ?? '', bare?.id ?? '')).toMatchObject({ merged: 1 })
})

test.for([0, 1])('of a deleted and a living bookmark of one page, the living one gets the page key', (which) => {
  const library = emptyLibrary()
  const saved = library.saveBookmarks(PRIVATE, [
    { ...link('https://a.example/x/'), pageKey: 'https://a.example/x/' },
    link('https://a.example/x')
  ])
  library.changeBookmarks([saved[which]?.id ?? ''], { kind: 'delete' }, 2000)
  asSavedBefore(library, [])
  rekey(library)
  const keys: (string | null)[] = ['https://a.example/x', 'https://a.example/x']
  keys[which] = null
  expect(keysOf(library)).toEqual(keys)
})

/** Saves the details of a page that declares this address as its own. */
function declare(library: TestLibrary, id: string, canonicalUrl: string): void {
  const { url, domain } = library.findBookmark(id) ?? {}
  library.saveDetails({ id, url: url ?? '', domain: domain ?? '', attempts: 0 }, { ...PAGE, canonicalUrl }, 2000)
}

/** Saves a link check that found the page at another address. */
function redirect(library: TestLibrary, id: string, movedTo: string): void {
  const url = library.findBookmark(id)?.url ?? ''
  library.saveLink({ id, url }, { state: 'moved', fault: null, movedTo, failingSince: null }, 2000)
}

/** Bookmarks of pages with entirely different addresses. */
function strangers(...titles: string[]) {
  const library = emptyLibrary()
  const ids = library
    .saveBookmarks(
      PRIVATE,
      titles.map((title) => link(`https://${title}.example/${title}`, { title }))
    )
    .map(({ id }) => id)
  return { library, ids }
}

test('pages that declare the same address are duplicates and can be merged', () => {
  const { library, ids } = strangers('a', 'b', 'c', 'd', 'e')
  const [a = '', b = '', c = '', , e = ''] = ids
  declare(library, a, 'https://b.example/b?utm_source=x')
  declare(library, c, 'https://b.example/b')
  redirect(library, e, 'http://www.d.example/d/')
  expect(library.findDuplicates(1, 10)).toMatchObject({
    total: 2,
    groups: [
      { why: 'moved', bookmarks: [{ title: 'd' }, { title: 'e' }] },
      { why: 'own', bookmarks: [{ title: 'a' }, { title: 'b' }, { title: 'c' }] }
    ]
  })
  expect(merge(library, a, c, b)).toMatchObject({ merged: 1, trashed: 2, left: [] })
  expect(merge(library, a, e)).toMatchObject({ left: [{ keep: a, reason: 'other-page' }] })
  expect(groups(library)).toEqual([['d', 'e']])
})

test('two pages that declare the same third page are duplicates', () => {
  const { library, ids } = strangers('a', 'b', 'c')
  for (const id of ids.slice(0, 2)) declare(library, id, 'https://z.example/z')
  expect(groups(library)).toEqual([['a', 'b']])
  library.changeBookmarks(ids.slice(0, 1), { kind: 'delete' }, 3000)
  expect(groups(library)).toEqual([])
})

test('a declared front page, or a page of another owner, makes no duplicate', () => {
  const { library, ids } = strangers('a', 'b')
  for (const id of ids) declare(library, id, 'https://www.b.example/')
  const { rowId } = library.createOrganization('Acme', 1)
  library.saveBookmarks(within(rowId), [link('https://c.example/c')])
  declare(library, ids[0] ?? '', 'https://c.example/c')
  expect(groups(library)).toEqual([])
})

test('an address with www. is the same page only if the page declares it', () => {
  const library = emptyLibrary()
  const save = (url: string) => library.saveBookmarks(PRIVATE, [link(url)])[0]
  const bare = save('http://a.example/x')
  expect(save('https://www.a.example/x')?.status).toBe('saved')
  declare(library, bare?.id ?? '', 'https://a.example/x')
  expect(save('https://a.example/x?utm_source=mail')).toEqual({ id: bare?.id, status: 'existing' })
  expect(save('http://www.a.example/x')?.status).toBe('saved')
})

test('pages that were read before the comparison existed are compared in the background', () => {
  const { library, ids } = strangers('a', 'b')
  declare(library, ids[0] ?? '', 'https://b.example/b')
  library.db.exec('UPDATE page_details SET own_page = NULL; UPDATE page_key_rules SET rules = 0, up_to = NULL')
  expect(groups(library)).toEqual([])
  while (library.rekeyBatch());
  expect(groups(library)).toEqual([['a', 'b']])
})

test('a group of bookmarks that are not duplicates is hidden until another bookmark joins it, and undone', () => {
  const { library, one, two } = shelf()
  const step = library.setNotDuplicates([one, two], 5000)
  expect(groups(library)).toEqual([])
  expect(library.findDuplicates(1, 10).total).toBe(0)
  const redo = library.undoBatch({ step }, 6000)?.redo ?? 0
  expect(groups(library)).toEqual([['Rust', 'The Rust book']])
  library.undoBatch({ step: redo }, 7000)
  expect(groups(library)).toEqual([])
  library.saveBookmarks(PRIVATE, [link('http://a.example/x', { title: 'Third' })])
  expect(groups(library)).toEqual([['Rust', 'The Rust book', 'Third']])
})
