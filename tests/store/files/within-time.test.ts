import { expect, test } from 'vitest'
import { Problem } from '../../../src-main/contract/problem.ts'
import { withinTime } from '../../../src-main/store/files/within-time.ts'

const late = () => new Problem('invalid', 'late')

test('gives what comes in time, and its failure', async () => {
  expect(await withinTime(Promise.resolve(1), 1000, late)).toBe(1)
  await expect(withinTime(Promise.reject(new Error('no')), 1000, late)).rejects.toThrow('no')
})

test('waits no longer than that, and lets go of what comes later', async () => {
  const slow = Promise.withResolvers<void>()
  await expect(withinTime(slow.promise, 5, late)).rejects.toThrow('late')
  slow.reject(new Error('nobody asks any more'))
  await new Promise((resolve) => setTimeout(resolve))
})
