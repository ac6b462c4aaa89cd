import { expect, test } from 'vitest'
import { BOOKMARK_TYPES, LIMITS } from '../../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { createPublicIds } from '../../../src-main/store/public-id.ts'
import { emptyLibrary, link, note, PRIVATE, PUBLIC, search, titles, within } from '../library.ts'

test('a page saved again keeps its first bookmark', () => {
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

test('a page is saved once in a call, and the answers are in the order of the drafts', () => {
  const { saveBookmarks } = emptyLibrary()
  const saved = saveBookmarks(PRIVATE, [
    link('https://a.example/1'),
    link('https://a.example/2'),
    link('https://a.example/1#top')
  ])
  expect(saved.map(({ status }) => status)).toEqual(['saved', 'saved', 'existing'])
  expect(saved[2]?.id).toBe(saved[0]?.id)
  expect(saved[1]?.id).not.toBe(saved[0]?.id)
})

test('the profile and each organization have their own bookmark of a page', () => {
  const library = emptyLibrary()
  const one = library.createOrganization('One', 1)
  const two = library.createOrganization('Two', 1)
  const placements = [PRIVATE, within(one.rowId), within(two.rowId)]
  const save = () => placements.map((placement) => library.saveBookmarks(placement, [link('https://a.example/')])[0])
  expect(save().map((saved) => saved?.status)).toEqual(['saved', 'saved', 'saved'])
  expect(save().map((saved) => saved?.status)).toEqual(['existing', 'existing', 'existing'])
  expect(library.saveBookmarks(PUBLIC, [link('https://a.example/')])[0]?.status).toBe('existing')
  expect(library.countBookmarks(PROFILE)).toBe(3)
})

test.for([
  ['empty fields keep the old ones', { title: '', description: '', tags: [] }, ['Old', 'My notes', ['a']]],
  ['a title that is the address is ignored', { title: 'https://a.example/' }, ['Old', 'My notes', ['a']]],
  [
    'new fields replace or extend the old ones',
    { title: 'New', description: 'More', tags: ['b'] },
    ['New', 'More\nMy notes', ['a', 'b']]
  ],
  ['known texts and tags are not repeated', { description: 'notes', tags: ['A'] }, ['Old', 'My notes', ['a']]],
  [
    'a text that contains the old one replaces it',
    { description: 'All of My notes' },
    ['Old', 'All of My notes', ['a']]
  ],
  [
    'a text of the maximum length replaces the old one',
    { description: 'x'.repeat(LIMITS.description) },
    ['Old', 'x'.repeat(LIMITS.description), ['a']]
  ]
] satisfies [string, Parameters<typeof link>[1], unknown[]][])(
  'a page that is saved again from the trash: %s',
  ([, sent, kept]) => {
    const library = emptyLibrary()
    const old = { title: 'Old', description: 'My notes', tags: ['a'] }
    const [first] = library.saveBookmarks(PRIVATE, [link('https://a.example/', old)])
    library.changeBookmarks([first?.id ?? ''], { kind: 'delete' }, 2000)
    expect(titles(library)).toEqual([])
    const draft = link('https://a.example/', { title: 'Old', ...sent })
    const again = library.saveBookmarks({ ...PRIVATE, savedAt: 3000 }, [draft])
    expect(again).toEqual([{ id: first?.id, status: 'saved' }])
    const { bookmarks } = library.searchBookmarks(PROFILE, { page: 1, limit: 5 })
    expect(bookmarks[0]).toMatchObject({ createdAt: 1000, updatedAt: 3000 })
    expect(bookmarks.map(({ title, description, tags }) => [title, description, tags])).toEqual([kept])
  }
)

test('tags that differ only in case or Unicode form are one tag, in the first spelling', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [
    link('https://a.example/1', { tags: ['Rust', 'Café', 'rust'] }),
    link('https://a.example/2', { tags: ['RUST', 'Cafe\u0301'] })
  ])
  expect(library.db.prepare('SELECT name FROM tags ORDER BY id').pluck().all()).toEqual(['Rust', 'Café'])
  const { bookmarks } = library.searchBookmarks(PROFILE, { page: 1, limit: 5 })
  expect(bookmarks.map(({ tags }) => tags)).toEqual([
    ['Café', 'Rust'],
    ['Café', 'Rust']
  ])
})

test('every type is saved with all fields', () => {
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
      ratio: null,
      hasText: false,
      link: null,
      picture: null,
      savedBy: null
    }))
  )
})

test('a bookmark without a page is new every time', () => {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [note({ title: 'One' }), note({ title: 'One' })])
  expect(titles(library)).toEqual(['One', 'One'])
})

test('every visibility is saved, with its organization', () => {
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
] as const)('a bookmark for %s is refused', ([, placement, constraint]) => {
  const library = emptyLibrary()
  library.createOrganization('Acme', 1)
  expect(() => library.saveBookmarks(placement as typeof PRIVATE, [link('https://a.example/')])).toThrow(constraint)
  expect(library.countBookmarks(PROFILE)).toBe(0)
})

test('an invalid draft reverts the whole call, and its words can be saved again', () => {
  const library = emptyLibrary()
  const bad = link('https://a.example/bad', { createdAt: 0.5, tags: ['bad'] })
  const good = link('https://a.example/good', { title: 'elephant', tags: ['good'] })
  expect(() => library.saveBookmarks(PRIVATE, [good, bad])).toThrow()
  expect(library.countBookmarks(PROFILE)).toBe(0)
  expect(library.db.prepare('SELECT count(*) FROM tags').pluck().get()).toBe(0)
  expect(titles(library, { words: 'good' })).toEqual([])
  library.saveBookmarks(PRIVATE, [good])
  expect(search(library, 'elephent').note).toBe('No bookmark has “elephent”; searched for “elephant”.')
})

test('a saved page is found by its page key, first the profile’s bookmark, and none in the trash', () => {
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

test('the ids of a batch are unique neighbors in random order', () => {
  const nextId = createPublicIds()
  const ids = Array.from({ length: 4000 }, nextId)
  expect(new Set(ids).size).toBe(4000)
  expect(new Set(ids.map((id) => id.slice(0, 12))).size).toBe(1)
  for (const id of ids) expect(id).toMatch(/^[\w-]{16}$/)
  const ascending = ids.filter((id, index) => index > 0 && id > (ids[index - 1] ?? '')).length
  expect(ascending).toBeGreaterThan(1500)
  expect(ascending).toBeLessThan(2500)
})
