import { expect, test } from 'vitest'
import {
  addressOf,
  emptyLibrary,
  link,
  newKey,
  PRIVATE,
  PUBLIC,
  type TestLibrary,
  undoneWith,
  within
} from '../library.ts'

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

test('undoing a restore keeps the time of the deletion', () => {
  const { library, one } = shelf()
  library.changeBookmarks([one], { kind: 'delete' }, 5000)
  const { undo } = library.changeBookmarks([one], { kind: 'restore' }, 9000)
  library.undoStep(undo ?? 0)
  expect(library.findBookmark(one)?.deletedAt).toBe(5000)
})

test('an insert can be undone once an edit of its bookmark is undone', () => {
  const library = emptyLibrary()
  const { rowId: keyId } = library.createKey(newKey())
  const call = { keyId, client: null, tool: 'bookmarks.insert' }
  const { saved, callId } = library.saveForCall(PRIVATE, [link('https://a.example/')], call)
  const id = saved[0]?.id ?? ''
  library.undoStep(edit(library, id, 'a'))
  expect(library.undoCall(callId, 9000)).toEqual({ undone: 1, kept: 0 })
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
  expect(library.undoCall(callId, 9000)).toEqual({ undone: 1, kept: 0 })
  expect(library.findBookmark(id)).toMatchObject({ title: 'Mine', tags: ['a'], visibility: 'public', deletedAt: 5000 })
})

test('steps before a time are forgotten, and no others', () => {
  const { library, one } = shelf()
  const old = library.editBookmark(one, { title: 'a' }, 5000)?.undo ?? 0
  const fresh = library.editBookmark(one, { title: 'b' }, 6000)?.undo ?? 0
  while (library.forgetSteps(6000));
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
  const all = () => JSON.stringify([library.readBookmarks([one, two]), library.listTags()])
  const states = [all()]
  let steps: number[] = []
  for (const change of changes) {
    steps.push(change() ?? 0)
    states.push(all())
  }
  const takeBackAll = () => {
    const inverse: number[] = []
    for (const step of steps.toReversed()) inverse.push(undoneWith(library.undoStepSome, step)?.redo ?? 0)
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
    const { undo } = library.deleteOrganizationSome(acme, fate, 5000)
    expect(all()).not.toBe(before)
    expect(library.undoStep(undo ?? 0)?.kept).toBe(0)
    expect(all()).toBe(before)
    expect(library.listOrganizations().map(({ name }) => name)).toEqual(['Acme'])
  }
  const { undo } = library.deleteOrganizationSome(acme, 'profile', 6000)
  make()
  expect(library.undoStep(undo ?? 0)).toMatchObject({ kept: 2 })
})

test('deleting an organization is redone only while it is empty', () => {
  const library = emptyLibrary()
  const acme = library.createOrganization('Acme', 1).rowId
  library.saveBookmarks(within(acme), [link('https://a.example/')])
  const names = () => library.listOrganizations().map(({ name }) => name)
  let step = library.deleteOrganizationSome(acme, 'profile', 5000).undo ?? 0
  for (const left of [['Acme'], [], ['Acme'], []]) {
    step = undoneWith(library.undoStepSome, step)?.redo ?? 0
    expect(names()).toEqual(left)
  }
  step = undoneWith(library.undoStepSome, step)?.redo ?? 0
  library.saveBookmarks(within(acme), [link('https://a.example/new')])
  expect(undoneWith(library.undoStepSome, step)?.report).toEqual({ undone: 1, kept: 0 })
  expect(names()).toEqual(['Acme'])
})

test('a bookmark that left an organization returns once the deletion of the organization is undone', () => {
  const library = emptyLibrary()
  const acme = library.createOrganization('Acme', 1).rowId
  const [one] = library.saveBookmarks(within(acme), [link('https://a.example/1'), link('https://a.example/2')])
  const place = { owner: null, visibility: 'private' as const }
  const { undo: moved } = library.changeBookmarks([one?.id ?? ''], { kind: 'move', place }, 5000)
  const { undo: deleted } = library.deleteOrganizationSome(acme, 'profile', 6000)
  const inverse = undoneWith(library.undoStepSome, deleted ?? 0)
  expect(inverse?.report).toEqual({ undone: 1, kept: 0 })
  expect(library.undoStep(moved ?? 0)).toEqual({ undone: 1, kept: 0 })
  expect(library.findBookmark(one?.id ?? '')?.organization).toBe('Acme')
})

test('an interrupted deletion of an organization is undone as one step with what was moved back', () => {
  const library = emptyLibrary()
  const acme = library.createOrganization('Acme', 1).rowId
  const drafts = Array.from({ length: 250 }, (_, at) => link(`https://a.example/${at}`))
  const [one] = library.saveBookmarks(within(acme), drafts)
  expect(library.deleteOrganizationSome(acme, 'profile', 5000)).toMatchObject({ moved: 200, done: false })
  const place = { owner: acme, visibility: 'organization' as const }
  expect(library.changeBookmarks([one?.id ?? ''], { kind: 'move', place }, 6000).changed).toBe(1)
  const { undo, done } = library.deleteOrganizationSome(acme, 'trash', 7000)
  expect(done).toBe(true)
  expect(library.undoStep(undo ?? 0)).toEqual({ undone: 250, kept: 0 })
  expect(library.countBookmarks({ owner: acme, readOnly: false })).toBe(250)
})
