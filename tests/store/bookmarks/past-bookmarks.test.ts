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

test('what was opened since is not given, and what was opened before is', () => {
  const library = emptyLibrary()
  const drafts = ['one', 'two', 'three'].map((title) => note({ title, createdAt: 1000 }))
  const [one = '', two = '', three = ''] = library.saveBookmarks(PRIVATE, drafts).map(({ id }) => id)
  library.noteOpenings([one], 6000)
  library.noteOpenings([two], 2000)
  const given = library.pastBookmarks(5000, [], 3).map(({ id }) => id)
  expect(given.sort()).toEqual([two, three].sort())
})
