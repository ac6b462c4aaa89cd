import { expect, test } from 'vitest'
import { nextFile } from '../../../src-main/core/sync/next-file.ts'

const snapshot = { after: 5, parts: 1 }
const files = (...segments: number[]) => ({ segments: new Set(segments), snapshot })

test.each([
  [undefined, { ...files(1, 2), snapshot: undefined }, 'missing'],
  [undefined, files(1), 'snapshot'],
  [0, files(1), 1],
  [0, files(6), 'snapshot'],
  [4, files(5, 6), 5],
  [5, files(6), 6],
  [6, files(5, 6), undefined],
  [6, files(8), 'missing'],
  [5, files(), undefined]
])('after %s, of %o, follows %s', (upTo, listing, next) => {
  expect(nextFile(upTo, listing)).toBe(next)
})
