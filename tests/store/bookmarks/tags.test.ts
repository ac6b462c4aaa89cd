import { expect, test } from 'vitest'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import { anyToIndex } from '../../../src-main/search/sql/search-index.ts'
import { emptyLibrary, link, listed, note, PRIVATE, settle, type TestLibrary, titles, undoneWith } from '../library.ts'

/** Saves a number of notes with these tags. */
function tagged(library: TestLibrary, count: number, ...tags: string[]): void {
  library.saveBookmarks(
    PRIVATE,
    Array.from({ length: count }, (_, index) => note({ title: `${tags.join(' and ')} ${index}`, tags }))
  )
}

const problem = (code: string) => expect.objectContaining({ name: 'Problem', code })

const DAY_MS = 86_400_000

test('tags are listed by name with their bookmarks, without tags that only the trash has', () => {
  const library = emptyLibrary()
  tagged(library, 3, 'Zebra')
  tagged(library, 2, 'ärzte', 'zebra')
  const [last] = library.saveBookmarks(PRIVATE, [note({ tags: ['alone'] })])
  library.changeBookmarks([last?.id ?? ''], { kind: 'delete' }, 2000)
  expect(library.listTags()).toEqual([
    { name: 'Zebra', bookmarks: 5 },
    { name: 'ärzte', bookmarks: 2 }
  ])
})

// Up to 200 bookmarks are indexed at once, more in the background.
test.for([3, 500])('a tag of %i bookmarks is renamed, found by its new name, and renamed back', (count) => {
  const library = emptyLibrary()
  tagged(library, count, 'old')
  const { bookmarks, undo } = library.renameTag('OLD', 'fresh', 2000)
  expect(bookmarks).toBe(count)
  expect(library.listTags()).toEqual([{ name: 'fresh', bookmarks: count }])
  expect(listed(library, { tags: ['fresh'], limit: 1000 })).toHaveLength(count)
  settle(library)
  const byWords = (words: string) =>
    library.searchBookmarks({ owner: null, readOnly: false }, { words, page: 1, limit: 1 })
  expect(byWords('fresh').total).toBe(Math.min(count, 100))
  expect(library.undoStep(undo)).toEqual({ undone: count, kept: 0 })
  settle(library)
  expect(library.listTags()).toEqual([{ name: 'old', bookmarks: count }])
  expect(byWords('fresh').total).toBe(0)
})

test.for([3, 500])('a nested tag of %i bookmarks is found by its parent, also after it is renamed', (count) => {
  const library = emptyLibrary()
  tagged(library, count, 'old/x', 'old/y')
  tagged(library, 1, '=odd')
  const found = (tag: string) => library.listBookmarks({ order: 'newest', page: 1, limit: 1, tags: [tag] }).total
  const searched = (tag: string) => titles(library, { words: `tag:"${tag}"` }).length
  expect([found('old'), found('old/'), found('=old'), searched('OLD')]).toEqual([count, count, 0, Math.min(count, 100)])
  expect([found('==odd'), found('=odd'), found('odd')]).toEqual([1, 0, 0])
  library.renameTag('old/x', 'new/x', 2000)
  library.renameTag('old/y', 'y', 2000)
  expect([found('old'), found('new')]).toEqual([0, count])
  settle(library)
  expect([found('old'), found('new'), searched('new'), searched('old')]).toEqual([0, count, Math.min(count, 100), 0])
})

test.for<[from: string, to: string, names: string[]]>([
  ['work', 'job', ['job', 'job/a', 'job/a/B', 'other', 'workshop']],
  ['WORK/a', 'a', ['a', 'a/B', 'other', 'work', 'workshop']],
  ['work', 'work/a', ['other', 'work/a', 'work/a/a', 'work/a/a/B', 'workshop']],
  ['work/a', 'work/a/b', ['other', 'work', 'work/a/b', 'work/a/b/B', 'workshop']],
  ['other', 'work/c', ['work', 'work/a', 'work/a/B', 'work/c', 'workshop']]
])('nested tags move with the renamed tag %s to %s, and back and forth', ([from, to, names]) => {
  const library = emptyLibrary()
  const before = ['other', 'work', 'work/a', 'work/a/B', 'workshop']
  for (const name of before) tagged(library, 1, name)
  const known = () => library.listTags().map(({ name }) => name)
  const { undo, bookmarks } = library.renameTag(from, to, 2000)
  const moved = before.filter((name) => !names.includes(name)).length
  expect(known()).toEqual(names)
  expect(bookmarks).toBeGreaterThanOrEqual(moved)
  const redo = undoneWith(library.undoBatch, { step: undo })?.redo
  expect(known()).toEqual(before)
  library.undoStep(redo ?? 0)
  expect(known()).toEqual(names)
})

