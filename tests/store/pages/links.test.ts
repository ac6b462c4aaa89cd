import { expect, test } from 'vitest'
import type { DueLink, LinkVerdict } from '../../../src-main/contract/link-check.ts'
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

/** Saves a check of a link outside any round. */
function check(library: ReturnType<typeof saved>, which: number, verdict: LinkVerdict, at = 10_000) {
  const id = library.ids[which] ?? ''
  const { url, domain } = library.findBookmark(id) ?? {}
  const due: DueLink = { id, url: url ?? '', domain: domain ?? '', round: null, before: null }
  return library.saveLink(due, verdict, null, at)
}

/** Checks all links that are due. */
function checkAll(library: TestLibrary, verdict: (link: DueLink) => LinkVerdict, at: number): string[] {
  const urls: string[] = []
  for (let due = library.dueLink(at, []); due; due = library.dueLink(at, [])) {
    urls.push(due.url)
    library.saveLink(due, verdict(due), null, at)
  }
  return urls
}

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
  const exported = library.exportBookmarks({ words, after: 0, trash: 'without' }).bookmarks.map(({ title }) => title)
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
  const due: DueLink = { id: a, url: 'https://a.example/0', domain: 'a.example', round: null, before: null }
  library.editBookmark(a, { address: addressOf('https://other.example/') }, 2000)
  expect(library.saveLink(due, BROKEN, null, 3000)).toBeUndefined()
  library.changeBookmarks([b], { kind: 'delete' }, 2000)
  expect(library.saveLink({ ...due, id: b, url: 'https://b.example/1' }, BROKEN, 9000, 3000)).toBeUndefined()
  expect(library.countByKind()).toMatchObject({ broken: 0 })
  expect(library.dueLink(99_000, [])).toBeUndefined()
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
  const { id: round } = library.beginLinkRound({ asked: true, ids: [b] }, 2500)
  expect(library.dueLink(2500, [])).toMatchObject({ url: 'https://new.example/page', round, before: null })
  library.endLinkRound(2600, true)
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

test('a round has its links, counts its results and ends when all are checked', () => {
  const library = saved('a', 'b', 'c')
  library.saveBookmarks(PRIVATE, [note({ content: 'no link' })])
  const round = library.beginLinkRound({ asked: true, choice: '{}' }, 5000)
  expect(round).toMatchObject({ asked: true, endedAt: null, left: { choice: '{}', after: 0 }, total: 0 })
  expect(library.endLinkRound(5000, false)).toBeUndefined()
  library.takeInLinks(round.id, [...library.ids, 'nobody'], null, 5000)
  expect(library.linkRound()).toMatchObject({ left: null, total: 3 })
  expect(library.endLinkRound(5000, false)).toBeUndefined()
  const verdicts: Record<string, LinkVerdict> = { a: BROKEN, b: MOVED, c: FAILING }
  checkAll(library, ({ domain }) => verdicts[domain.slice(0, 1)] ?? OK, 6000)
  expect(library.linkRound()).toMatchObject({ checked: 3, broken: 1, moved: 1, failing: 1, unclear: 0 })
  expect(library.endLinkRound(7000, false)).toMatchObject({ endedAt: 7000, cancelled: false })
  expect(library.endLinkRound(8000, true)).toBeUndefined()
  expect(library.markedLinks(5000, 10)).toMatchObject([
    { url: 'https://b.example/1', link: 'moved', movedTo: 'https://new.example/page' },
    { url: 'https://a.example/0', link: 'broken', fault: 'gone' }
  ])
  expect(library.markedLinks(6001, 10)).toEqual([])
})

test('the owner has one round at a time, and a round started automatically gives way', () => {
  const library = saved('a', 'b')
  library.beginLinkRound({ asked: false }, 5000)
  library.beginLinkRound({ asked: true, ids: library.ids }, 6000)
  expect(library.lastRoundByItself()).toMatchObject({ cancelled: true, endedAt: 6000 })
  expect(() => library.beginLinkRound({ asked: true, choice: '{}' }, 7000)).toThrow(
    expect.objectContaining({ code: 'taken' })
  )
})

test('a cancelled round is forgotten, and its links are not checked', () => {
  const library = saved('a', 'b')
  library.beginLinkRound({ asked: true, ids: library.ids }, 5000)
  expect(library.endLinkRound(6000, true)).toMatchObject({ cancelled: true, total: 2, checked: 0 })
  expect(library.dueLink(9000, [])).toBeUndefined()
  expect([library.sweepLinks(), library.sweepLinks()]).toEqual([true, false])
  library.beginLinkRound({ asked: true, ids: library.ids.slice(0, 1) }, 7000)
  expect(checkAll(library, () => OK, 7000)).toEqual(['https://a.example/0'])
})

test('a deleted or purged link leaves the round', () => {
  const library = saved('a', 'b')
  library.beginLinkRound({ asked: true, ids: library.ids }, 5000)
  library.changeBookmarks(library.ids.slice(0, 1), { kind: 'delete' }, 5500)
  library.db.prepare('DELETE FROM bookmarks WHERE public_id = ?').run(library.ids[1])
  expect(library.dueLink(9000, [])).toBeUndefined()
  expect(library.endLinkRound(9000, false)).toMatchObject({ endedAt: 9000 })
})

test('an automatic round has the links that were not checked for long', () => {
  const library = emptyLibrary()
  const drafts = Array.from({ length: 1500 }, (_, index) => link(`https://a.example/${index}`))
  const ids = library.saveBookmarks(PRIVATE, drafts).map(({ id }) => id)
  const [read = '', checked = '', waiting = ''] = ids
  library.db.exec('UPDATE bookmarks SET details_due = NULL')
  const page = { id: read, url: 'https://a.example/0', domain: 'a.example', attempts: 0 }
  library.saveFailure(page, { fault: 'wall', title: '', due: null, attempts: 1 }, 50_000)
  const due = { id: checked, url: 'https://a.example/1', domain: 'a.example', round: null, before: null }
  library.saveLink(due, OK, null, 50_000)
  library.db.prepare('UPDATE bookmarks SET details_due = 9 WHERE public_id = ?').run(waiting)
  const { id } = library.beginLinkRound({ asked: false }, 60_000)
  while (library.linkRound()?.left) library.takeInOldLinks(id, 40_000, 60_000)
  expect(library.linkRound()?.total).toBe(1497)
})

test('a failed link is checked again later, among the links of other domains', () => {
  const library = saved('a', 'b')
  library.beginLinkRound({ asked: true, ids: library.ids }, 5000)
  const first = library.dueLink(5000, ['b.example'])
  if (!first) throw new Error('nothing is due')
  expect([first.url, first.before]).toEqual(['https://a.example/0', null])
  library.saveLink(first, FAILING, 50_000, 5000)
  expect(library.dueLink(5000, [])).toMatchObject({ url: 'https://b.example/1' })
  expect(library.dueLink(5000, ['b.example'])).toBeUndefined()
  expect(library.dueLink(50_000, ['b.example'])).toEqual({
    id: first.id,
    url: 'https://a.example/0',
    domain: 'a.example',
    round: null,
    before: FAILING
  })
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
