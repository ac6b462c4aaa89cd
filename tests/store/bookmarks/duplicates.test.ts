import { expect, test } from 'vitest'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import { nearPageHash } from '../../../src-main/core/near-page.ts'
import { PAGE_KEY_RULES } from '../../../src-main/core/page-key.ts'
import { emptyLibrary, link, listed, note, PRIVATE, PUBLIC, type TestLibrary, titles, within } from '../library.ts'

const PLAIN = 'http://www.a.example/x/index.html'

/** A page saved twice under addresses that differ a little, and another page. */
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

test('nearly the same page of one owner is a group; of two owners it is none', () => {
  const { library } = shelf()
  const { rowId } = library.createOrganization('Acme', 1)
  library.saveBookmarks(within(rowId), [link('http://a.example/x', { title: 'Acme’s' })])
  library.saveBookmarks(PUBLIC, [link('http://a.example/y', { title: 'Public' }), note({ title: 'Note' })])
  expect(groups(library)).toEqual([
    ['Other', 'Public'],
    ['Rust', 'The Rust book']
  ])
})

test('groups come in pages, those saved last first', () => {
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

test('what goes to the trash, or moves to another address, is a duplicate no more; undone, it is one again', () => {
  const { library, one, two } = shelf()
  const deleted = library.changeBookmarks([two], { kind: 'delete' }, 2000).undo ?? 0
  expect(groups(library)).toEqual([])
  library.undoStep(deleted)
  expect(groups(library)).toHaveLength(1)
  const { url, domain, pageKey } = link('https://a.example/z')
  const moved = library.editBookmark(one, { address: { url, domain, pageKey } }, 3000)?.undo ?? 0
  expect(groups(library)).toEqual([])
  library.undoStep(moved)
  expect(groups(library)).toHaveLength(1)
})

test('a merge keeps all tags, the longer texts and the older date, and puts the other into the trash', () => {
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

test('a merge keeps the text that only the other had from its owner’s browser', () => {
  const { library, one, two } = shelf()
  const { url = '' } = library.findBookmark(two) ?? {}
  expect(library.saveTabText({ id: two, url: url ?? '' }, 'Behind the login stands an okapi.')).toBe(true)
  merge(library, one, two)
  expect(titles(library, { words: 'okapi' })).toEqual(['The Rust book'])
})

test('a merge stays where what was merged was deleted for good meanwhile; others of its step are undone', () => {
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

test('what a merge takes from a private bookmark stays private', () => {
  const library = emptyLibrary()
  const [open = ''] = library.saveBookmarks(PUBLIC, [link('https://a.example/x')]).map(({ id }) => id)
  const [own = ''] = library.saveBookmarks(PRIVATE, [link(PLAIN, { title: 'Sued by them' })]).map(({ id }) => id)
  const { undo } = merge(library, open, own)
  expect(library.findBookmark(open)).toMatchObject({ title: 'Sued by them', visibility: 'private' })
  library.undoStep(undo ?? 0)
  expect(library.findBookmark(open)).toMatchObject({ visibility: 'public' })
})

test('a title that is the address counts as none', () => {
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

test('a merge is undone in one step, and everything is as before', () => {
  const { library, one, two, all } = shelf()
  const before = all()
  const { undo } = merge(library, one, two)
  expect(library.undoStep(undo ?? 0)).toEqual({ undone: 2, kept: 0 })
  expect(all()).toEqual(before)
  expect(groups(library)).toEqual([['Rust', 'The Rust book']])
  expect(titles(library, { words: 'short' })).toEqual(['The Rust book'])
  expect(library.undoStep(undo ?? 0)).toBeUndefined()
})

test('several merges are one step, and one that cannot be leaves the others alone', () => {
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

test('what cannot be merged is left as it is, and said why', () => {
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

test('all groups are counted along the index, without the rows', () => {
  const { db } = emptyLibrary()
  const plan = db
    .prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT ifnull(organization_id, 0), near_page FROM bookmarks INDEXED BY bookmarks_by_near_page
       WHERE near_page IS NOT NULL AND deleted_at IS NULL
       GROUP BY ifnull(organization_id, 0), near_page HAVING count(*) > 1`
    )
    .all()
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringMatching(/USING .*INDEX bookmarks_by_near_page$/)])
})

/** Makes rows as an older Earmark left them: with these keys, and nothing that says which are nearly the same. */
function asSavedBefore(library: TestLibrary, keys: [id: string, key: string][]): void {
  const set = library.db.prepare('UPDATE bookmarks SET page_key = ? WHERE public_id = ?')
  for (const [id, key] of keys) set.run(key, id)
  library.db.exec('UPDATE bookmarks SET near_page = NULL; UPDATE page_key_rules SET rules = 0, up_to = NULL')
}

const rekey = (library: TestLibrary) => {
  while (library.rekeySome());
}
const keysOf = (library: TestLibrary) => library.db.prepare('SELECT page_key FROM bookmarks ORDER BY id').pluck().all()

test('what was saved under older rules gets its key anew, and is compared', () => {
  const { library, one } = shelf()
  const before = library.findBookmark(one)
  asSavedBefore(library, [[one, 'https://a.example/x?spm=1']])
  expect(library.findDuplicates(1, 10)).toEqual({ total: 0, settled: false, groups: [] })
  rekey(library)
  expect(library.findDuplicates(1, 10)).toMatchObject({ total: 1, settled: true })
  expect(keysOf(library)[0]).toBe('https://a.example/x')
  expect(library.findBookmark(one)).toEqual(before)
  expect(library.saveBookmarks(PRIVATE, [link('https://a.example/x/')])).toEqual([{ id: one, status: 'existing' }])
  expect(library.rekeySome()).toBe(false)
})

test('where the rules make one page of two, both stay and are found as duplicates', () => {
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

test.for([0, 1])('of the living and what lies in the trash, the living gets the key', (which) => {
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

test('a library of many is gone through step by step, and what was begun under other rules begins anew', () => {
  const library = emptyLibrary()
  const drafts = Array.from({ length: 1200 }, (_, index) => link(`https://a.example/${index}`))
  library.saveBookmarks(PRIVATE, drafts)
  asSavedBefore(library, [])
  const state = () => library.db.prepare('SELECT rules, up_to FROM page_key_rules').raw().get()
  const filled = () => library.db.prepare('SELECT count(*) FROM bookmarks WHERE near_page IS NOT NULL').pluck().get()
  expect([library.rekeySome(), state(), filled()]).toEqual([true, [PAGE_KEY_RULES, 500], 500])
  library.db.exec('UPDATE page_key_rules SET rules = 0')
  expect([library.rekeySome(), state()]).toEqual([true, [PAGE_KEY_RULES, 500]])
  rekey(library)
  expect([state(), filled()]).toEqual([[PAGE_KEY_RULES, null], 1200])
  const last = library.db.prepare('SELECT near_page FROM bookmarks ORDER BY id DESC LIMIT 1').pluck().get()
  expect(last).toBe(nearPageHash('https://a.example/1199'))
})

/** A page that says this address is its own. */
function saysItIs(library: TestLibrary, id: string, canonicalUrl: string): void {
  const { url, domain } = library.findBookmark(id) ?? {}
  const said = {
    description: '',
    siteName: '',
    language: null,
    publishedAt: null,
    text: '',
    layout: null,
    icon: null,
    preview: null
  }
  const page = { id, url: url ?? '', domain: domain ?? '', attempts: 0 }
  library.saveDetails(page, { ...said, kind: 'page', title: '', canonicalUrl }, 2000)
}

function moves(library: TestLibrary, id: string, movedTo: string): void {
  const { url, domain } = library.findBookmark(id) ?? {}
  const due = { id, url: url ?? '', domain: domain ?? '', round: null, before: null }
  library.saveLink(due, { state: 'moved', fault: null, movedTo, failingSince: null }, null, 2000)
}

/** Bookmarks of pages whose addresses have nothing in common. */
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

test('pages that say they are the same are duplicates, whichever of them says so, and are merged', () => {
  const { library, ids } = strangers('a', 'b', 'c', 'd', 'e')
  const [a = '', b = '', c = '', , e = ''] = ids
  saysItIs(library, a, 'https://b.example/b?utm_source=x')
  saysItIs(library, c, 'https://b.example/b')
  moves(library, e, 'http://www.d.example/d/')
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

test('two pages that give the same third as their own are duplicates without it', () => {
  const { library, ids } = strangers('a', 'b', 'c')
  for (const id of ids.slice(0, 2)) saysItIs(library, id, 'https://z.example/z')
  expect(groups(library)).toEqual([['a', 'b']])
  library.changeBookmarks(ids.slice(0, 1), { kind: 'delete' }, 3000)
  expect(groups(library)).toEqual([])
})

test('a site that gives its front page as every page’s own says nothing; nor does another owner’s page', () => {
  const { library, ids } = strangers('a', 'b')
  for (const id of ids) saysItIs(library, id, 'https://www.b.example/')
  const { rowId } = library.createOrganization('Acme', 1)
  library.saveBookmarks(within(rowId), [link('https://c.example/c')])
  saysItIs(library, ids[0] ?? '', 'https://c.example/c')
  expect(groups(library)).toEqual([])
})

test('with www or without is the same page where it says so, and another where it does not', () => {
  const library = emptyLibrary()
  const save = (url: string) => library.saveBookmarks(PRIVATE, [link(url)])[0]
  const bare = save('http://a.example/x')
  expect(save('https://www.a.example/x')?.status).toBe('saved')
  saysItIs(library, bare?.id ?? '', 'https://a.example/x')
  expect(save('https://a.example/x?utm_source=mail')).toEqual({ id: bare?.id, status: 'existing' })
  expect(save('http://www.a.example/x')?.status).toBe('saved')
})

test('pages read before they were compared are compared in the background', () => {
  const { library, ids } = strangers('a', 'b')
  saysItIs(library, ids[0] ?? '', 'https://b.example/b')
  library.db.exec('UPDATE page_details SET own_page = NULL; UPDATE page_key_rules SET rules = 0, up_to = NULL')
  expect(groups(library)).toEqual([])
  while (library.rekeySome());
  expect(groups(library)).toEqual([['a', 'b']])
})
