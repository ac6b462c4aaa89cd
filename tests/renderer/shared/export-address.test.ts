import { expect, test } from 'vitest'
import { exportAddress } from '../../../src-renderer/shared/export-address.ts'

test('an export asks for what the list shows, whatever its order and however many pages', () => {
  expect(exportAddress('T', 'jsonl')).toBe('/api/exports?ticket=T&format=jsonl')
  expect(exportAddress('T', 'csv', { words: 'a b&c', tag: ['x', 'y'], domain: undefined, typing: 'true' })).toBe(
    '/api/exports?ticket=T&format=csv&words=a+b%26c&tag=x&tag=y&typing=true'
  )
  expect(exportAddress('T', 'html', { order: 'oldest', type: 'link' })).toBe(
    '/api/exports?ticket=T&format=html&type=link'
  )
})
