import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BookmarkDraft, Place } from '../../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { LibraryEvent } from '../../../src-main/contract/change.ts'
import type { DuePage } from '../../../src-main/contract/page-details.ts'
import { packDrafts } from '../../../src-main/core/packed-drafts.ts'
import { hasDeferredRules } from '../../../src-main/store/bookmarks/rules.ts'
import { indexWork } from '../../../src-main/store/indexing.ts'
import { CALLS } from '../../../src-main/store/library.ts'
import { makeWrite } from '../../../src-main/store/thread-work.ts'
import { kept } from '../../support/pictures.ts'
import {
  emptyLibrary,
  imported,
  libraryOf300,
  link,
  newKey,
  note,
  openedLibrary,
  PAGE,
  PRIVATE,
  settle,
  type TestLibrary,
  unmarked,
  within
} from '../library.ts'

const DETAILS = { ...PAGE, title: 'Ferris learns to walk' }

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

function matchCounts(library: TestLibrary): number[] {
  return library.listRules().map(({ matched }) => matched)
}

/** The titles of bookmarks that rules still apply to. */
function pending({ db }: TestLibrary): string[] {
  const sql = 'SELECT b.title FROM rules_pending p JOIN bookmarks b ON b.id = p.bookmark_id ORDER BY b.id'
  return db.prepare<[], string>(sql).pluck().all()
}

function importAll(library: TestLibrary, ...drafts: Parameters<typeof packDrafts>[0]): number {
  const id = library.beginImport(1000)
  library.importBookmarks(id, [packDrafts(drafts)])
  return id
}

test('a new bookmark gets the tags of the rules that match it exactly', () => {
  const library = ruled(['rust', 'crab'], ['site:b.example OR crate', 'b'], ['rusty', 'no'], ['type:color', 'no'])
  const one = saved(library, note({ title: 'Rust by example', tags: ['own'] }))
  const two = saved(library, note({ title: 'Gardens' }))
  expect([tagsOf(library, one), tagsOf(library, two)]).toEqual([['crab', 'own'], []])
  expect(library.listRules().map(({ matched, matchedAt }) => [matched, matchedAt])).toEqual([
    [1, 1000],
    [0, null],
    [0, null],
    [0, null]
  ])
  expect(pending(library)).toEqual([])
  expect(library.searchBookmarks(PROFILE, { words: 'tag:crab', page: 1, limit: 5 }).total).toBe(1)
})

test.for([
  ['crab', true],
  ['"a red crab"', true],
  ['"crab red"', false],
  ['in:title crab', true],
  ['crab -blue', true],
  ['crab -red', false],
  ['-blue', true],
  ['type:link site:a.example', true],
  ['type:link', true],
  ['crab (site:b.example OR tag:sea)', true],
  ['crab (site:b.example OR tag:land)', false],
  ['crab -(tag:sea type:link)', false],
  ['crab before:2020', true],
  ['crab after:2020', false],
  ['(crab OR after:2020) tag:sea', true],
  ['is:untagged', false],
  ['tag:nobody-has-this', false]
] as const)('the query %s matches a new bookmark: %s', ([query, matches]) => {
  const library = ruled([query, 'matched'])
  saved(library, link('https://b.example/blue', { title: 'blue whale', tags: ['land'] }))
  const before = matchCounts(library)
  const id = saved(library, link('https://a.example/', { title: 'A red crab', tags: ['sea'] }))
  expect(tagsOf(library, id)?.includes('matched')).toBe(matches)
  expect(matchCounts(library)[0]).toBe((before[0] ?? 0) + Number(matches))
})

