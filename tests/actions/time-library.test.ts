import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { timeLibrary } from '../../src-main/actions/ports.ts'
import type { Library } from '../../src-main/store/open-library.ts'

test('slow calls are reported by their name, also if they fail, and all calls answer as before', async () => {
  const library = {
    searchBookmarks: async (_caller: unknown, { words }: { words: string }) => {
      await sleep(words.startsWith('slow') ? 30 : 0)
      if (words.endsWith('failure')) throw new Error('no')
      return words
    },
    generation: () => 7
  } as unknown as Library
  const reported: [string, number][] = []
  const timed = timeLibrary(library, 20, (call, ms) => reported.push([call, ms]))
  const search = (words: string) =>
    timed.searchBookmarks({ owner: null, readOnly: false }, { words, page: 1, limit: 1 })
  expect(timed.generation()).toBe(7)
  expect(await search('slow')).toBe('slow')
  await expect(search('slow failure')).rejects.toThrow('no')
  await expect.poll(() => reported.map(([call]) => call)).toEqual(['searchBookmarks', 'searchBookmarks'])
  expect(reported.every(([, ms]) => ms >= 20)).toBe(true)
})
