import { expect, test } from 'vitest'
import { packDrafts } from '../../../src-main/core/packed-drafts.ts'
import {
  addressOf,
  emptyLibrary,
  imported,
  link,
  newKey,
  PRIVATE,
  PUBLIC,
  type TestLibrary,
  undoneWith,
  within
} from '../library.ts'

const DAY_MS = 86_400_000

function shelf(): { library: TestLibrary; one: string; two: string } {
  const library = emptyLibrary()
  const [one, two] = library.saveBookmarks(PRIVATE, [
    link('https://a.example/1', { title: 'One', tags: ['red'] }),
    link('https://a.example/2', { title: 'Two' })
  ])
  return { library, one: one?.id ?? '', two: two?.id ?? '' }
}

function edit(library: TestLibrary, id: string, title: string): number {
  return library.editBookmark(id, { title }, 5000)?.undo ?? 0
}

/** Saves links as an agent does. `key` is the id of its key. */
function savedByCall(library: TestLibrary, addresses: string[], savedAt: number) {
  const { rowId: keyId, id: key } = library.createKey(newKey())
  const drafts = addresses.map((address) => link(address))
  const call = { keyId, client: null, tool: 'bookmarks.insert' }
  return { key, ...library.saveForCall({ ...PRIVATE, savedAt }, drafts, call) }
}

test('a bookmark that changed again since stays as it is', () => {
  const { library, one, two } = shelf()
  const { undo } = library.changeBookmarks([one, two], { kind: 'tags', add: ['new'], remove: [] }, 5000)
  edit(library, one, 'Changed')
  expect(library.undoStep(undo ?? 0)).toEqual({ undone: 1, kept: 1 })
  expect([library.findBookmark(one), library.findBookmark(two)]).toMatchObject([
    { title: 'Changed', tags: ['new', 'red'] },
    { tags: [] }
  ])
})

test('a step is undone once, and an unknown step is not found', () => {
  const { library, one } = shelf()
  const step = edit(library, one, 'a')
  library.undoStep(step)
  expect(library.undoStep(step)).toBeUndefined()
  expect(library.undoStep(999)).toBeUndefined()
})

test('an address that another bookmark has taken is not restored', () => {
  const { library, one } = shelf()
  const step = library.editBookmark(one, { address: addressOf('https://b.example/') }, 5000)?.undo ?? 0
  library.saveBookmarks(PRIVATE, [link('https://a.example/1')])
  expect(library.undoStep(step)).toEqual({ undone: 0, kept: 1 })
  expect(library.findBookmark(one)?.url).toBe('https://b.example/')
})

test('a move is undone only for pages that were not saved again', () => {
  const { library, one, two } = shelf()
  const place = { visibility: 'organization' as const, owner: library.createOrganization('Acme', 1).rowId }
  const { undo } = library.changeBookmarks([one, two], { kind: 'move', place }, 5000)
  library.saveBookmarks(PRIVATE, [link('https://a.example/1')])
  expect(library.undoStep(undo ?? 0)).toEqual({ undone: 1, kept: 1 })
  expect(library.findBookmark(two)).toMatchObject({ visibility: 'private', organization: null })
  expect(library.saveBookmarks(within(place.owner), [link('https://a.example/1')])[0]?.id).toBe(one)
})

test('a purged bookmark counts as neither undone nor kept, and a step of purged bookmarks cannot be undone', () => {
  const { library, one, two } = shelf()
  const { undo } = library.changeBookmarks([one, two], { kind: 'delete' }, 5000)
  library.changeBookmarks([one], { kind: 'purge' }, 5000)
  expect(library.undoStep(undo ?? 0)).toEqual({ undone: 1, kept: 0 })
  const deleted = library.changeBookmarks([two], { kind: 'delete' }, 6000)
  library.changeBookmarks([two], { kind: 'purge' }, 6000)
  expect(library.undoStep(deleted.undo ?? 0)).toBeUndefined()
})

test('an insert can be undone once an edit of its bookmark is undone', () => {
  const library = emptyLibrary()
  const { saved, callId } = savedByCall(library, ['https://a.example/'], 1000)
  const id = saved[0]?.id ?? ''
  library.undoStep(edit(library, id, 'a'))
  expect(library.undo({ call: callId }, 9000)).toEqual({ undone: 1, kept: 0 })
})

test('undoing an insert that took a bookmark from the trash restores its state there', () => {
  const library = emptyLibrary()
  const { rowId: keyId } = library.createKey(newKey())
  const [one] = library.saveBookmarks(PUBLIC, [link('https://a.example/', { title: 'Mine', tags: ['a', 'gone'] })])
  const id = one?.id ?? ''
  library.changeBookmarks([id], { kind: 'delete' }, 5000)
  const call = { keyId, client: null, tool: 'bookmarks.insert' }
  const { callId } = library.saveForCall(
    { ...PRIVATE, savedAt: 6000 },
    [link('https://a.example/', { title: 'Theirs', tags: ['b'] })],
    call
  )
  library.deleteTag('gone', 7000)
  expect(library.undo({ call: callId }, 9000)).toEqual({ undone: 1, kept: 0 })
  expect(library.findBookmark(id)).toMatchObject({ title: 'Mine', tags: ['a'], visibility: 'public', deletedAt: 9000 })
})