test('no query of a rule makes a save fail', () => {
  const part = fc.constantFrom(
    ...['crab', '"', '"a crab', '(', ')', '-', 'OR', 'NOT', '*', 'c*', 'tag:', 'tag:sea', '-tag:sea', 'site:a.example'],
    ...[
      'in:title',
      'type:video',
      'before:2020',
      'is:',
      'is:broken',
      '読書',
      'c++',
      '^',
      ':',
      'title:',
      '\u{e001}',
      'NEAR('
    ]
  )
  const library = emptyLibrary()
  const { id } = library.saveRule({ query: 'crab', tags: ['crab'], place: undefined })
  let saves = 0
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.constantFrom(' ', ''), (parts, separator) => {
      library.changeRule(id, { query: parts.join(separator), tags: ['crab'], place: undefined })
      saves += 1
      saved(library, link(`https://a.example/${saves}`, { title: 'a crab', tags: ['sea'] }))
    }),
    { numRuns: 300 }
  )
})

test('a rule applies to bookmarks saved later in any way', () => {
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
  expect(tagsOf(library, before)).toEqual([])
  expect([inserted[0]?.id, drawn.id].map((id) => tagsOf(library, id ?? ''))).toEqual([['crab'], ['crab']])
})

test('a save, a page and the indexing of an import report what rules changed', () => {
  const library = ruled(['crab OR ferris', 'crab'])
  const { db } = library
  const eventsOf = (line: (typeof CALLS)[keyof typeof CALLS], ...args: unknown[]) =>
    line.runsOn === 'writer' ? makeWrite(db, line, args as never[]).events.map(({ kind }) => kind) : []
  expect(eventsOf(CALLS.saveBookmarks, PRIVATE, [note({ title: 'crab' })])).toEqual(['bookmarks', 'rules', 'bookmarks'])
  expect(eventsOf(CALLS.saveBookmarks, PRIVATE, [link('https://a.example/')])).toEqual(['bookmarks'])
  expect(eventsOf(CALLS.saveDetails, nextPage(library), DETAILS, 7000)).toEqual(['details', 'rules', 'bookmarks'])
  importAll(library, imported(note({ title: 'a crab', content: 'a' })))
  expect(eventsOf(CALLS.indexBatch)).toEqual(['rules', 'bookmarks'])
  importAll(library, imported(note({ title: 'the crab', content: 'the' })))
  const emitted: LibraryEvent[][] = []
  const { indexBatch } = indexWork(db, (events) => emitted.push(events))
  while (indexBatch());
  expect(emitted).toEqual([[{ kind: 'rules' }, { kind: 'bookmarks' }]])
})

test('rules apply to imported bookmarks in the transaction that indexes them, except in the trash', () => {
  const library = ruled(['crab', 'crab'])
  const kept = saved(library, note({ title: 'first crab' }))
  library.changeBookmarks([kept], { kind: 'delete' }, 2000)
  importAll(
    library,
    imported(link('https://a.example/crab', { title: 'crab one' })),
    { ...imported(link('https://a.example/gone-crab')), deletedAt: 1000 },
    imported(note({ title: 'two crabs, one crab', content: 'two' }))
  )
  expect([matchCounts(library), hasDeferredRules(library.db)]).toEqual([[1], true])
  expect(library.indexBatch()).toBeGreaterThan(0)
  expect(matchCounts(library)).toEqual([3])
  settle(library)
  expect([hasDeferredRules(library.db), library.isIndexing(PROFILE)]).toEqual([false, false])
  const { bookmarks } = library.searchBookmarks(PROFILE, { words: 'tag:crab', page: 1, limit: 9 })
  expect(bookmarks.map(({ title }) => title).sort()).toEqual(['crab one', 'two crabs, one crab'])
  expect(pending(library)).toEqual(['crab one'])
})

test('rules apply to bookmarks of an import that were changed or restored before it was indexed', () => {
  const library = ruled(['crab', 'crab'])
  const page = link('https://a.example/crab', { title: 'crab' })
  const restored = saved(library, page)
  library.changeBookmarks([restored], { kind: 'tags', add: [], remove: ['crab'] }, 1500)
  library.changeBookmarks([restored], { kind: 'delete' }, 2000)
  importAll(library, imported(page), imported(note({ title: 'crab' })))
  const [, changed = ''] = library.matchingIds({ trash: 'without' })
  library.editBookmark(changed, { title: 'a crab' }, 3000)
  settle(library)
  expect([tagsOf(library, restored), tagsOf(library, changed)]).toEqual([['crab'], ['crab']])
  expect(hasDeferredRules(library.db)).toBe(false)
})