test('a parent without bookmarks is renamed with its nested tags, unless a name is taken or too long; the case of a name can change', () => {
  const library = emptyLibrary()
  tagged(library, 2, 'a/x')
  tagged(library, 1, 'b/x')
  const names = () => library.listTags().map(({ name }) => name)
  expect(() => library.renameTag('a', 'b', 2000)).toThrow(problem('taken'))
  expect(() => library.renameTag('a', 'n'.repeat(LIMITS.tag - 1), 2000)).toThrow(problem('invalid'))
  expect(() => library.renameTag('none', 'b', 2000)).toThrow(problem('not-found'))
  expect(names()).toEqual(['a/x', 'b/x'])
  library.deleteTag('b/x', 2000)
  expect(library.renameTag('a', 'b', 2000).bookmarks).toBe(2)
  expect(names()).toEqual(['b/x'])
  expect(() => library.deleteTag('a/x', 2000)).toThrow(problem('not-found'))
  tagged(library, 1, 'a/x')
  library.renameTag('a', 'c', 2000)
  expect(names()).toEqual(['b/x', 'c/x'])
  library.renameTag('c/x', 'c/X', 2000)
  expect(names()).toEqual(['b/x', 'c/X'])
})

test('a name that only the trash has can be taken, and undoing gives it back', () => {
  const library = emptyLibrary()
  tagged(library, 1, 'one')
  const [other] = library.saveBookmarks(PRIVATE, [note({ title: 'other', tags: ['TWO'] })])
  expect(() => library.renameTag('one', 'two', 2000)).toThrow(problem('taken'))
  library.changeBookmarks([other?.id ?? ''], { kind: 'delete' }, 2000)

  const { undo, bookmarks } = library.renameTag('one', 'two', 2000)
  expect(bookmarks).toBe(1)
  expect(library.listTags()).toEqual([{ name: 'two', bookmarks: 1 }])
  expect(library.undoStep(undo)).toEqual({ undone: 1, kept: 0 })
  expect(library.listTags()).toEqual([{ name: 'one', bookmarks: 1 }])
  expect(library.findBookmark(other?.id ?? '')?.tags).toEqual(['TWO'])
})

test('undoing a renaming is refused while an earlier step still needs the name', () => {
  const library = emptyLibrary()
  tagged(library, 1, 'one')
  const [other] = library.saveBookmarks(PRIVATE, [note({ title: 'other' })])
  const { undo } = library.renameTag('one', 'two', 2000)
  library.changeBookmarks([other?.id ?? ''], { kind: 'tags', add: ['one'], remove: [] }, 3000)
  const removed = library.changeBookmarks([other?.id ?? ''], { kind: 'tags', add: [], remove: ['one'] }, 4000)
  expect(() => library.undoStep(undo)).toThrow(problem('taken'))
  expect(library.undoStep(removed.undo ?? 0)).toEqual({ undone: 1, kept: 0 })
  expect(library.findBookmark(other?.id ?? '')?.tags).toEqual(['one'])
})

test('undoing a renaming is refused until the old name is free again', () => {
  const library = emptyLibrary()
  tagged(library, 2, 'one')
  const { undo } = library.renameTag('one', 'two', 2000)
  tagged(library, 1, 'one')
  expect(() => library.undoStep(undo)).toThrow(problem('taken'))
  expect(library.listTags()).toEqual([
    { name: 'one', bookmarks: 1 },
    { name: 'two', bookmarks: 2 }
  ])
  library.renameTag('one', 'three', 3000)
  expect(library.undoStep(undo)).toEqual({ undone: 2, kept: 0 })
})

