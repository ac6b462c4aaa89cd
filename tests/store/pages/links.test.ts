import { expect, test } from 'vitest'
import type { DueLink, LinkVerdict } from '../../../src-main/contract/link-check.ts'
import { kept } from '../../support/pictures.ts'
import {
  addressOf,
  emptyLibrary,
  link,
  listed,
  note,
  PAGE,
  PRIVATE,
  settle,
  type TestLibrary,
  titles
} from '../library.ts'

const NOTHING = { fault: null, movedTo: null, failingSince: null }
const OK: LinkVerdict = { ...NOTHING, state: 'ok' }
const BROKEN: LinkVerdict = { ...NOTHING, state: 'broken', fault: 'gone' }
const MOVED: LinkVerdict = { ...NOTHING, state: 'moved', movedTo: 'https://new.example/page' }
const FAILING: LinkVerdict = { ...NOTHING, state: 'failing', fault: 'no-host', failingSince: 5 }

/** A library with a link to each of these hosts, which is its title. */
function saved(...hosts: string[]): TestLibrary & { ids: string[] } {
  const library = emptyLibrary()
  const drafts = hosts.map((host, index) => link(`https://${host}.example/${index}`, { title: host }))
  const ids = library.saveBookmarks(PRIVATE, drafts).map(({ id }) => id)
  return { ...library, ids }
}

/** Saves a check of a link. */
function check(library: ReturnType<typeof saved>, which: number, verdict: LinkVerdict, at = 10_000) {
  const id = library.ids[which] ?? ''
  return library.saveLink({ id, url: library.findBookmark(id)?.url ?? '' }, verdict, at)
}

/** Checks all links that are due. */
function checkAll(
  library: TestLibrary,
  verdict: (link: DueLink) => LinkVerdict,
  at: number,
  isRequested = true
): string[] {
  const urls: string[] = []
  for (let due = library.dueLink(at, [], isRequested); due; due = library.dueLink(at, [], isRequested)) {
    urls.push(due.url)
    library.saveLink(due, verdict(due), at)
  }
  return urls
}

const MONTH = 30 * 86_400_000

test('broken and moved links are found, listed and counted, and links in other states are not', () => {
  const library = saved('a', 'b', 'c', 'd')
  expect(check(library, 0, BROKEN)).toEqual({ changed: true })
  expect(check(library, 1, MOVED)).toEqual({ changed: true })
  expect(check(library, 2, FAILING)).toEqual({ changed: false })
  expect(library.countByKind()).toMatchObject({ all: 4, broken: 1, moved: 1 })
  expect(listed(library, { is: ['broken'] })).toEqual(['a'])
  expect(listed(library, { is: ['moved', 'broken'], order: 'title' })).toEqual(['a', 'b'])
  expect(listed(library, { is: [] })).toEqual([])
  expect(titles(library, { is: ['moved'] })).toEqual(['b'])
  expect(library.findBookmark(library.ids[0] ?? '')).toMatchObject({ link: 'broken' })
  expect(check(library, 0, OK)).toEqual({ changed: true })
  expect(check(library, 0, OK)).toEqual({ changed: false })
  expect(library.countByKind()).toMatchObject({ broken: 0, moved: 1 })
  expect(listed(library, { is: ['broken'] })).toEqual([])
})

test('unchecked links are counted, without deleted bookmarks and other types', () => {
  const library = saved('a', 'b', 'c', 'd')
  library.saveBookmarks(PRIVATE, [note({ title: 'e' })])
  check(library, 0, BROKEN)
  expect(library.countUnchecked()).toBe(3)
  check(library, 1, OK)
  library.changeBookmarks([library.ids[2] ?? ''], { kind: 'delete' }, 2000)
  expect(library.countUnchecked()).toBe(1)
})

test.for([
  ['is:broken', ['a']],
  ['is:broken OR is:moved', ['b', 'a']],
  ['is:broken is:moved', []],
  ['-is:broken', ['c', 'b']],
  ['a is:broken', ['a']],
  ['b is:broken', []],
  ['b -is:broken', ['b']],
  ['"is:broken"', []]
] as const)('%s finds %j', ([words, found]) => {
  const library = saved('a', 'b', 'c')
  check(library, 0, BROKEN)
  check(library, 1, MOVED)
  expect(titles(library, { words })).toEqual(found)
  const exported = library.readBookmarks(library.matchingIds({ words, trash: 'without' })).map(({ title }) => title)
  expect(exported.toSorted()).toEqual([...found].toSorted())
})

