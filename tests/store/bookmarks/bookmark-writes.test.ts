import { expect, test } from 'vitest'
import { BOOKMARK_TYPES, LIMITS } from '../../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { emptyLibrary, link, note, PRIVATE, PUBLIC, titles, within } from '../library.ts'

test('a page saved twice stays one bookmark, as it was first saved', () => {
  const library = emptyLibrary()
  const [first] = library.saveBookmarks(PRIVATE, [link('https://a.example/x', { title: 'First', tags: ['one'] })])
  const [again] = library.saveBookmarks(PRIVATE, [
    link('https://a.example/x?utm_source=mail#top', { title: 'Second', tags: ['two'] })
  ])
  expect(first?.status).toBe('saved')
  expect(again).toEqual({ id: first?.id, status: 'existing' })
  expect(titles(library)).toEqual(['First'])
  expect(library.searchBookmarks(PROFILE, { page: 1, limit: 5 }).bookmarks[0]?.tags).toEqual(['one'])
})

test('a page twice in one call is saved once, and answers come in the order of the drafts', () => {
  const { saveBookmarks } = emptyLibrary()
  const saved = saveBookmarks(PRIVATE, [
    link('https://a.example/1'),
    link('https://a.example/2'),
    link('https://a.example/1#top')
  ])
  expect(saved.map((one) => one.status)).toEqual(['saved', 'saved', 'existing'])
  expect(saved[2]?.id).toBe(saved[0]?.id)
  expect(saved[1]?.id).not.toBe(saved[0]?.id)
})

test('the profile and every organization keep the same page apart', () => {
  const library = emptyLibrary()
  const one = library.createOrganization('One', 1)
  const two = library.createOrganization('Two', 1)
  const placements = [PRIVATE, within(one.rowId), within(two.rowId)]
  const save = () => placements.map((placement) => library.saveBookmarks(placement, [link('https://a.example/')])[0])
  expect(save().map((saved) => saved?.status)).toEqual(['saved', 'saved', 'saved'])
  expect(save().map((saved) => saved?.status)).toEqual(['existing', 'existing', 'existing'])
  expect(library.countBookmarks(PROFILE)).toBe(3)
})

test('a private page is not saved again as a public one', () => {
  const { saveBookmarks } = emptyLibrary()
  saveBookmarks(PRIVATE, [link('https://a.example/')])
  expect(saveBookmarks(PUBLIC, [link('https://a.example/')])[0]?.status).toBe('existing')
})

test('a page in the trash comes back as itself when it is saved again', () => {
  const library = emptyLibrary()
  const [first] = library.saveBookmarks(PRIVATE, [link('https://a.example/', { title: 'Back again' })])
  library.db.prepare('UPDATE bookmarks SET deleted_at = 2000, updated_at = 2000').run()
  expect(titles(library)).toEqual([])
  expect(library.countBookmarks(PROFILE)).toBe(0)

  const [again] = library.saveBookmarks({ ...PRIVATE, savedAt: 3000 }, [link('https://a.example/')])
  expect(again).toEqual({ id: first?.id, status: 'saved' })
  expect(library.searchBookmarks(PROFILE, { words: 'again', page: 1, limit: 5 }).bookmarks).toMatchObject([
    { id: first?.id, title: 'Back again', createdAt: 1000, updatedAt: 3000 }
  ])
})

test.for([
  ['what is sent empty stays', { title: '', description: '', tags: [] }, ['Old', 'My notes', ['a']]],
  ['an address is no title', { title: 'https://a.example/' }, ['Old', 'My notes', ['a']]],
  ['what is sent is kept', { title: 'New', description: 'More', tags: ['b'] }, ['New', 'More\nMy notes', ['a', 'b']]],
  ['what was known is not told twice', { description: 'notes', tags: ['A'] }, ['Old', 'My notes', ['a']]],
  ['what says more takes the place', { description: 'All of My notes' }, ['Old', 'All of My notes', ['a']]],
  [
    'there is room for so much',
    { description: 'x'.repeat(LIMITS.description) },
    ['Old', 'x'.repeat(LIMITS.description), ['a']]
  ]
] satisfies [string, Parameters<typeof link>[1], unknown[]][])(
  'of a page that comes back from the trash, %s',
  ([, sent, kept]) => {
    const library = emptyLibrary()
    const old = { title: 'Old', description: 'My notes', tags: ['a'] }
    const [first] = library.saveBookmarks(PRIVATE, [link('https://a.example/', old)])
    library.changeBookmarks([first?.id ?? ''], { kind: 'delete' }, 2000)
    library.saveBookmarks(PRIVATE, [link('https://a.example/', { title: 'Old', ...sent })])
    const { bookmarks } = library.searchBookmarks(PROFILE, { page: 1, limit: 5 })
    expect(bookmarks.map(({ title, description, tags }) => [title, description, tags])).toEqual([kept])
  }
)

