import { expect, test } from 'vitest'
import {
  ALL,
  cleared,
  isFiltered,
  orderOf,
  queryOf,
  readView,
  type View,
  viewAddress,
  withTag
} from '../../../../../src-renderer/features/bookmarks/search/view.ts'

const FULL: View = {
  type: 'link',
  words: 'rust "borrow checker"',
  tags: ['a&b', 'Ä'],
  domain: 'example.com',
  visibility: 'organization',
  organization: 'Acme & Sons',
  is: 'broken',
  order: 'oldest'
}

test('a view survives its address', () => {
  const [path, search] = viewAddress(FULL).split('?')
  expect(path).toBe('/links')
  expect(readView('link', search ?? '')).toEqual(FULL)
})

test('the plainest view has the plainest address', () => {
  expect(viewAddress(readView(undefined, ''))).toBe('/')
})

test('what an address says wrong does not filter', () => {
  const view = readView(undefined, 'visibility=everyone&order=random&domain=%20&tag=&organization=&is=new')
  expect(view).toEqual({ words: '', tags: [], order: 'newest' })
  expect(isFiltered(view)).toBe(false)
})

test('words are asked for without an order, lists with one', () => {
  expect(queryOf(FULL, true)).toEqual({
    words: FULL.words,
    typing: 'true',
    tag: FULL.tags,
    type: 'link',
    domain: 'example.com',
    visibility: 'organization',
    organization: 'Acme & Sons',
    is: 'broken'
  })
  expect(queryOf({ words: '  ', tags: [], order: 'title' }, true)).toEqual({ order: 'title' })
})

test('clearing keeps the type and the order', () => {
  expect(cleared(FULL)).toEqual({ type: 'link', words: '', tags: [], order: 'oldest' })
})

test('a tag is added once, in whatever case', () => {
  expect(withTag(FULL, 'ä')).toBe(FULL)
  expect(withTag(FULL, 'new').tags).toEqual(['a&b', 'Ä', 'new'])
})

test('a random order keeps its seed in the address, and choosing it anew makes another', () => {
  const { order } = readView(undefined, '?order=random:42')
  expect([order, viewAddress({ ...ALL, order })]).toEqual(['random:42', '/?order=random%3A42'])
  expect(readView(undefined, '?order=random:x').order).toBe('newest')
  expect(orderOf('title')).toBe('title')
  expect(orderOf('random')).toMatch(/^random:\d+$/)
})
