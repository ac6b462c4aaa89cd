import { expect, test } from 'vitest'
import { emptyLibrary, note, PRIVATE } from '../library.ts'

test('some old bookmarks are given by chance, none twice, none of the time before, and none that are new or in the trash', () => {
  const library = emptyLibrary()
  expect(library.pastBookmarks(5000, [], 3)).toEqual([])
  const drafts = Array.from({ length: 9 }, (_, at) => note({ title: `${at}`, createdAt: at < 6 ? 1000 : 9000 }))
  const ids = library.saveBookmarks(PRIVATE, drafts).map(({ id }) => id)
  const first = library.pastBookmarks(5000, [], 3).map(({ id }) => id)
  const others = library.pastBookmarks(5000, first, 3).map(({ id }) => id)
  expect([...first, ...others].sort()).toEqual(ids.slice(0, 6).sort())
  library.changeBookmarks(first, { kind: 'delete' }, 9500)
  expect(
    library
      .pastBookmarks(5000, [], 9)
      .map(({ id }) => id)
      .sort()
  ).toEqual(others.sort())
})
