import { expect, onTestFinished, test, vi } from 'vitest'
import { CALLS } from '../../src-main/store/library.ts'
import { openLibrary } from '../../src-main/store/open-library.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { newKey } from './library.ts'

test('an answer is kept by its key until something is written; that there is none is not kept', async () => {
  const library = await openLibrary(tempFolder())
  onTestFinished(() => library.close())
  const [known, other] = [newKey(), newKey()]
  await library.createKey(known)
  const read = vi.spyOn(CALLS.findKey, 'run')
  const reads = async (hash: Uint8Array) => {
    read.mockClear()
    for (let time = 0; time < 3; time++) await library.findKey(hash)
    return read.mock.calls.length
  }
  expect(await reads(known.hash)).toBe(1)
  expect(await reads(known.hash)).toBe(0)
  expect(await reads(other.hash)).toBe(3)
  await library.createKey(other)
  expect(await reads(other.hash)).toBe(1)
  expect(await reads(known.hash)).toBe(1)
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
