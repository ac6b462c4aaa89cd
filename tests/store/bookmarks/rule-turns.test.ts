import { expect, test } from 'vitest'
import type { BookmarkDraft, Place } from '../../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { DuePage } from '../../../src-main/contract/page-details.ts'
import { packDrafts } from '../../../src-main/core/packed-drafts.ts'
import { kept } from '../../support/pictures.ts'
import {
  emptyLibrary,
  imported,
  link,
  newKey,
  note,
  PAGE,
  PRIVATE,
  settle,
  type TestLibrary,
  within
} from '../library.ts'

const DETAILS = { ...PAGE, title: 'Ferris learns to walk' }

/** Applies all rules that are due, as the background does. */
async function applyAll(library: TestLibrary): Promise<void> {
  while (library.isRuleDue()) {
    const turns = await library.matchRules()
    if (turns.bookmarks.length === 0) return
    library.applyRules(turns, 5000)
  }
}

/** A library with rules that tag or move. */
function ruled(...rules: [query: string, tag: string, place?: Place][]): TestLibrary {
  const library = emptyLibrary()
  for (const [query, tag, place] of rules) library.saveRule({ query, tags: tag === '' ? [] : [tag], place })
  return library
}

function saved(library: TestLibrary, draft: BookmarkDraft, placement = PRIVATE): string {
  return library.saveBookmarks(placement, [draft])[0]?.id ?? ''
}

function nextPage(library: TestLibrary): DuePage {
  const page = library.duePage(9000, [])
  if (!page) throw new Error('no page is due')
  return page
}

function tagsOf(library: TestLibrary, id: string): string[] | undefined {
  return library.findBookmark(id)?.tags
}

/** The titles of bookmarks that wait for rules. */
function waiting({ db }: TestLibrary): string[] {
  const sql = 'SELECT b.title FROM rule_turns t JOIN bookmarks b ON b.id = t.bookmark_id ORDER BY b.id'
  return db.prepare<[], string>(sql).pluck().all()
}

test('a new bookmark gets the tags of the rules that match it exactly', async () => {
  const library = ruled(['rust', 'crab'], ['site:b.example OR crate', 'b'], ['rusty', 'no'], ['type:color', 'no'])
  const one = saved(library, note({ title: 'Rust by example', tags: ['own'] }))
  const two = saved(library, note({ title: 'Gardens' }))
  await applyAll(library)
  expect([tagsOf(library, one), tagsOf(library, two)]).toEqual([['crab', 'own'], []])
  expect(library.listRules().map(({ matched, matchedAt }) => [matched, matchedAt])).toEqual([
    [1, 5000],
    [0, null],
    [0, null],
    [0, null]
  ])
  expect(waiting(library)).toEqual([])
  expect(library.searchBookmarks(PROFILE, { words: 'tag:crab', page: 1, limit: 5 }).total).toBe(1)
})

test('a rule applies to bookmarks saved later in any way', async () => {
  const library = emptyLibrary()
  const before = saved(library, note({ title: 'old crab' }))
  library.saveRule({ query: 'crab', tags: ['crab'], place: undefined })
  const keyId = library.createKey(newKey()).rowId
  const { saved: inserted } = library.saveForCall(PRIVATE, [link('https://a.example/crab')], {
    keyId,
    client: null,
    tool: 'bookmarks.insert'
  })
  const picture = kept('a drawing')
  const drawn = library.savePicture(
    PRIVATE,
    note({ type: 'image', title: 'a crab', picture: picture.hash, pageKey: `picture:${picture.hash}` }),
    picture
  )
  await applyAll(library)
  expect(tagsOf(library, before)).toEqual([])
  expect([inserted[0]?.id, drawn.id].map((id) => tagsOf(library, id ?? ''))).toEqual([['crab'], ['crab']])
})