test.for(['newest', 'oldest', 'title'] as const)('broken links among many are listed completely: %s', (order) => {
  const library = saved(...Array.from({ length: 300 }, (_, index) => `site${index}`))
  for (let which = 0; which < 300; which += 3) check(library, which, BROKEN)
  const pages = [1, 2, 3].flatMap((page) => listed(library, { is: ['broken'], order, page, limit: 40 }))
  expect(new Set(pages).size).toBe(100)
  expect(listed(library, { is: ['broken'], domain: 'site3.example' })).toEqual(['site3'])
})

test('a deleted bookmark does not count as broken, and counts again when it is restored', () => {
  const library = saved('a')
  check(library, 0, BROKEN)
  library.changeBookmarks(library.ids, { kind: 'delete' }, 2000)
  expect(library.countByKind()).toMatchObject({ broken: 0 })
  library.changeBookmarks(library.ids, { kind: 'restore' }, 3000)
  expect(listed(library, { is: ['broken'] })).toEqual(['a'])
})

test('a check of an old address or a deleted bookmark is ignored', () => {
  const library = saved('a', 'b')
  const [a = '', b = ''] = library.ids
  library.editBookmark(a, { address: addressOf('https://other.example/') }, 2000)
  expect(library.saveLink({ id: a, url: 'https://a.example/0' }, BROKEN, 3000)).toBeUndefined()
  library.changeBookmarks([b], { kind: 'delete' }, 2000)
  expect(library.saveLink({ id: b, url: 'https://b.example/1' }, BROKEN, 3000)).toBeUndefined()
  expect(library.countByKind()).toMatchObject({ broken: 0 })
  expect(library.dueLink(2 * MONTH, [], false)).toBeUndefined()
})

test('a new address has no link state, and undoing restores the old one', () => {
  const library = saved('a', 'b')
  check(library, 0, BROKEN)
  check(library, 1, MOVED)
  const [a = '', b = ''] = library.ids
  library.editBookmark(a, { address: addressOf('https://other.example/') }, 2000)
  expect(library.findLink(a)).toBeUndefined()
  const { changed, undo } = library.changeBookmarks([b], { kind: 'follow' }, 2000)
  expect([changed, library.findBookmark(b)?.url]).toEqual([1, 'https://new.example/page'])
  expect(library.findLink(b)).toBeUndefined()
  expect(library.countByKind()).toMatchObject({ broken: 0, moved: 0 })
  library.beginLinkCheck([b], 2500)
  expect(library.dueLink(2500, [], true)).toMatchObject({ url: 'https://new.example/page', before: null })
  library.cancelLinkCheck(2600)
  library.undoStep(undo ?? 0)
  expect(library.findBookmark(b)).toMatchObject({ url: 'https://b.example/1', link: 'moved' })
  expect(library.findLink(b)).toMatchObject({ state: 'moved', movedTo: 'https://new.example/page' })
  expect(listed(library, { is: ['moved'] })).toEqual(['b'])
})

test('a new address that is already saved is not followed', () => {
  const library = saved('a', 'b', 'c')
  const [a = '', b = '', c = ''] = library.ids
  library.saveBookmarks(PRIVATE, [link('https://new.example/page', { title: 'new' })])
  check(library, 0, MOVED)
  check(library, 1, { ...MOVED, movedTo: 'https://b.example/next' })
  check(library, 2, BROKEN)
  const report = library.changeBookmarks([a, b, c], { kind: 'follow' }, 2000)
  expect(report).toMatchObject({
    changed: 1,
    kept: [
      { id: a, reason: 'same-page' },
      { id: c, reason: 'not-moved' }
    ]
  })
  expect(titles(library)).toHaveLength(4)
  expect(library.findBookmark(a)).toMatchObject({ url: 'https://a.example/0', link: 'moved' })
})