test('an import can be undone after rules were applied to it', () => {
  const library = ruled(['crab', 'crab'])
  const drafts = Array.from({ length: 450 }, (_, index) => {
    return imported(link(`https://a.example/${index}/${index % 2 ? 'crab' : 'snail'}`))
  })
  const id = importAll(library, ...drafts)
  settle(library)
  expect(matchCounts(library)).toEqual([225])
  expect(library.undo({ import: id }, 2000)).toEqual({ undone: 450, kept: 0 })
})

test('the details of a page give the rules that did not match one more try', () => {
  const library = ruled(['ferris', 'crab'], ['a.example', 'site'])
  const id = saved(library, link('https://a.example/'))
  expect(tagsOf(library, id)).toEqual(['site'])
  library.changeBookmarks([id], { kind: 'tags', add: [], remove: ['site'] }, 6000)
  const page = nextPage(library)
  library.saveFailure(page, { fault: 'busy', title: 'Ferris', due: 8000, attempts: 1 }, 6500)
  expect(tagsOf(library, id)).toEqual([])
  library.saveDetails(page, DETAILS, 7000)
  expect(tagsOf(library, id)).toEqual(['crab'])
  library.changeBookmarks([id], { kind: 'tags', add: [], remove: ['crab'] }, 8000)
  library.saveDetails(page, { ...DETAILS, title: 'Ferris runs' }, 9000)
  library.editBookmark(id, { title: 'Ferris of a.example' }, 9000)
  expect(tagsOf(library, id)).toEqual([])
  expect(matchCounts(library)).toEqual([1, 1])
})

test('a rule that is made before the page of a bookmark is read does not apply to it', () => {
  const library = ruled(['giraffe', 'tall'])
  const id = saved(library, link('https://a.example/'))
  library.saveRule({ query: 'ferris', tags: ['crab'], place: undefined })
  library.saveDetails(nextPage(library), DETAILS, 7000)
  expect(tagsOf(library, id)).toEqual([])
})

test('a page that cannot be read ends the wait for it, and text of the browser counts before', () => {
  const library = ruled(['giraffe', 'tall'], ['words', 'read'])
  const id = saved(library, link('https://a.example/'))
  const page = nextPage(library)
  library.saveTabText(page, unmarked('a giraffe'), 8)
  expect([tagsOf(library, id), pending(library)]).toEqual([['tall'], ['']])
  library.changeBookmarks([id], { kind: 'tags', add: [], remove: ['tall'] }, 8)
  library.saveFailure(page, { fault: 'gone', title: 'Words', due: null, attempts: 1 }, 9)
  expect([tagsOf(library, id), pending(library)]).toEqual([['read'], []])
})

test('rules see the tags that other rules added, in any order', () => {
  const library = ruled(['tag:crab', 'animal'], ['rust', 'crab'], ['tag:animal rust', 'all'])
  const id = saved(library, note({ title: 'Rust' }))
  expect(tagsOf(library, id)).toEqual(['all', 'animal', 'crab'])
})

test('a change by a rule is not a change by the owner, so that the call can be undone', () => {
  const library = ruled(['crab', 'crab', { visibility: 'public', owner: null }])
  const call = { keyId: library.createKey(newKey()).rowId, client: null, tool: 'bookmarks.insert' }
  const { saved: inserted, callId } = library.saveForCall(PRIVATE, [link('https://a.example/crab')], call)
  const bookmark = library.findBookmark(inserted[0]?.id ?? '')
  expect(bookmark).toMatchObject({ tags: ['crab'], visibility: 'public', updatedAt: 1000 })
  expect(library.undo({ call: callId }, 6000)).toEqual({ undone: 1, kept: 0 })
})

