import { expect, test } from 'vitest'
import { otherSize, readLook } from '../../../../src-renderer/features/bookmarks/reader/reading-look.ts'

const USUAL = { width: 'medium', size: 19, letters: 'serif' }

test('what was kept is shown again, and what cannot be understood is as usual', () => {
  expect(readLook('{"width":"wide","size":24,"letters":"sans"}')).toEqual({ width: 'wide', size: 24, letters: 'sans' })
  expect(readLook('{"width":"huge","size":24.5,"letters":7}')).toEqual(USUAL)
  for (const text of [null, '', '{', 'null', '"x"', '[]']) expect(readLook(text)).toEqual(USUAL)
})

test('letters grow and shrink by steps, and stop at both ends', () => {
  expect(otherSize(19, 1)).toBe(21)
  expect(otherSize(15, -1)).toBe(15)
  expect(otherSize(28, 1)).toBe(28)
})
