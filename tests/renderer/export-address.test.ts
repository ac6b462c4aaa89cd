import { expect, test } from 'vitest'
import { exportAddress } from '../../src-renderer/app/export-address.ts'

test('an export asks for what the list shows, whatever its order and however many pages', () => {
  expect(exportAddress('jsonl')).toBe('/api/exports?format=jsonl')
  expect(exportAddress('csv', { words: 'a b&c', tag: ['x', 'y'], domain: undefined, typing: 'true' })).toBe(
    '/api/exports?format=csv&words=a+b%26c&tag=x&tag=y'
  )
  expect(exportAddress('html', { order: 'oldest', type: 'link' })).toBe('/api/exports?format=html&type=link')
})
