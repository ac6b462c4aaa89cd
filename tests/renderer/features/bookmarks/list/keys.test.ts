import { expect, test } from 'vitest'
import { readKey } from '../../../../../src-renderer/features/bookmarks/list/keys.ts'

const press = (key: string, held: Partial<Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held
})

test('arrows go by a row, which in a grid is several items', () => {
  expect(readKey(press('ArrowDown'), 1, 10)).toEqual({ by: 1, extend: false })
  expect(readKey(press('ArrowUp', { shiftKey: true }), 4, 10)).toEqual({ by: -4, extend: true })
  expect(readKey(press('j'), 1, 10)).toEqual({ by: 1, extend: false })
  expect(readKey(press('k'), 4, 10)).toEqual({ by: -4, extend: false })
  expect(readKey(press('ArrowRight'), 4, 10)).toEqual({ by: 1, extend: false })
  expect(readKey(press('ArrowRight'), 1, 10)).toBeUndefined()
  expect(readKey(press('PageDown'), 4, 10)).toEqual({ by: 40, extend: false })
  expect(readKey(press('End'), 1, 10)).toEqual({ to: 'end', extend: false })
})

test('Ctrl-A and Command-A select all; the browser keeps its other keys', () => {
  expect(readKey(press('a', { ctrlKey: true }), 1, 10)).toEqual({ act: 'all' })
  expect(readKey(press('a', { metaKey: true }), 1, 10)).toEqual({ act: 'all' })
  expect(readKey(press('c', { ctrlKey: true }), 1, 10)).toBeUndefined()
  expect(readKey(press('e', { altKey: true }), 1, 10)).toBeUndefined()
  expect(readKey(press('Tab'), 1, 10)).toBeUndefined()
})

test.for([
  ['Enter', 'edit'],
  ['e', 'edit'],
  ['o', 'open'],
  ['t', 'tag'],
  ['m', 'move'],
  ['x', 'select'],
  [' ', 'select'],
  ['Delete', 'delete'],
  ['Escape', 'leave']
] as const)('%s means %s', ([key, act]) => {
  expect(readKey(press(key), 1, 10)).toEqual({ act })
})
