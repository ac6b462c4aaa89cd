import { expect, test } from 'vitest'
import { emptyLibrary, listed, note, PRIVATE } from '../library.ts'

test('the trash lists what was deleted last first, at any page', () => {
  const library = emptyLibrary()
  const saved = library.saveBookmarks(
    PRIVATE,
    ['a', 'b', 'c', 'd'].map((title) => note({ title }))
  )
  const [a = '', b = '', c = ''] = saved.map((one) => one.id)
  library.changeBookmarks([b], { kind: 'delete' }, 2000)
  library.changeBookmarks([a, c], { kind: 'delete' }, 3000)
  expect(listed(library, { trash: true })).toEqual(['c', 'a', 'b'])
  expect(library.listBookmarks({ order: 'newest', trash: true, page: 2, limit: 2 })).toMatchObject({
    total: 3,
    atLeast: false,
    bookmarks: [{ title: 'b', deletedAt: 2000 }]
  })
})

test('what went to the trash before a time is purged bit by bit, and counted', () => {
  const library = emptyLibrary()
  const saved = library.saveBookmarks(
    PRIVATE,
    Array.from({ length: 1200 }, () => note({ tags: ['x'] }))
  )
  const ids = saved.map((one) => one.id)
  library.changeBookmarks(ids.slice(0, 1100), { kind: 'delete' }, 2000)
  library.changeBookmarks(ids.slice(1100, 1150), { kind: 'delete' }, 3000)
  const parts: number[] = []
  for (let purged = library.purgeTrash(3000); purged > 0; purged = library.purgeTrash(3000)) parts.push(purged)
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.reduce((sum, one) => sum + one)).toBe(1100)
  expect(library.countByKind()).toMatchObject({ all: 50, trash: 50 })
  expect(library.db.prepare('SELECT count(DISTINCT bookmark_id) FROM bookmark_tags').pluck().get()).toBe(100)
})