test('rules apply to imported bookmarks once they are indexed, except in the trash', async () => {
  const library = ruled(['crab', 'crab'])
  const kept = saved(library, note({ title: 'first crab' }))
  library.changeBookmarks([kept], { kind: 'delete' }, 2000)
  await applyAll(library)
  const drafts = [
    imported(link('https://a.example/crab', { title: 'crab one' })),
    { ...imported(link('https://a.example/gone-crab')), deletedAt: 1000 },
    imported(note({ title: 'two crabs, one crab' }))
  ]
  library.importBookmarks(library.beginImport(1000), [packDrafts(drafts)])
  expect(await library.matchRules()).toEqual({ bookmarks: [], matches: [] })
  settle(library)
  const { matches } = await library.matchRules()
  expect(matches).toMatchObject([{ bookmarks: [expect.any(String), expect.any(String)] }])
  await applyAll(library)
  const { bookmarks } = library.searchBookmarks(PROFILE, { words: 'tag:crab', page: 1, limit: 9 })
  expect(bookmarks.map(({ title }) => title).sort()).toEqual(['crab one', 'two crabs, one crab'])
})

test('the details of a page give the rules that did not match one more try', async () => {
  const library = ruled(['ferris', 'crab'], ['a.example', 'site'])
  const id = saved(library, link('https://a.example/'))
  await applyAll(library)
  expect(tagsOf(library, id)).toEqual(['site'])
  library.changeBookmarks([id], { kind: 'tags', add: [], remove: ['site'] }, 6000)
  const page = nextPage(library)
  library.saveFailure(page, { fault: 'busy', title: '', due: 8000, attempts: 1 }, 6500)
  expect(library.isRuleDue()).toBe(false)
  library.saveDetails(page, DETAILS, 7000)
  await applyAll(library)
  expect(tagsOf(library, id)).toEqual(['crab'])
  library.changeBookmarks([id], { kind: 'tags', add: [], remove: ['crab'] }, 8000)
  library.saveDetails(page, { ...DETAILS, title: 'Ferris runs' }, 9000)
  library.editBookmark(id, { title: 'Ferris of a.example' }, 9000)
  await applyAll(library)
  expect(tagsOf(library, id)).toEqual([])
  expect(library.listRules().map(({ matched }) => matched)).toEqual([1, 1])
})

test('a page that cannot be read ends the wait for it, and text of the browser counts before', async () => {
  const library = ruled(['giraffe', 'tall'])
  const id = saved(library, link('https://a.example/'))
  await applyAll(library)
  const page = nextPage(library)
  library.saveTabText(page, 'a giraffe')
  await applyAll(library)
  expect([tagsOf(library, id), waiting(library)]).toEqual([['tall'], ['']])
  library.saveFailure(page, { fault: 'gone', title: 'Words', due: null, attempts: 1 }, 9)
  await applyAll(library)
  expect(waiting(library)).toEqual([])
})

test('rules see the tags that other rules added, in any order', async () => {
  const library = ruled(['tag:crab', 'animal'], ['rust', 'crab'], ['tag:animal rust', 'all'])
  const id = saved(library, note({ title: 'Rust' }))
  await applyAll(library)
  expect(tagsOf(library, id)).toEqual(['all', 'animal', 'crab'])
})

test('a change by a rule is not a change by the owner, so that the call can be undone', async () => {
  const library = ruled(['crab', 'crab', { visibility: 'public', owner: null }])
  const call = { keyId: library.createKey(newKey()).rowId, client: null, tool: 'bookmarks.insert' }
  const { saved: inserted, callId } = library.saveForCall(PRIVATE, [link('https://a.example/crab')], call)
  await applyAll(library)
  const bookmark = library.findBookmark(inserted[0]?.id ?? '')
  expect(bookmark).toMatchObject({ tags: ['crab'], visibility: 'public', updatedAt: 1000 })
  expect(library.undo({ call: callId }, 6000)).toEqual({ undone: 1, kept: 0 })
})

test('a rule that moves applies to the profile’s bookmarks, and a rule that tags to all', async () => {
  const library = emptyLibrary()
  const acme = library.createOrganization('Acme', 1).rowId
  const other = library.createOrganization('Other', 1).rowId
  library.saveRule({ query: 'crab', tags: ['moved'], place: { visibility: 'organization', owner: acme } })
  library.saveRule({ query: 'crab', tags: ['tagged'], place: undefined })
  library.saveRule({ query: 'crab', tags: [], place: { visibility: 'public', owner: null } })
  const own = saved(library, note({ title: 'crab' }))
  const theirs = saved(library, note({ title: 'crab' }), within(other))
  await applyAll(library)
  expect(library.findBookmark(own)).toMatchObject({ visibility: 'organization', tags: ['moved', 'tagged'] })
  expect(library.findBookmark(theirs)).toMatchObject({ visibility: 'organization', tags: ['tagged'] })
  expect(library.searchBookmarks({ owner: acme, readOnly: false }, { page: 1, limit: 9 }).total).toBe(1)
})

