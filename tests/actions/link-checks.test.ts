import { expect, test } from 'vitest'
import { beginLinkCheck, createLinkChecks, linkCheckStatus } from '../../src-main/actions/link-checks.ts'
import type { LinkCheck, LinkReading } from '../../src-main/contract/link-check.ts'
import { note } from '../store/library.ts'
import { PRIVATE } from './ports.ts'
import { type Answer, workerOnWeb } from './web-worker.ts'

const OK: LinkReading = { movedTo: null }
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Checks links of a web of the test's. */
async function checking(answer: (url: string) => Answer<LinkReading>, isConnected = () => true) {
  let isFull = false
  const world = await workerOnWeb('checkLink', answer, createLinkChecks, {
    isConnected,
    change: ({ saveLink }) => ({
      async saveLink(...args) {
        if (isFull) throw new Error('the disk is full')
        return saveLink(...args)
      }
    })
  })
  const progress = async (): Promise<LinkCheck | undefined> => world.library.linkCheck()
  return {
    ...world,
    progress,
    fillDisk: (full: boolean) => {
      isFull = full
    },
    states: async (ids: string[]) => Promise.all(ids.map(async (id) => (await world.library.findLink(id))?.state)),
    /** Saves links whose pages could not be read and are not read again. */
    async saveRead(...urls: string[]): Promise<string[]> {
      const ids = await world.save(...urls)
      for (const [index, url] of urls.entries()) {
        const page = { id: ids[index] ?? '', url, domain: new URL(url).host, attempts: 0 }
        await world.library.saveFailure(page, { fault: 'wall', title: '', due: null, attempts: 1 }, world.clock.time)
      }
      return ids
    },
    /** Waits for the end of the requested check. */
    ended: () => expect.poll(async () => (await progress())?.endedAt).not.toBeNull()
  }
}

test('a check requests every link once and reports broken and moved links', async () => {
  const world = await checking((url) =>
    url.includes('gone') ? { fault: 'gone' } : url.includes('old') ? { movedTo: 'https://new.example/x' } : OK
  )
  const ids = await world.save('https://a.example/', 'https://gone.example/', 'https://old.example/x')
  await beginLinkCheck(world, {})
  await expect.poll(world.progress).toMatchObject({ checked: 3, broken: 1, moved: 1, cancelled: false })
  await expect.poll(async () => (await world.progress())?.endedAt).toBe(world.clock.time)
  expect(await world.states(ids)).toEqual(['ok', 'broken', 'moved'])
  expect(world.requested).toHaveLength(3)
})

test('only selected links are checked: by words and filters, or by id', async () => {
  const world = await checking(() => OK)
  const [a = ''] = await world.save('https://a.example/rust', 'https://b.example/rust', 'https://c.example/zig')
  await beginLinkCheck(world, { words: 'rust', domain: 'b.example' })
  await world.ended()
  expect(world.requested).toEqual(['https://b.example/rust'])
  await beginLinkCheck(world, { ids: [a, 'nobody'] })
  await world.ended()
  expect(world.requested).toEqual(['https://b.example/rust', 'https://a.example/rust'])
})

test('a check includes the links that were saved after thousands of bookmarks without a link', async () => {
  const world = await checking(() => OK)
  const texts = Array.from({ length: 20_000 }, (_, index) => note({ content: `note ${index}` }))
  await world.library.saveBookmarks({ ...PRIVATE, savedAt: world.clock.time }, texts)
  await world.save('https://a.example/')
  await beginLinkCheck(world, {})
  await world.ended()
  expect(await world.progress()).toMatchObject({ total: 1, checked: 1 })
})

test('a check without links ends at once', async () => {
  const world = await checking(() => OK)
  await beginLinkCheck(world, { tags: ['nobody has this'] })
  await expect.poll(world.progress).toMatchObject({ endedAt: world.clock.time, total: 0, cancelled: false })
})

test('four links are requested at once, one of each site, and links of a site at intervals', async () => {
  const world = await checking(() => 'hang')
  await world.save(...Array.from({ length: 40 }, (_, index) => `https://site${index % 8}.example/${index}`))
  await beginLinkCheck(world, {})
  await expect.poll(() => world.running.size).toBe(4)
  expect(world.maxRunning()).toBe(4)
  expect(new Set(world.requested.map((url) => new URL(url).host)).size).toBe(4)

  const other = await checking(() => OK)
  await other.save('https://a.example/1', 'https://a.example/2')
  await beginLinkCheck(other, {})
  await expect.poll(other.progress).toMatchObject({ total: 2, checked: 1 })
  expect(other.requested).toHaveLength(1)
  await other.later(1000)
  await expect.poll(other.progress).toMatchObject({ checked: 2 })
})

test('a check pauses while fetching is off or the network is missing, and continues afterwards', async () => {
  let isConnected = false
  let hangs = true
  const world = await checking(
    () => (hangs ? 'hang' : OK),
    () => isConnected
  )
  await world.save('https://a.example/')
  await beginLinkCheck(world, {})
  expect(await linkCheckStatus(world)).toMatchObject({ paused: 'offline', check: { endedAt: null } })
  isConnected = true
  await world.later(1)
  await expect.poll(() => world.running.size).toBe(1)
  await world.library.writeSettings({ fetchDetails: false })
  await expect.poll(() => world.running.size).toBe(0)
  expect(await linkCheckStatus(world)).toMatchObject({ paused: 'off' })
  await expect(beginLinkCheck(world, {})).rejects.toThrow('switched off')
  const { web: _, ...without } = world
  await expect(beginLinkCheck(without, {})).rejects.toThrow('--no-fetch')
  expect(await linkCheckStatus(without)).toMatchObject({ paused: 'off' })
  hangs = false
  await world.later(1)
  await expect.poll(world.progress).toMatchObject({ checked: 1 })
})

