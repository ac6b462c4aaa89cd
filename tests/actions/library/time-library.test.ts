import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { timeLibrary } from '../../../src-main/actions/library/time-library.ts'
import type { Library } from '../../../src-main/store/open-library.ts'

const library = {
  searchBookmarks: async (_caller: unknown, { words }: { words: string }) => {
    await sleep(words === 'slow' ? 30 : 0)
    if (words === 'wrong') throw new Error('no')
    return words
  },
  generation: () => 7
} as unknown as Library

test('each call answers as before, and the slow ones are told by name', async () => {
  const told: [string, number][] = []
  const timed = timeLibrary(library, 20, (call, ms) => told.push([call, ms]))
  const search = (words: string) =>
    timed.searchBookmarks({ owner: null, readOnly: false }, { words, page: 1, limit: 1 })
  expect(timed.generation()).toBe(7)
  await expect(search('wrong')).rejects.toThrow('no')
  expect(await search('slow')).toBe('slow')
  expect(told.map(([call]) => call)).toContain('searchBookmarks')
  expect(told.every(([, ms]) => ms >= 20)).toBe(true)
})

test('a call that fails is timed too', async () => {
  const told: string[] = []
  const timed = timeLibrary(library, 0, (call) => told.push(call))
  await expect(
    timed.searchBookmarks({ owner: null, readOnly: false }, { words: 'wrong', page: 1, limit: 1 })
  ).rejects.toThrow()
  await expect.poll(() => told).toEqual(['searchBookmarks'])
})