test('a requested check has its links, counts their results and ends when all are checked', () => {
  const library = saved('a', 'b', 'c')
  const [{ id: text = '' } = {}] = library.saveBookmarks(PRIVATE, [note({ content: 'no link' })])
  expect(library.linkCheck()).toBeUndefined()
  library.beginLinkCheck([...library.ids, library.ids[1] ?? '', text, 'nobody'], 5000)
  expect(library.linkCheck()).toMatchObject({ beganAt: 5000, endedAt: null, total: 3, checked: 0 })
  const verdicts: Record<string, LinkVerdict> = { a: BROKEN, b: MOVED, c: FAILING }
  library.endLinkCheck(5500)
  expect(checkAll(library, ({ domain }) => verdicts[domain.slice(0, 1)] ?? OK, 6000)).toHaveLength(3)
  expect(library.linkCheck()).toMatchObject({ checked: 3, broken: 1, moved: 1, failing: 1, unclear: 0, endedAt: null })
  library.endLinkCheck(7000)
  library.cancelLinkCheck(8000)
  expect(library.linkCheck()).toMatchObject({ endedAt: 7000, cancelled: false })
  expect(library.markedLinks(5000, 10)).toMatchObject([
    { url: 'https://b.example/1', link: 'moved', movedTo: 'https://new.example/page' },
    { url: 'https://a.example/0', link: 'broken', fault: 'gone' }
  ])
  expect(library.markedLinks(6001, 10)).toEqual([])
})

test('one requested check runs at a time, and automatic checks are not counted in it', () => {
  const library = saved('a', 'b')
  check(library, 0, OK, 1000)
  library.beginLinkCheck(library.ids.slice(1), 5000)
  expect(() => library.beginLinkCheck(library.ids, 6000)).toThrow(expect.objectContaining({ code: 'taken' }))
  expect(checkAll(library, () => BROKEN, 1000 + MONTH, false)).toEqual(['https://a.example/0'])
  expect(library.linkCheck()).toMatchObject({ beganAt: 5000, total: 1, checked: 0, broken: 0 })
})

test('the links of a cancelled check are due again when their next automatic checks are', () => {
  const library = saved('a', 'b', 'c')
  check(library, 0, OK, 2000)
  check(library, 1, FAILING, 3000)
  library.beginLinkCheck(library.ids, 5000)
  library.cancelLinkCheck(6000)
  expect(library.linkCheck()).toMatchObject({ cancelled: true, endedAt: 6000, total: 3, checked: 0 })
  expect(library.dueLink(9000, [], true)).toBeUndefined()
  const due = (time: number) => library.dueLink(time, [], false)?.url
  const retry = 3000 + MONTH / 60
  expect([due(retry - 1), due(retry)]).toEqual([undefined, 'https://b.example/1'])
  check(library, 1, OK, MONTH)
  expect(checkAll(library, () => OK, 1000 + MONTH, false)).toEqual(['https://c.example/2'])
  expect(checkAll(library, () => OK, 2000 + MONTH, false)).toEqual(['https://a.example/0'])
  library.beginLinkCheck(library.ids.slice(0, 1), 7000)
  expect(checkAll(library, () => OK, 7000)).toEqual(['https://a.example/0'])
})

test('a deleted, purged or changed bookmark leaves the check', () => {
  const library = saved('a', 'b', 'c')
  library.beginLinkCheck(library.ids, 5000)
  library.changeBookmarks(library.ids.slice(0, 1), { kind: 'delete' }, 5500)
  library.db.prepare('DELETE FROM bookmarks WHERE public_id = ?').run(library.ids[1])
  library.db.prepare('UPDATE bookmarks SET url = NULL, page_key = NULL WHERE public_id = ?').run(library.ids[2])
  expect(library.dueLink(9000, [], true)).toBeUndefined()
  library.endLinkCheck(9000)
  expect(library.linkCheck()).toMatchObject({ endedAt: 9000, total: 3, checked: 0 })
})