test('a bookmark that an undo returns to the trash stays there for the whole time again', () => {
  const { library, one } = shelf()
  library.changeBookmarks([one], { kind: 'delete' }, 2000)
  const { undo } = library.changeBookmarks([one], { kind: 'restore' }, 29 * DAY_MS)
  expect(library.undo({ step: undo ?? 0 }, 30 * DAY_MS)).toMatchObject({ undone: 1 })
  expect(library.purgeTrash(30 * DAY_MS)).toBe(0)
  expect(library.findBookmark(one)?.deletedAt).toBe(30 * DAY_MS)
})

test('a bookmark from the trash that a rule moved to an organization returns to the profile’s trash', () => {
  const library = emptyLibrary()
  const acme = library.createOrganization('Acme', 1).rowId
  const [one] = library.saveBookmarks(PRIVATE, [link('https://a.example/')])
  const id = one?.id ?? ''
  library.changeBookmarks([id], { kind: 'delete' }, 5000)
  const { callId } = savedByCall(library, ['https://a.example/'], 6000)
  library.db.prepare("UPDATE bookmarks SET visibility = 'organization', organization_id = ?").run(acme)
  expect(library.undo({ call: callId }, 9000)).toEqual({ undone: 1, kept: 0 })
  expect(library.findBookmark(id)).toMatchObject({ organization: null, visibility: 'private', deletedAt: 9000 })
})

test('the deletion of a bookmark can be undone after an insert that restored it is undone', () => {
  const { library, one } = shelf()
  const { undo } = library.changeBookmarks([one], { kind: 'delete' }, 5000)
  const { callId } = savedByCall(library, ['https://a.example/1'], 6000)
  expect(library.undo({ call: callId }, 7000)).toEqual({ undone: 1, kept: 0 })
  expect(library.undoStep(undo ?? 0)).toEqual({ undone: 1, kept: 0 })
  expect(library.findBookmark(one)).toMatchObject({ title: 'One', deletedAt: null, updatedAt: 1000 })
})

test('an insert of more bookmarks than a batch is undone, redone and listed as undone', () => {
  const library = emptyLibrary()
  const [old] = library.saveBookmarks(PRIVATE, [link('https://a.example/old')])
  library.changeBookmarks([old?.id ?? ''], { kind: 'delete' }, 5000)
  const addresses = ['old', ...Array.from({ length: 1100 }, (_, index) => `${index}`)].map(
    (page) => `https://a.example/${page}`
  )
  const { callId, key, saved } = savedByCall(library, addresses, 6000)
  library.editBookmark(saved[7]?.id ?? '', { title: 'Changed' }, 7000)
  library.changeBookmarks([saved[9]?.id ?? ''], { kind: 'delete' }, 7000)
  const listed = () => library.listCalls(key, Number.MAX_SAFE_INTEGER, 1)[0]
  expect(listed()).toMatchObject({ undoneAt: null, undoable: 1099, savedLeft: 1101 })
  const undone = undoneWith(library.undoBatch, { call: callId }, 8000)
  expect(undone?.report).toEqual({ undone: 1099, kept: 1 })
  expect(library.countByKind()).toMatchObject({ all: 1, trash: 1100 })
  expect(listed()).toMatchObject({
    undoneAt: 8000,
    undoable: 0,
    savedLeft: 1101,
    saved: [{ inTrash: true }, {}, {}, {}, {}]
  })
  expect(library.undo({ call: callId }, 8000)).toBeUndefined()
  expect(library.undoStep(undone?.redo ?? 0)).toEqual({ undone: 1099, kept: 0 })
  expect(library.countByKind()).toMatchObject({ all: 1100, trash: 1 })
})

test('a call does not list a bookmark that got the row id of a purged one', () => {
  const library = emptyLibrary()
  const { callId, key, saved } = savedByCall(library, ['https://a.example/1', 'https://a.example/2'], 6000)
  const ids = saved.map(({ id }) => id)
  library.changeBookmarks(ids, { kind: 'delete' }, 7000)
  library.changeBookmarks(ids.slice(1), { kind: 'purge' }, 7000)
  library.saveBookmarks(PRIVATE, [link('https://a.example/other')])
  expect(library.listCalls(key, Number.MAX_SAFE_INTEGER, 1)).toMatchObject([
    { results: 2, savedLeft: 1, saved: [{ id: ids[0] }] }
  ])
  expect(library.undo({ call: callId }, 9000)).toEqual({ undone: 0, kept: 0 })
  expect(library.countByKind().all).toBe(1)
})