test('a bookmark whose page the organization has already stays and gets the tags', async () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Acme', 1).rowId
  library.saveRule({ query: 'crab', tags: ['moved'], place: { visibility: 'organization', owner } })
  library.saveBookmarks(within(owner), [link('https://a.example/crab')])
  const id = saved(library, link('https://a.example/crab'))
  await applyAll(library)
  expect(library.findBookmark(id)).toMatchObject({ visibility: 'private', tags: ['moved'] })
})

test('a rule does not apply if it or its organization was deleted', async () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Acme', 1).rowId
  library.saveRule({ query: 'crab', tags: ['moved'], place: { visibility: 'organization', owner } })
  const { id: rule } = library.saveRule({ query: 'crab', tags: ['deleted'], place: undefined })
  const id = saved(library, note({ title: 'crab' }))
  const turns = await library.matchRules()
  expect(turns.matches).toHaveLength(2)
  library.deleteOrganizationSome(owner, 'profile', 2)
  library.deleteRule(rule, 3)
  library.applyRules(turns, 5000)
  await applyAll(library)
  expect(library.findBookmark(id)).toMatchObject({ visibility: 'private', tags: [] })
  expect(waiting(library)).toEqual([])
})

test('a bookmark does not get what matched a purged bookmark with its row id', async () => {
  const library = ruled(['crab', 'crab'])
  const gone = saved(library, note({ title: 'crab' }))
  const turns = await library.matchRules()
  library.changeBookmarks([gone], { kind: 'delete' }, 2)
  library.purgeTrash(3)
  const other = saved(library, note({ title: 'snail' }))
  library.applyRules(turns, 5000)
  await applyAll(library)
  expect(tagsOf(library, other)).toEqual([])
})

test('a page that is read while rules are matched is matched again', async () => {
  const library = ruled(['ferris', 'crab'])
  const id = saved(library, link('https://a.example/'))
  const turns = await library.matchRules()
  library.saveDetails(nextPage(library), DETAILS, 7000)
  library.applyRules(turns, 5000)
  await applyAll(library)
  expect(tagsOf(library, id)).toEqual(['crab'])
})

test('a restored rule applies to bookmarks saved later', async () => {
  const library = ruled(['crab', 'crab'])
  const [rule] = library.listRules()
  library.saveRule({ query: 'nothing', tags: ['x'], place: undefined })
  library.deleteRule(rule?.id ?? '', 1)
  expect(waiting(library)).toEqual([])
  library.restoreRule(rule?.id ?? '')
  const id = saved(library, note({ title: 'crab' }))
  await applyAll(library)
  expect(tagsOf(library, id)).toEqual(['crab'])
})

test('a bookmark with the maximum number of tags gets none', async () => {
  const library = ruled(['crab', 'crab'])
  const tags = Array.from({ length: 64 }, (_, index) => `tag${index}`)
  const id = saved(library, note({ title: 'crab', tags }))
  await applyAll(library)
  expect(tagsOf(library, id)).toHaveLength(64)
  expect(waiting(library)).toEqual([])
})

test('a bookmark saved again from the trash counts as new', async () => {
  const library = ruled(['crab', 'crab'])
  const draft = link('https://a.example/', { title: 'crab' })
  const id = saved(library, draft)
  await applyAll(library)
  library.changeBookmarks([id], { kind: 'tags', add: [], remove: ['crab'] }, 2000)
  library.changeBookmarks([id], { kind: 'delete' }, 3000)
  expect(saved(library, draft)).toBe(id)
  await applyAll(library)
  expect(tagsOf(library, id)).toEqual(['crab'])
})

test('without rules no bookmark waits for them', () => {
  const library = emptyLibrary()
  saved(library, note({ title: 'crab' }))
  expect([waiting(library), library.isRuleDue()]).toEqual([[], false])
})