test('a page from the trash that a rule moved goes back there when the call is undone', () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Acme', 1).rowId
  const page = link('https://a.example/crab')
  const id = saved(library, page)
  library.changeBookmarks([id], { kind: 'delete' }, 500)
  library.saveRule({ query: 'crab', tags: [], place: { visibility: 'organization', owner } })
  const call = { keyId: library.createKey(newKey()).rowId, client: null, tool: 'bookmarks.insert' }
  const { callId } = library.saveForCall(PRIVATE, [page], call)
  expect(library.findBookmark(id)).toMatchObject({ visibility: 'organization', deletedAt: null })
  library.deleteRule(library.listRules()[0]?.id ?? '', 2000)
  const again = saved(library, page)
  expect(library.undo({ call: callId }, 6000)).toEqual({ undone: 1, kept: 0 })
  expect(library.findBookmark(id)).toMatchObject({ visibility: 'private', deletedAt: 6000 })
  expect(library.findBookmark(again)).toMatchObject({ visibility: 'private', deletedAt: null })
})

test('undoing a change of visibility also undoes a later move by a rule', () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Acme', 1).rowId
  library.saveRule({ query: 'ferris', tags: [], place: { visibility: 'organization', owner } })
  const id = saved(library, link('https://a.example/'))
  const edit = library.editBookmark(id, { place: { visibility: 'public', owner: null } }, 2000)
  library.saveDetails(nextPage(library), DETAILS, 7000)
  expect(library.findBookmark(id)).toMatchObject({ visibility: 'organization' })
  expect(library.undoStep(edit?.undo ?? 0)).toEqual({ undone: 1, kept: 0 })
  expect(library.findBookmark(id)).toMatchObject({ visibility: 'private', organization: null })
})

test('a rule that moves applies to the profile’s bookmarks, and a rule that tags to all', () => {
  const library = emptyLibrary()
  const acme = library.createOrganization('Acme', 1).rowId
  const other = library.createOrganization('Other', 1).rowId
  library.saveRule({ query: 'crab', tags: ['moved'], place: { visibility: 'organization', owner: acme } })
  library.saveRule({ query: 'crab', tags: ['tagged'], place: undefined })
  library.saveRule({ query: 'crab', tags: [], place: { visibility: 'public', owner: null } })
  const own = saved(library, note({ title: 'crab' }))
  const theirs = saved(library, note({ title: 'crab' }), within(other))
  expect(library.findBookmark(own)).toMatchObject({ visibility: 'organization', tags: ['moved', 'tagged'] })
  expect(library.findBookmark(theirs)).toMatchObject({ visibility: 'organization', tags: ['tagged'] })
  expect(library.searchBookmarks({ owner: acme, readOnly: false }, { page: 1, limit: 9 }).total).toBe(1)
})

test('a bookmark whose page the organization has already stays and gets the tags', () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Acme', 1).rowId
  library.saveRule({ query: 'crab', tags: ['moved'], place: { visibility: 'organization', owner } })
  library.saveBookmarks(within(owner), [link('https://a.example/crab')])
  const id = saved(library, link('https://a.example/crab'))
  expect(library.findBookmark(id)).toMatchObject({ visibility: 'private', tags: ['moved'] })
})

test('a rule does not apply if it or its organization was deleted', () => {
  const library = emptyLibrary()
  const owner = library.createOrganization('Acme', 1).rowId
  library.saveRule({ query: 'crab', tags: ['moved'], place: { visibility: 'organization', owner } })
  const { id: rule } = library.saveRule({ query: 'crab', tags: ['deleted'], place: undefined })
  importAll(library, imported(note({ title: 'crab' })))
  library.deleteOrganizationBatch(owner, 'profile', 2)
  library.deleteRule(rule, 3)
  const id = saved(library, note({ title: 'crab' }))
  settle(library)
  const [other = ''] = library.matchingIds({ trash: 'without' })
  expect(library.findBookmark(id)).toMatchObject({ visibility: 'private', tags: [] })
  expect(library.findBookmark(other)).toMatchObject({ visibility: 'private', tags: [] })
  expect(pending(library)).toEqual([])
})