test('an import is undone in batches, which continue after an interruption, and then accepts no bookmarks', () => {
  const library = emptyLibrary()
  const id = library.beginImport(1000)
  const batch = (from: number) =>
    packDrafts(Array.from({ length: 600 }, (_, index) => imported(link(`https://a.example/${from + index}`))))
  library.importBookmarks(id, [batch(0)])
  library.saveBookmarks(PRIVATE, [link('https://b.example/')])
  library.importBookmarks(id, [batch(600)])
  expect(library.undoBatch({ import: id }, 5000)).toMatchObject({ undone: 500, kept: 0, total: 1200, next: 500 })
  expect(library.listImports()).toMatchObject([{ at: 1000, imported: 1200, undoneAt: null }])
  expect(library.undo({ import: id }, 6000)).toEqual({ undone: 700, kept: 0 })
  expect(library.listImports()).toMatchObject([{ id, imported: 1200, undoneAt: 6000 }])
  expect(library.undo({ import: id }, 7000)).toBeUndefined()
  expect(library.countByKind()).toMatchObject({ all: 1, trash: 1200 })
  expect(() => library.importBookmarks(id, [batch(1200)])).toThrow('The import is gone.')
})

test.each([
  ['the row ids of its own purged bookmarks', 0],
  ['a row id after a bookmark that was saved meanwhile', 1]
])('an import that gets %s is undone completely', (_, others) => {
  const library = emptyLibrary()
  const [one, two] = library.saveBookmarks(PRIVATE, [link('https://b.example/1'), link('https://b.example/2')])
  const id = library.beginImport(1000)
  const importPages = (...pages: number[]) =>
    library.importBookmarks(id, [packDrafts(pages.map((page) => imported(link(`https://a.example/${page}`))))])
  importPages(1, 2)
  const added = library.db.prepare('SELECT public_id FROM bookmarks WHERE id > 2').pluck().all() as string[]
  const purged = [two?.id ?? '', ...added]
  library.changeBookmarks(purged, { kind: 'delete' }, 2000)
  library.changeBookmarks(purged, { kind: 'purge' }, 2000)
  if (others === 1) library.saveBookmarks(PRIVATE, [link('https://b.example/3')])
  importPages(3, 4)
  importPages(5)
  expect(library.undo({ import: id }, 9000)).toEqual({ undone: 3, kept: 0 })
  expect(library.countByKind().all).toBe(1 + others)
  expect(library.findBookmark(one?.id ?? '')?.deletedAt).toBeNull()
})

test('imports are kept for 30 days, and calls with their undo for 90 days', () => {
  const library = emptyLibrary()
  const id = library.beginImport(1000)
  library.importBookmarks(id, [packDrafts([imported(link('https://a.example/1'))])])
  const { callId, key } = savedByCall(library, ['https://a.example/2'], 1000)
  const kept = () => [library.listImports().length, library.listCalls(key, Number.MAX_SAFE_INTEGER, 9).length]
  library.forgetSteps(1000 + 30 * DAY_MS)
  expect(kept()).toEqual([1, 1])
  library.forgetSteps(1001 + 30 * DAY_MS)
  expect(kept()).toEqual([0, 1])
  expect(library.undo({ import: id }, 5000)).toBeUndefined()
  library.forgetSteps(1001 + 90 * DAY_MS)
  expect(kept()).toEqual([0, 0])
  expect(library.undo({ call: callId }, 5000)).toBeUndefined()
  expect(library.countByKind().all).toBe(2)
})

test('steps before a time are forgotten, and no others', () => {
  const { library, one } = shelf()
  const old = library.editBookmark(one, { title: 'a' }, 5000)?.undo ?? 0
  const fresh = library.editBookmark(one, { title: 'b' }, 6000)?.undo ?? 0
  library.forgetSteps(6000 + DAY_MS)
  expect(library.undoStep(old)).toBeUndefined()
  expect(library.undoStep(fresh)).toEqual({ undone: 1, kept: 0 })
})

