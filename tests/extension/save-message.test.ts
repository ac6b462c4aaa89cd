import { expect, test } from 'vitest'
import { joined, withKept } from '../../src-extension/shared/save-message.ts'

const PAGE = { type: 'link' as const, url: 'https://a.example/', title: 'Tab', description: 'New', tags: ['b', 'c'] }
const KEPT = { url: PAGE.url, title: 'Kept', description: 'Old', tags: ['a', 'b'], organization: null, savedAt: '' }

test('a stored page’s details are added to, and its title stays unless a new one was typed', () => {
  expect(withKept({ page: PAGE, titled: false }, KEPT)).toEqual({
    ...PAGE,
    title: 'Kept',
    description: 'Old\n\nNew',
    tags: ['a', 'b', 'b', 'c']
  })
  expect(withKept({ page: PAGE, titled: true }, KEPT).title).toBe('Tab')
  expect(withKept({ page: PAGE, titled: false }, { ...KEPT, title: '' }).title).toBe('Tab')
  expect(withKept({ page: { type: 'link', url: PAGE.url }, titled: false }, KEPT)).toMatchObject({ description: 'Old' })
  expect(withKept({ page: PAGE, titled: false }, null)).toBe(PAGE)
})

test('a passage is added once, and text over the limit is cut', () => {
  expect([joined('', 'b'), joined('a', ''), joined('a b c', 'b')]).toEqual(['b', 'a', 'a b c'])
  const long = joined('a', 'x'.repeat(3000))
  expect([long.length, long.at(-1)]).toEqual([2048, '…'])
})
