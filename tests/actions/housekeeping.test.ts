import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHousekeeping, emptyTrash } from '../../src-main/actions/housekeeping.ts'
import type { Ports } from '../../src-main/actions/ports.ts'
import { Problem } from '../../src-main/contract/problem.ts'
import { link, PRIVATE, START, testPorts } from './ports.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A library with bookmarks that were deleted at these times. */
async function trashed(...times: number[]) {
  const ports = await testPorts()
  for (const [index, time] of times.entries()) {
    const [saved] = await ports.library.saveBookmarks(PRIVATE, [link(`https://a.example/${index}`)])
    await ports.library.changeBookmarks([saved?.id ?? ''], { kind: 'delete' }, time)
  }
  const inTrash = async () => (await ports.library.countByKind()).trash
  return { ports, inTrash }
}

const fail = (error: unknown) => {
  throw error
}

async function runOnce(ports: Ports): Promise<void> {
  const housekeeping = createHousekeeping(ports, fail)
  housekeeping.start()
  await housekeeping.close()
}

test('bookmarks are purged after 30 days in the trash, at the start', async () => {
  const { ports, inTrash } = await trashed(START - 30 * DAY_MS - 1, START - 30 * DAY_MS, START)
  await runOnce(ports)
  expect(await inTrash()).toBe(2)
})

test('housekeeping runs every hour until it is closed', async () => {
  const { ports, inTrash } = await trashed(START - 30 * DAY_MS, START - 29 * DAY_MS)
  const housekeeping = createHousekeeping(ports, fail)
  housekeeping.start()
  ports.clock.time = START + HOUR_MS
  vi.advanceTimersByTime(HOUR_MS)
  await housekeeping.close()
  expect(await inTrash()).toBe(1)
  const purging = vi.spyOn(ports.library, 'purgeTrash')
  vi.advanceTimersByTime(2 * DAY_MS)
  await housekeeping.close()
  expect(purging).not.toHaveBeenCalled()
})

test('a change can be undone for a day', async () => {
  const ports = await testPorts()
  const [saved] = await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/')])
  const edit = (title: string) => ports.library.editBookmark(saved?.id ?? '', { title }, START)
  const steps = [await edit('one'), await edit('two')].map((edited) => edited?.undo ?? 0)
  ports.clock.time = START + DAY_MS
  await runOnce(ports)
  expect(await ports.library.undoBatch({ step: steps[1] ?? 0 }, START)).toMatchObject({ undone: 1, kept: 0 })
  ports.clock.time += 1
  await runOnce(ports)
  expect(await ports.library.undoBatch({ step: steps[0] ?? 0 }, START)).toBeUndefined()
})

test('a failure is reported, and the next hour it is tried again', async () => {
  const { ports, inTrash } = await trashed(START - 31 * DAY_MS)
  const full = new Problem('disk-full', 'The disk is full.')
  const failing = vi.spyOn(ports.library, 'purgeTrash').mockRejectedValueOnce(full)
  const errors: unknown[] = []
  const housekeeping = createHousekeeping(ports, (error) => errors.push(error))
  housekeeping.start()
  vi.advanceTimersByTime(HOUR_MS)
  await housekeeping.close()
  expect(failing).toHaveBeenCalled()
  expect(errors).toEqual([full])
  expect(await inTrash()).toBe(0)
})

test('emptying the trash purges all of it and returns their number', async () => {
  const { ports, inTrash } = await trashed(START - DAY_MS, START)
  expect(await emptyTrash(ports)).toBe(2)
  expect(await inTrash()).toBe(0)
  expect(await emptyTrash(ports)).toBe(0)
})