test('a link is due a month after its page was read or it was checked, the oldest first', () => {
  const library = saved('a', 'b', 'c', 'd')
  const [a = '', b = '', c = ''] = library.ids
  const page = (id: string, which: number, host: string) => {
    return { id, url: `https://${host}.example/${which}`, domain: `${host}.example`, attempts: 0 }
  }
  library.saveFailure(page(c, 2, 'c'), { fault: 'wall', title: '', due: null, attempts: 1 }, 20_000)
  library.saveDetails(page(a, 0, 'a'), PAGE, 10_000)
  check(library, 1, OK, 15_000)
  expect(library.dueLink(10_000 + MONTH - 1, [], false)).toBeUndefined()
  expect(checkAll(library, () => OK, 20_000 + MONTH, false)).toEqual([
    'https://a.example/0',
    'https://b.example/1',
    'https://c.example/2'
  ])
  library.changeBookmarks([b], { kind: 'delete' }, 30_000)
  expect(library.dueLink(3 * MONTH, ['a.example', 'c.example'], false)).toBeUndefined()
  library.changeBookmarks([b], { kind: 'restore' }, 40_000)
  expect(library.dueLink(40_000, [], false)).toMatchObject({ id: b })
})

test('reading the page of a requested link does not take it out of the check', () => {
  const library = saved('a')
  library.beginLinkCheck(library.ids, 5000)
  const page = { id: library.ids[0] ?? '', url: 'https://a.example/0', domain: 'a.example', attempts: 0 }
  library.saveDetails(page, PAGE, 5500)
  expect(checkAll(library, () => OK, 6000)).toEqual(['https://a.example/0'])
})

test('a failed link is checked again 12 hours later, among the links of other domains', () => {
  const library = saved('a', 'b')
  library.beginLinkCheck(library.ids, 5000)
  const first = library.dueLink(5000, ['b.example'], true)
  if (!first) throw new Error('nothing is due')
  expect([first.url, first.before]).toEqual(['https://a.example/0', null])
  library.saveLink(first, FAILING, 5000)
  expect(library.dueLink(5000, [], true)).toMatchObject({ url: 'https://b.example/1' })
  expect(library.dueLink(5000, ['b.example'], true)).toBeUndefined()
  const retry = 5000 + MONTH / 60
  expect(library.dueLink(retry - 1, [], false)).toBeUndefined()
  expect(library.dueLink(retry, ['b.example'], false)).toEqual({
    id: first.id,
    url: 'https://a.example/0',
    domain: 'a.example',
    before: FAILING
  })
  const page = { id: first.id, url: first.url, domain: first.domain, attempts: 0 }
  library.saveFailure(page, { fault: 'wall', title: '', due: null, attempts: 1 }, 6000)
  expect(library.dueLink(6000 + MONTH / 60, ['b.example'], false)).toMatchObject({ url: 'https://a.example/0' })
})

test('a link that answered is offered for a domain, unless it is of that domain', () => {
  const library = saved('a', 'b')
  check(library, 0, OK)
  check(library, 1, BROKEN)
  expect(library.linkThatAnswered('x.example')).toBe('https://a.example/0')
  expect(library.linkThatAnswered('a.example')).toBeUndefined()
})

test('reading a page also checks its link', () => {
  const library = saved('a')
  const page = library.duePage(1000, [])
  if (!page) throw new Error('nothing is due')
  library.saveFailure(page, { fault: 'gone', title: '', due: null, attempts: 1 }, 2000)
  expect(listed(library, { is: ['broken'] })).toEqual(['a'])
  library.saveDetails(page, PAGE, 3000)
  expect(library.findLink(page.id)).toMatchObject({ state: 'ok', checkedAt: 3000 })
  settle(library)
  expect(library.countByKind()).toMatchObject({ broken: 0 })
})

test('a picture without an address is in no check of links, also after it was restored', () => {
  const library = saved('a')
  const picture = kept('a drawing')
  const draft = note({ type: 'image', picture: picture.hash, pageKey: `picture:${picture.hash}` })
  const { id } = library.savePicture(PRIVATE, draft, picture)
  library.changeBookmarks([id], { kind: 'delete' }, 2000)
  library.changeBookmarks([id], { kind: 'restore' }, 3000)
  library.beginLinkCheck([...library.ids, id], 5000)
  expect(checkAll(library, () => OK, 6000)).toEqual(['https://a.example/0'])
  library.endLinkCheck(7000)
  expect(library.linkCheck()).toMatchObject({ total: 1, checked: 1, endedAt: 7000 })
  expect(library.db.prepare('SELECT count(*) FROM links_due').pluck().get()).toBe(1)
})
