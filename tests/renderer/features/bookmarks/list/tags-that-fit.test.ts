import { expect, test } from 'vitest'
import { tagsThatFit } from '../../../../../src-renderer/features/bookmarks/list/tags-that-fit.ts'

test('tags are shown as far as there is room, in their order', () => {
  expect(tagsThatFit(['tools', 'css', 'web'], 30)).toEqual(['tools', 'css', 'web'])
  expect(tagsThatFit(['tools', 'css', 'web'], 15)).toEqual(['tools', 'css'])
  expect(tagsThatFit(['recommendations', 'css'], 15)).toEqual([])
  expect(tagsThatFit(['css'], -1)).toEqual([])
  expect(tagsThatFit([], -1)).toEqual([])
})

test('a long tag takes no more room than what is shown of it', () => {
  expect(tagsThatFit(['x'.repeat(80), 'css'], 25)).toHaveLength(2)
})
