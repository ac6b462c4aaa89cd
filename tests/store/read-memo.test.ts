import { expect, onTestFinished, test } from 'vitest'
import { openLibrary } from '../../src-main/store/open-library.ts'
import { createReadMemo } from '../../src-main/store/read-memo.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { newKey } from './library.ts'

test('an answer is kept by its key until everything is forgotten; that there is none is not kept', () => {
  const { memoize, clear } = createReadMemo()
  const asked: number[] = []
  const half = memoize(String, (n: number) => {
    asked.push(n)
    return n % 2 === 0 ? n / 2 : undefined
  })
  expect([half(4), half(4), half(0), half(0), half(3), half(3)]).toEqual([2, 2, 0, 0, undefined, undefined])
  expect(asked).toEqual([4, 0, 3, 3])
  clear()
  expect(half(4)).toBe(2)
  expect(asked).toEqual([4, 0, 3, 3, 4])
})

test('a key that is revoked, replaced or ended with its organization is so with the next look at it', async () => {
  const library = await openLibrary(tempFolder())
  onTestFinished(() => library.close())
  const acme = await library.createOrganization('Acme', 1)
  const [revoked, replaced, ended] = [newKey(), newKey(), newKey({ owner: acme.rowId })]
  const { id } = await library.createKey(revoked)
  const { id: other } = await library.createKey(replaced)
  await library.createKey(ended)
  const states = () =>
    Promise.all([revoked, replaced, ended].map(async ({ hash }) => (await library.findKey(hash))?.revokedAt))
  expect(await states()).toEqual([null, null, null])
  await library.revokeKey(id, 5)
  expect(await states()).toEqual([5, null, null])
  await library.replaceKey(other, newKey({ createdAt: 6 }))
  expect(await states()).toEqual([5, 6, null])
  await library.revokeKeysOf(acme.rowId, 7)
  expect(await states()).toEqual([5, 6, 7])
})