test('a link that fails is broken only if it fails again 12 hours later', async () => {
  const world = await checking((url) => (url.includes('dead') ? { fault: 'no-host' } : OK))
  const [dead = ''] = await world.saveRead('https://dead.example/', 'https://a.example/')
  await beginLinkCheck(world, {})
  await expect.poll(world.progress).toMatchObject({ checked: 2, failing: 1, broken: 0 })
  await world.later(HOUR_MS)
  await beginLinkCheck(world, {})
  await expect.poll(world.progress).toMatchObject({ checked: 2, failing: 1, broken: 0 })
  await world.later(12 * HOUR_MS)
  await expect.poll(() => world.states([dead])).toEqual(['broken'])
  expect(world.requested.filter((url) => url.includes('dead'))).toHaveLength(3)
})

test('failures do not count while no site answers', async () => {
  let isAway = false
  const world = await checking(() => (isAway ? { fault: 'no-host' } : OK))
  const ids = await world.save('https://a.example/', 'https://b.example/')
  await beginLinkCheck(world, {})
  await world.ended()
  isAway = true
  await world.later(HOUR_MS)
  await beginLinkCheck(world, {})
  await expect.poll(() => world.requested.length).toBeGreaterThan(3)
  await expect.poll(() => world.running.size).toBe(0)
  expect(await world.progress()).toMatchObject({ checked: 0 })
  isAway = false
  await world.later(60_000)
  await expect.poll(world.progress).toMatchObject({ checked: 2, failing: 0 })
  expect(await world.states(ids)).toEqual(['ok', 'ok'])
})

test('a library of dead links only is not mistaken for a missing network', async () => {
  const world = await checking(() => ({ fault: 'no-host' }))
  await world.save(...Array.from({ length: 6 }, (_, index) => `https://dead${index}.example/`))
  await beginLinkCheck(world, {})
  await expect.poll(world.progress).toMatchObject({ checked: 6, failing: 6 })
})

test('a check continues after a restart, without checked links', async () => {
  let hangs = false
  const world = await checking((url) => (hangs && url.includes('b.') ? 'hang' : OK))
  hangs = true
  await world.save('https://a.example/', 'https://b.example/')
  await beginLinkCheck(world, {})
  await expect.poll(world.progress).toMatchObject({ checked: 1 })
  await expect.poll(() => world.running.size).toBe(1)
  await world.close()
  hangs = false
  world.restart()
  await expect.poll(world.progress).toMatchObject({ checked: 2, endedAt: expect.any(Number) })
  expect(world.requested.toSorted()).toEqual(['https://a.example/', 'https://b.example/', 'https://b.example/'])
})

test('a cancelled check requests nothing more, and another can begin', async () => {
  const world = await checking((url) => (url.includes('b.') ? OK : 'hang'))
  await world.save('https://a.example/', 'https://a.example/2')
  await beginLinkCheck(world, {})
  await expect.poll(() => world.running.size).toBe(1)
  await expect(beginLinkCheck(world, {})).rejects.toThrow('already')
  await world.library.cancelLinkCheck(world.clock.time)
  const dueInAMonth = () => world.library.dueLink(world.clock.time + 31 * DAY_MS, ['b.example'], false)
  await expect.poll(dueInAMonth).toMatchObject({ domain: 'a.example' })
  await world.save('https://b.example/')
  await beginLinkCheck(world, { domain: 'b.example' })
  await expect.poll(world.progress).toMatchObject({ checked: 1, endedAt: expect.any(Number) })
  expect(world.requested).toHaveLength(2)
})

test('a bug at one link is reported and delays no other link; a full disk is tried again', async () => {
  const world = await checking((url) => (url.includes('bug') ? new TypeError('a bug') : OK))
  const [bug = ''] = await world.save('https://bug.example/', 'https://a.example/')
  await beginLinkCheck(world, {})
  await expect.poll(world.progress).toMatchObject({ checked: 2, unclear: 1 })
  expect(await world.states([bug])).toEqual(['unclear'])
  world.fillDisk(true)
  await world.ended()
  await world.later(1000)
  await beginLinkCheck(world, { domain: 'a.example' })
  await expect.poll(() => world.errors.map((error) => (error as Error).message)).toEqual(['a bug', 'the disk is full'])
  world.fillDisk(false)
  await world.later(30_000)
  await expect.poll(world.progress).toMatchObject({ checked: 1, endedAt: expect.any(Number) })
})

test('each link is checked automatically about once a month, if nothing was saved and no page is waiting to be read', async () => {
  const world = await checking(() => OK)
  await world.saveRead('https://a.example/')
  await world.later(29 * DAY_MS)
  await world.later(DAY_MS / 2)
  expect(world.requested).toEqual([])
  await world.save('https://b.example/')
  await world.later(2 * DAY_MS)
  expect(await world.library.duePage(world.clock.time, [])).toMatchObject({ url: 'https://b.example/' })
  expect(world.requested).toEqual([])
  await world.saveRead('https://b.example/')
  await world.later(60_000)
  expect(world.requested).toEqual([])
  await world.later(HOUR_MS)
  await expect.poll(() => world.requested).toEqual(['https://a.example/'])
  await expect.poll(() => world.running.size).toBe(0)
  expect(await world.progress()).toBeUndefined()
  await world.later(2 * DAY_MS)
  expect(world.requested).toHaveLength(1)
})