test('a restored rule applies to bookmarks saved later', () => {
  const library = ruled(['crab', 'crab'])
  const [rule] = library.listRules()
  library.saveRule({ query: 'nothing', tags: ['x'], place: undefined })
  const deletion = library.deleteRule(rule?.id ?? '', 1) ?? 0
  const before = saved(library, note({ title: 'crab' }))
  library.undoStep(deletion)
  const id = saved(library, note({ title: 'crab' }))
  expect([tagsOf(library, before), tagsOf(library, id)]).toEqual([[], ['crab']])
})

test('a bookmark with the maximum number of tags gets none', () => {
  const library = ruled(['crab', 'crab'])
  const tags = Array.from({ length: 64 }, (_, index) => `tag${index}`)
  const id = saved(library, note({ title: 'crab', tags }))
  expect(tagsOf(library, id)).toHaveLength(64)
  expect(pending(library)).toEqual([])
})

test('a bookmark saved again from the trash counts as new', () => {
  const library = ruled(['crab', 'crab'])
  const draft = link('https://a.example/', { title: 'crab' })
  const id = saved(library, draft)
  library.changeBookmarks([id], { kind: 'tags', add: [], remove: ['crab'] }, 2000)
  library.changeBookmarks([id], { kind: 'delete' }, 3000)
  expect(saved(library, draft)).toBe(id)
  expect(tagsOf(library, id)).toEqual(['crab'])
})

test('a save that is refused leaves no trace of rules', () => {
  const library = ruled(['crab', 'crab'])
  const call = { keyId: 99, client: null, tool: 'bookmarks.insert' }
  expect(() => library.saveForCall(PRIVATE, [link('https://a.example/crab')], call)).toThrow('FOREIGN KEY')
  expect([matchCounts(library), pending(library), library.listTags()]).toEqual([[0], [], []])
})

test('without rules no bookmark waits for them', () => {
  const library = emptyLibrary()
  saved(library, link('https://a.example/crab'))
  importAll(library, imported(note({ title: 'crab' })))
  settle(library)
  expect([pending(library), hasDeferredRules(library.db)]).toEqual([[], false])
})

test('bookmarks that awaited rules in a library of schema 300 get them', () => {
  const file = libraryOf300()
  const before = new Sqlite(file)
  const [crab] = before.prepare('SELECT bookmark_id FROM rule_turns ORDER BY bookmark_id').pluck().all()
  before.prepare("UPDATE bookmarks SET title = 'a crab', unindexed = 1 WHERE id = ?").run(crab)
  const tagged = "SELECT count(*) FROM bookmark_tags JOIN tags ON id = tag_id WHERE name = 'animal' AND bookmark_id = ?"
  expect(before.prepare(tagged).pluck().get(crab)).toBe(0)
  before.close()
  const library = openedLibrary(file)
  settle(library)
  expect(library.db.prepare(tagged).pluck().get(crab)).toBe(1)
  expect(hasDeferredRules(library.db)).toBe(false)
})

test('a copy is wanted of a bookmark that a rule for copies matches, unless the organization of the rule was deleted', () => {
  const library = emptyLibrary()
  const { rowId: owner } = library.createOrganization('Acme', 1000)
  library.saveRule({ query: 'crab', tags: [], place: { visibility: 'organization', owner }, copy: true })
  library.deleteOrganizationBatch(owner, 'profile', 1000)
  const id = saved(library, note({ title: 'crab' }))
  expect(library.wantsCopy(id)).toBe(false)
  library.saveRule({ query: 'crab', tags: [], place: undefined, copy: true })
  expect([library.wantsCopy(id), library.wantsCopy(saved(library, note({ title: 'walrus' })))]).toEqual([true, false])
})
