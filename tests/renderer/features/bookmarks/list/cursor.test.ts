import { expect, test } from 'vitest'
import {
  firstStaying,
  locate,
  reanchor,
  skipRemoved
} from '../../../../../src-renderer/features/bookmarks/list/cursor.ts'

/** A list of which only what is written is known; a dot is a row that has not arrived. */
function rows(known: string) {
  const ids = [...known]
  return {
    count: ids.length,
    at: (index: number) => (ids[index] === '.' || ids[index] === undefined ? undefined : { id: ids[index] }),
    indexOf: (id: string) => (ids.includes(id) ? ids.indexOf(id) : undefined)
  }
}

test('a cursor stays with its bookmark, wherever the list puts it', () => {
  const anchor = reanchor({ id: undefined, index: 1 }, rows('abc'))
  expect(anchor).toEqual({ id: 'b', index: 1 })
  expect(locate(anchor, rows('newabc'))).toEqual({ index: 4, gone: false })
  expect(reanchor(anchor, rows('newabc'))).toEqual({ id: 'b', index: 4 })
  expect(reanchor(anchor, rows('b'))).toEqual({ id: 'b', index: 0 })
})

test('a bookmark that went is gone, and no neighbour takes its place', () => {
  const anchor = { id: 'b', index: 1 }
  expect(locate(anchor, rows('ac'))).toEqual({ index: 1, gone: true })
  expect(reanchor(anchor, rows('ac'))).toBe(anchor)
  expect(locate({ id: 'c', index: 2 }, rows('ab'))).toEqual({ index: 1, gone: true })
})

test('where its row has not arrived, it may still be there', () => {
  expect(locate({ id: 'b', index: 1 }, rows('a..'))).toEqual({ index: 1, gone: false })
})

test('what did not move is the same anchor', () => {
  const anchor = { id: 'b', index: 1 }
  expect(reanchor(anchor, rows('abc'))).toBe(anchor)
})

test("the row of a bookmark that is taken away from here is the next one's once it is gone", () => {
  const anchor = { id: 'b', index: 1 }
  const isB = (id: string) => id === 'b'
  expect(skipRemoved(anchor, rows('abc'), isB)).toBe(anchor)
  expect(skipRemoved(anchor, rows('ac'), isB)).toEqual({ id: undefined, index: 1 })
  expect(skipRemoved(anchor, rows('ac'), () => false)).toBe(anchor)
})

test('keys act on the next that is not on its way out, as far as is known', () => {
  const leaving = (ids: string) => (id: string) => ids.includes(id)
  expect(firstStaying(1, rows('abcd'), leaving('bc'))).toBe(3)
  expect(firstStaying(1, rows('abc'), leaving('bc'))).toBeUndefined()
  expect(firstStaying(1, rows('ab.d'), leaving('b'))).toBeUndefined()
})