test.for([2, 300])('tags of %i bookmarks each are merged, counted at once, and separated again', (count) => {
  const library = emptyLibrary()
  tagged(library, count, 'a')
  tagged(library, count, 'b')
  tagged(library, count, 'a', 'all')
  const before = library.listTags()
  const { bookmarks, undo } = library.mergeTags({ from: ['a', 'B', 'all'], into: 'All' }, 2000)
  expect(bookmarks).toBe(3 * count)
  expect(library.listTags()).toEqual([{ name: 'all', bookmarks: 3 * count }])
  expect(listed(library, { tags: ['all'], limit: 1000 })).toHaveLength(3 * count)
  expect(anyToIndex(library.db)).toBe(count > 200)
  settle(library)
  expect(titles(library, { words: 'b', tags: ['all'], limit: 100 })).toHaveLength(Math.min(100, count))
  expect(library.undoStep(undo)).toEqual({ undone: 3 * count, kept: 0 })
  expect(library.listTags()).toEqual(before)
})

test('a merge of unknown or equal tags is refused, and the target can be new', () => {
  const library = emptyLibrary()
  tagged(library, 1, 'a')
  expect(() => library.mergeTags({ from: ['a', 'none'], into: 'b' }, 2000)).toThrow(problem('not-found'))
  expect(() => library.mergeTags({ from: ['a', 'A'], into: 'a' }, 2000)).toThrow(problem('invalid'))
  expect(library.listTags()).toEqual([{ name: 'a', bookmarks: 1 }])
  library.mergeTags({ from: ['a'], into: 'new' }, 2000)
  expect(library.listTags()).toEqual([{ name: 'new', bookmarks: 1 }])
})

test('a deleted tag is restored to bookmarks that did not change since', () => {
  const library = emptyLibrary()
  const [one, two] = library.saveBookmarks(PRIVATE, [note({ tags: ['x', 'y'] }), note({ tags: ['x'] })])
  const { bookmarks, undo } = library.deleteTag('X', 2000)
  expect(bookmarks).toBe(2)
  expect(library.listTags()).toEqual([{ name: 'y', bookmarks: 1 }])
  library.editBookmark(two?.id ?? '', { title: 'changed' }, 3000)
  expect(library.undoStep(undo)).toEqual({ undone: 1, kept: 1 })
  expect(library.findBookmark(one?.id ?? '')?.tags).toEqual(['x', 'y'])
  expect(library.findBookmark(two?.id ?? '')?.tags).toEqual([])
})

test('a tag of many bookmarks is deleted and restored as one step', () => {
  const library = emptyLibrary()
  tagged(library, 1200, 'x')
  const { bookmarks, undo } = library.deleteTag('x', 2000)
  expect(bookmarks).toBe(1200)
  expect(library.listTags()).toEqual([])
  settle(library)
  expect(library.undoStep(undo)).toEqual({ undone: 1200, kept: 0 })
  expect(library.listTags()).toEqual([{ name: 'x', bookmarks: 1200 }])
})

test('a tag that came back another way is not counted twice when its deletion is undone', () => {
  const library = emptyLibrary()
  tagged(library, 300, 'x', 'y')
  const { undo } = library.deleteTag('x', 2000)
  library.mergeTags({ from: ['y'], into: 'x' }, 2000)
  expect(library.undoStep(undo)).toEqual({ undone: 0, kept: 300 })
  expect(library.listTags()).toEqual([{ name: 'x', bookmarks: 300 }])
  settle(library)
  expect(library.listTags()).toEqual([{ name: 'x', bookmarks: 300 }])
})

test('an unused tag is forgotten with the last step that could restore it', () => {
  const library = emptyLibrary()
  const [saved] = library.saveBookmarks(PRIVATE, [
    note({ tags: ['gone'] }),
    link('https://a.example/', { tags: ['stays'] })
  ])
  library.editBookmark(saved?.id ?? '', { tags: [] }, 2000)
  const names = () => library.db.prepare('SELECT name FROM tags ORDER BY name').pluck().all()
  library.forgetSteps(2000 + DAY_MS)
  expect(names()).toEqual(['gone', 'stays'])
  library.forgetSteps(3000 + DAY_MS)
  expect(names()).toEqual(['stays'])
})
