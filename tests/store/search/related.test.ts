import { expect, test } from 'vitest'
import { type Caller, PROFILE } from '../../../src-main/contract/caller.ts'
import { emptyLibrary, link, PRIVATE, PUBLIC, within } from '../library.ts'

const BREAD = [
  ['https://bread.example/rye', { title: 'Rye sourdough for beginners', tags: ['baking', 'rye'] }],
  ['https://bread.example/starter', { title: 'Feeding a sourdough starter', tags: ['baking'] }],
  ['https://oven.example/', { title: 'Ovens compared', description: 'For sourdough and pizza', tags: ['kitchen'] }],
  ['https://rust.example/', { title: 'Rust async book', tags: ['rust'] }],
  ['https://trains.example/', { title: 'Night trains of Europe', tags: ['travel'] }]
] as const

/** A library of five bookmarks, and their ids by title. */
function bakery() {
  const library = emptyLibrary()
  const saved = library.saveBookmarks(
    PRIVATE,
    BREAD.map(([url, fields]) => link(url, { ...fields, tags: [...fields.tags] }))
  )
  const ids = new Map(BREAD.map(([, { title }], at) => [title as string, saved[at]?.id ?? '']))
  const related = (title: string, limit = 5, caller: Caller = PROFILE) =>
    library.relatedBookmarks(caller, ids.get(title) ?? '', limit).map((bookmark) => bookmark.title)
  return { library, ids, related }
}

test('bookmarks with the same telling words, tags or domain are related, the nearest first', () => {
  const { related } = bakery()
  expect(related('Rye sourdough for beginners')).toEqual(['Feeding a sourdough starter', 'Ovens compared'])
  expect(related('Rye sourdough for beginners', 1)).toEqual(['Feeding a sourdough starter'])
  expect(related('Night trains of Europe')).toEqual([])
})

test('only bookmarks that the caller can see have or are related bookmarks', () => {
  const { library, ids, related } = bakery()
  const [owner = 0] = [library.createOrganization('A', 1).rowId]
  const organization: Caller = { ...PROFILE, owner }
  expect(related('unheard of')).toEqual([])
  expect(related('Rye sourdough for beginners', 5, organization)).toEqual([])
  const [open] = library.saveBookmarks(PUBLIC, [link('https://open.example/', { title: 'Sourdough in the open' })])
  library.saveBookmarks(within(owner), [link('https://ours.example/', { title: 'Our sourdough' })])
  library.saveBookmarks(
    PUBLIC,
    ['Maps', 'Chess'].map((title) => link(`https://${title}.example/`, { title }))
  )
  const seen = library.relatedBookmarks(organization, open?.id ?? '', 5)
  expect(seen.map(({ title }) => title)).toEqual(['Our sourdough'])
  library.changeBookmarks([ids.get('Feeding a sourdough starter') ?? ''], { kind: 'delete' }, 2)
  expect(related('Rye sourdough for beginners')).not.toContain('Feeding a sourdough starter')
  expect(related('Feeding a sourdough starter')).toEqual([])
})

test('tags of similar bookmarks are suggested, except those it has', () => {
  const { library } = bakery()
  const asked = { url: 'https://bread.example/rolls', title: 'Sourdough rolls', description: '', tags: [] as string[] }
  expect(library.suggestTags(asked, 3)[0]).toBe('baking')
  expect(library.suggestTags({ ...asked, tags: ['Baking'] }, 3)).not.toContain('baking')
  expect(library.suggestTags({ ...asked, url: 'no address', title: '' }, 3)).toEqual([])
})

test('bookmarks in scripts without spaces are compared too', () => {
  const library = emptyLibrary()
  const titles = ['中文分词工具', '分词算法比较', '日本旅行']
  const saved = library.saveBookmarks(
    PRIVATE,
    titles.map((title, at) => link(`https://${at}.example/`, { title }))
  )
  const found = library.relatedBookmarks(PROFILE, saved[0]?.id ?? '', 5)
  expect(found.map(({ title }) => title)).toEqual(['分词算法比较'])
})
