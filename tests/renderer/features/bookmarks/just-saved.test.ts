import { expect, test } from 'vitest'
import { justSavedBy } from '../../../../src-renderer/features/bookmarks/list/just-saved.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')
const at = (ago: number) => new Date(NOW - ago).toISOString()
const savedBy = { key: 'Laptop', client: 'claude-code 2.1' }

test.for([
  ['an agent a moment ago', { createdAt: at(100), savedBy }, 'Claude Code'],
  ['who did not say its name', { createdAt: at(100), savedBy: { key: 'Laptop', client: null } }, 'Laptop'],
  ['an agent a while ago', { createdAt: at(9000), savedBy }, undefined],
  ['its owner', { createdAt: at(100), savedBy: null }, undefined]
] as const)('saved by %s', ([, bookmark, by]) => {
  expect(justSavedBy(bookmark, NOW)).toBe(by)
})
