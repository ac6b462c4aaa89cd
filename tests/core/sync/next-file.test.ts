import { expect, test } from 'vitest'
import { lacksReadFiles, nextFile, readAgainAfter } from '../../../src-main/core/sync/next-file.ts'

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

test.each([
  [6, files(6), undefined],
  [5, files(), undefined],
  [7, files(6), -1],
  [7, { ...files(6), snapshot: undefined }, 6],
  [7, { ...files(), snapshot: undefined }, -1]
])('a device that was read up to %s, of %o, is read anew after %s', (upTo, listing, after) => {
  expect(readAgainAfter(upTo, listing)).toBe(after)
})

test.each([
  [7, -1, files(6, 7), false],
  [7, -1, files(7), true],
  [7, 6, files(7), false],
  [7, 6, { ...files(7), snapshot: undefined }, true],
  [7, 7, { ...files(7), snapshot: undefined }, false],
  [-1, -1, { ...files(), snapshot: undefined }, false]
])(
  'of files that were read up to %s, and sent up to %s, of %o some are missing: %s',
  (upTo, covered, listing, lacks) => {
    expect(lacksReadFiles(upTo, covered, listing)).toBe(lacks)
  }
)