test('tags that differ in case or in how an accent is written are one tag, under the first spelling', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [
    link('https://a.example/1', { tags: ['Rust', 'Café', 'rust'] }),
    link('https://a.example/2', { tags: ['RUST', 'Cafe\u0301'] })
  ])
  expect(library.db.prepare('SELECT name FROM tags ORDER BY id').pluck().all()).toEqual(['Rust', 'Café'])
  const { bookmarks } = library.searchBookmarks(PROFILE, { page: 1, limit: 5 })
  expect(bookmarks.map((one) => one.tags)).toEqual([
    ['Café', 'Rust'],
    ['Café', 'Rust']
  ])
})

test('every type is kept with all its fields', () => {
  const library = emptyLibrary()
  const drafts = BOOKMARK_TYPES.map((type) =>
    note({ type, title: `A ${type}`, description: 'About it', content: `${type} content`, createdAt: 5 })
  )
  library.saveBookmarks(PRIVATE, drafts)
  const { bookmarks } = library.searchBookmarks(PROFILE, { page: 1, limit: 5 })
  expect(bookmarks.toReversed()).toEqual(
    BOOKMARK_TYPES.map((type) => ({
      id: expect.stringMatching(/^[\w][\w-]{15}$/),
      type,
      visibility: 'private',
      organization: null,
      url: null,
      domain: null,
      title: `A ${type}`,
      description: 'About it',
      content: `${type} content`,
      tags: [],
      createdAt: 5,
      updatedAt: 1000,
      deletedAt: null,
      icon: null,
      preview: null,
      link: null,
      picture: null,
      savedBy: null
    }))
  )
})

test('what has no page is a new bookmark every time', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [note({ title: 'One' }), note({ title: 'One' })])
  expect(titles(library)).toEqual(['One', 'One'])
})

test('every visibility is kept, with the organization where there is one', () => {
  const library = emptyLibrary()
  const { rowId } = library.createOrganization('Acme', 1)
  for (const placement of [PRIVATE, within(rowId), PUBLIC]) {
    library.saveBookmarks(placement, [link(`https://a.example/${placement.visibility}`)])
  }
  const { bookmarks } = library.searchBookmarks(PROFILE, { page: 1, limit: 5 })
  expect(bookmarks.map(({ visibility, organization }) => [visibility, organization])).toEqual([
    ['public', null],
    ['organization', 'Acme'],
    ['private', null]
  ])
})

test.for([
  ['an organization that is not named', { ...PRIVATE, visibility: 'organization' }, 'CHECK'],
  ['an organization that does not exist', within(99), 'The organization is gone.'],
  ['a private place inside an organization', { ...within(1), visibility: 'private' }, 'CHECK'],
  ['a visibility that does not exist', { ...PRIVATE, visibility: 'secret' }, 'CHECK']
] as const)('the library refuses a bookmark for %s', ([, placement, constraint]) => {
  const library = emptyLibrary()
  library.createOrganization('Acme', 1)
  expect(() => library.saveBookmarks(placement as typeof PRIVATE, [link('https://a.example/')])).toThrow(constraint)
  expect(library.countBookmarks(PROFILE)).toBe(0)
})

test('one bad draft takes back the whole call', () => {
  const library = emptyLibrary()
  const bad = link('https://a.example/bad', { createdAt: 0.5, tags: ['bad'] })
  expect(() => library.saveBookmarks(PRIVATE, [link('https://a.example/good', { tags: ['good'] }), bad])).toThrow()
  expect(library.countBookmarks(PROFILE)).toBe(0)
  expect(library.db.prepare('SELECT count(*) FROM tags').pluck().get()).toBe(0)
  expect(titles(library, { words: 'good' })).toEqual([])
})

test('no drafts are saved without complaint', () => {
  expect(emptyLibrary().saveBookmarks(PRIVATE, [])).toEqual([])
})

test('a saved page is found by its page key, the profile’s before an organization’s, and not in the trash', () => {
  const library = emptyLibrary()
  const { rowId } = library.createOrganization('Client', 1)
  const draft = link('https://a.example/')
  const [theirs] = library.saveBookmarks(within(rowId), [draft])
  expect(library.findSaved(draft.pageKey ?? '')).toMatchObject({ id: theirs?.id, organization: 'Client' })
  const [own] = library.saveBookmarks(PRIVATE, [draft])
  expect(library.findSaved(draft.pageKey ?? '')).toMatchObject({ id: own?.id, organization: null })
  library.changeBookmarks([own?.id ?? '', theirs?.id ?? ''], { kind: 'delete' }, 5)
  expect(library.findSaved(draft.pageKey ?? '')).toBeUndefined()
})
