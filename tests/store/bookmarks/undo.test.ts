import { expect, test } from 'vitest'
import { emptyLibrary, link, newKey, note, PRIVATE, PUBLIC, type TestLibrary, undoneWith, within } from '../library.ts'

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

test('changes are undone one after the other, the last first, back to the first state', () => {
  const { library, one } = shelf()
  const before = library.findBookmark(one)
  const steps = [edit(library, one, 'a'), edit(library, one, 'b'), edit(library, one, 'c')]
  for (const step of steps.toReversed()) expect(library.undoStep(step)).toEqual({ undone: 1, kept: 0 })
  expect(library.findBookmark(one)).toEqual(before)
})

test('what was changed again since stays as it is', () => {
  const { library, one, two } = shelf()
  const { undo } = library.changeBookmarks([one, two], { kind: 'tags', add: ['new'], remove: [] }, 5000)
  edit(library, one, 'Changed')
  expect(library.undoStep(undo ?? 0)).toEqual({ undone: 1, kept: 1 })
  expect([library.findBookmark(one), library.findBookmark(two)]).toMatchObject([
    { title: 'Changed', tags: ['new', 'red'] },
    { tags: [] }
  ])
})

test('a step is undone once; one that never was is not there', () => {
  const { library, one } = shelf()
  const step = edit(library, one, 'a')
  library.undoStep(step)
  expect(library.undoStep(step)).toBeUndefined()
  expect(library.undoStep(999)).toBeUndefined()
})

test('an address that another bookmark took since is not given back', () => {
  const { library, one } = shelf()
  const { url, domain, pageKey } = link('https://b.example/')
  const step = library.editBookmark(one, { address: { url, domain, pageKey } }, 5000)?.undo ?? 0
  library.saveBookmarks(PRIVATE, [link('https://a.example/1')])
  expect(library.undoStep(step)).toEqual({ undone: 0, kept: 1 })
  expect(library.findBookmark(one)?.url).toBe('https://b.example/')
})

test('a move is undone only where the page was not saved again meanwhile', () => {
  const { library, one, two } = shelf()
  const place = { visibility: 'organization' as const, owner: library.createOrganization('Acme', 1).rowId }
  const { undo } = library.changeBookmarks([one, two], { kind: 'move', place }, 5000)
  library.saveBookmarks(PRIVATE, [link('https://a.example/1')])
  expect(library.undoStep(undo ?? 0)).toEqual({ undone: 1, kept: 1 })
  expect(library.findBookmark(two)).toMatchObject({ visibility: 'private', organization: null })
  expect(library.saveBookmarks(within(place.owner), [link('https://a.example/1')])[0]?.id).toBe(one)
})

test('what was deleted for good is neither undone nor kept', () => {
  const { library, one, two } = shelf()
  const { undo } = library.changeBookmarks([one, two], { kind: 'delete' }, 5000)
  library.changeBookmarks([one], { kind: 'purge' }, 5000)
  expect(library.undoStep(undo ?? 0)).toEqual({ undone: 1, kept: 0 })
})

test('undoing a restore puts it back into the trash as old as it was', () => {
  const { library, one } = shelf()
  library.changeBookmarks([one], { kind: 'delete' }, 5000)
  const { undo } = library.changeBookmarks([one], { kind: 'restore' }, 9000)
  library.undoStep(undo ?? 0)
  expect(library.findBookmark(one)?.deletedAt).toBe(5000)
})

test('an insert whose bookmark was edited can itself be undone once the edit is', () => {
  const library = emptyLibrary()
  const { rowId: keyId } = library.createKey(newKey())
  const call = { keyId, client: null, tool: 'bookmarks.insert' }
  const { saved, callId } = library.saveForCall(PRIVATE, [link('https://a.example/')], call)
  const id = saved[0]?.id ?? ''
  library.undoStep(edit(library, id, 'a'))
  expect(library.undoCall(callId, 9000)).toEqual({ undone: 1, kept: 0 })
})

test('an insert that took a bookmark out of the trash is undone to what it was there', () => {
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

test('a step of which nothing is left cannot be undone', () => {
  const { library, one } = shelf()
  const { undo } = library.changeBookmarks([one], { kind: 'delete' }, 5000)
  library.changeBookmarks([one], { kind: 'purge' }, 6000)
  expect(library.undoStep(undo ?? 0)).toBeUndefined()
})

test('steps from before a time are forgotten, and no others', () => {
  const { library, one } = shelf()
  const old = library.editBookmark(one, { title: 'a' }, 5000)?.undo ?? 0
  const fresh = library.editBookmark(one, { title: 'b' }, 6000)?.undo ?? 0
  while (library.forgetSteps(6000));
  expect(library.undoStep(old)).toBeUndefined()
  expect(library.undoStep(fresh)).toEqual({ undone: 1, kept: 0 })
})

test('a step that changed more tags than one transaction forgets is forgotten bit by bit', () => {
  const { library } = shelf()
  const drafts = Array.from({ length: 1200 }, () => note({ tags: ['many'] }))
  library.saveBookmarks(PRIVATE, drafts)
  library.deleteTag('many', 5000)
  let parts = 0
  while (library.forgetSteps(6000)) parts += 1
  expect(parts).toBeGreaterThan(2)
  expect(library.db.prepare('SELECT count(*) FROM undo_taggings').pluck().get()).toBe(0)
  expect(library.db.prepare('SELECT count(*) FROM undo_steps').pluck().get()).toBe(0)
})

test('what was undone is done again, and undone again, as often as one likes', () => {
  const { library, one, two } = shelf()
  const { url, domain, pageKey } = link('https://b.example/')
  const changes: (() => number | null | undefined)[] = [
    () => library.editBookmark(one, { title: 'a', address: { url, domain, pageKey } }, 5000)?.undo,
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

test('deleting an organization is done again where nothing is in it, and undone again', () => {
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

test('what was moved out of an organization goes back once its deletion is undone', () => {
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

test('a deletion that was interrupted, and a bookmark moved back meanwhile, are undone as one', () => {
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