test('changes of every kind are undone and redone any number of times', () => {
  const { library, one, two } = shelf()
  const changes: (() => number | null | undefined)[] = [
    () => library.editBookmark(one, { title: 'a', address: addressOf('https://b.example/') }, 5000)?.undo,
    () => library.changeBookmarks([one, two], { kind: 'tags', add: ['new'], remove: ['red'] }, 5000).undo,
    () => library.renameTag('new', 'newer', 5000).undo,
    () => library.mergeTags({ from: ['newer'], into: 'red' }, 5000).undo,
    () => library.deleteTag('red', 5000).undo,
    () => library.changeBookmarks([one, two], { kind: 'delete' }, 5000).undo
  ]
  const all = () => {
    const bookmarks = library.readBookmarks([one, two])
    // A redo puts them into the trash anew.
    return JSON.stringify([bookmarks.map((row) => ({ ...row, deletedAt: row.deletedAt !== null })), library.listTags()])
  }
  const states = [all()]
  let steps: number[] = []
  for (const change of changes) {
    steps.push(change() ?? 0)
    states.push(all())
  }
  const takeBackAll = () => {
    const inverse: number[] = []
    for (const step of steps.toReversed()) inverse.push(undoneWith(library.undoBatch, { step: step })?.redo ?? 0)
    steps = inverse
    return all()
  }
  for (const state of [states.at(0), states.at(-1), states.at(0), states.at(-1)]) expect(takeBackAll()).toBe(state)
})

test('deleting an organization is undone with its bookmarks, unless its name is taken', () => {
  const library = emptyLibrary()
  const make = () => library.createOrganization('Acme', 1).rowId
  const acme = make()
  library.saveBookmarks(PRIVATE, [link('https://a.example/both', { tags: ['mine'] })])
  library.saveBookmarks(within(acme), [
    link('https://a.example/both', { tags: ['theirs'] }),
    link('https://a.example/only', { title: 'Only' })
  ])
  const all = () => JSON.stringify(library.listBookmarks({ order: 'title', filter: {}, page: 1, limit: 9 } as never))
  const before = all()
  for (const fate of ['profile', 'trash'] as const) {
    const { undo } = library.deleteOrganizationBatch(acme, fate, 5000)
    expect(all()).not.toBe(before)
    expect(library.undoStep(undo ?? 0)?.kept).toBe(0)
    expect(all()).toBe(before)
    expect(library.listOrganizations().map(({ name }) => name)).toEqual(['Acme'])
  }
  const { undo } = library.deleteOrganizationBatch(acme, 'profile', 6000)
  make()
  expect(library.undoStep(undo ?? 0)).toMatchObject({ kept: 2 })
})

test('deleting an organization is redone only while it is empty', () => {
  const library = emptyLibrary()
  const acme = library.createOrganization('Acme', 1).rowId
  library.saveBookmarks(within(acme), [link('https://a.example/')])
  const names = () => library.listOrganizations().map(({ name }) => name)
  let step = library.deleteOrganizationBatch(acme, 'profile', 5000).undo ?? 0
  for (const left of [['Acme'], [], ['Acme'], []]) {
    step = undoneWith(library.undoBatch, { step: step })?.redo ?? 0
    expect(names()).toEqual(left)
  }
  step = undoneWith(library.undoBatch, { step: step })?.redo ?? 0
  library.saveBookmarks(within(acme), [link('https://a.example/new')])
  expect(undoneWith(library.undoBatch, { step: step })?.report).toEqual({ undone: 1, kept: 0 })
  expect(names()).toEqual(['Acme'])
})

test('a bookmark that left an organization returns once the deletion of the organization is undone', () => {
  const library = emptyLibrary()
  const acme = library.createOrganization('Acme', 1).rowId
  const [one] = library.saveBookmarks(within(acme), [link('https://a.example/1'), link('https://a.example/2')])
  const place = { owner: null, visibility: 'private' as const }
  const { undo: moved } = library.changeBookmarks([one?.id ?? ''], { kind: 'move', place }, 5000)
  const { undo: deleted } = library.deleteOrganizationBatch(acme, 'profile', 6000)
  const inverse = undoneWith(library.undoBatch, { step: deleted ?? 0 })
  expect(inverse?.report).toEqual({ undone: 1, kept: 0 })
  expect(library.undoStep(moved ?? 0)).toEqual({ undone: 1, kept: 0 })
  expect(library.findBookmark(one?.id ?? '')?.organization).toBe('Acme')
})

test('an interrupted deletion of an organization is undone as one step with what was moved back', () => {
  const library = emptyLibrary()
  const acme = library.createOrganization('Acme', 1).rowId
  const drafts = Array.from({ length: 250 }, (_, at) => link(`https://a.example/${at}`))
  const [one] = library.saveBookmarks(within(acme), drafts)
  expect(library.deleteOrganizationBatch(acme, 'profile', 5000)).toMatchObject({ moved: 200, done: false })
  const place = { owner: acme, visibility: 'organization' as const }
  expect(library.changeBookmarks([one?.id ?? ''], { kind: 'move', place }, 6000).changed).toBe(1)
  const { undo, done } = library.deleteOrganizationBatch(acme, 'trash', 7000)
  expect(done).toBe(true)
  expect(library.undoStep(undo ?? 0)).toEqual({ undone: 250, kept: 0 })
  expect(library.countBookmarks({ owner: acme, readOnly: false })).toBe(250)
})
