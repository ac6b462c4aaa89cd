import { expect, onTestFinished, test } from 'vitest'
import { createLinkChecks } from '../../../src-main/actions/background/link-checks.ts'
import { beginLinkCheck, linkCheckStatus } from '../../../src-main/actions/links/link-checks.ts'
import type { LinkReading, LinkRound } from '../../../src-main/contract/link-check.ts'
import type { Web } from '../../../src-main/contract/ports.ts'
import { link, PRIVATE, testPorts } from '../ports.ts'

const HERE: LinkReading = { movedTo: null }
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Checks links of a web that answers as the test says; what hangs is let go when it is aborted. */
async function checking(answer: (url: string) => LinkReading | 'hang' | Error, connected = () => true) {
  const open = await testPorts()
  const { library, changes } = open
  const asked: string[] = []
  const running = new Set<string>()
  let most = 0
  const web: Web = {
    readPage: async () => ({ fault: 'unreadable', again: false }),
    readPicture: async () => null,
    async checkLink(url, signal) {
      asked.push(url)
      running.add(url)
      most = Math.max(most, running.size)
      try {
        const reading = answer(url)
        if (reading instanceof Error) throw reading
        await new Promise<void>((resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
          if (reading !== 'hang') setImmediate(resolve)
        })
        return reading as LinkReading
      } finally {
        running.delete(url)
      }
    },
    isConnected: connected,
    close: async () => {}
  }
  const errors: unknown[] = []
  let full = false
  const saveLink: typeof library.saveLink = async (...args) => {
    if (full) throw new Error('the disk is full')
    return library.saveLink(...args)
  }
  const ports = { ...open, library: { ...library, saveLink }, web }
  const create = () => createLinkChecks(ports, changes, (error) => errors.push(error))
  let checks = create()
  checks.start()
  onTestFinished(() => checks.close())
  return {
    ...ports,
    asked,
    errors,
    running,
    most: () => most,
    fillDisk: (now: boolean) => {
      full = now
    },
    close: () => checks.close(),
    restart() {
      checks = create()
      checks.start()
    },
    save: async (...urls: string[]) =>
      (
        await library.saveBookmarks(
          { ...PRIVATE, savedAt: open.clock.time },
          urls.map((url) => link(url))
        )
      ).map(({ id }) => id),
    /** Moves the clock on and lets the checks see it. */
    async later(milliseconds: number) {
      open.clock.time += milliseconds
      await library.writeSettings({ fetchDetails: true })
    },
    round: async (): Promise<LinkRound | undefined> => open.library.linkRound(),
    states: async (ids: string[]) => Promise.all(ids.map(async (id) => (await open.library.findLink(id))?.state))
  }
}

test('a check asks for every link once and says what it found', async () => {
  const world = await checking((url) =>
    url.includes('gone') ? { fault: 'gone' } : url.includes('old') ? { movedTo: 'https://new.example/x' } : HERE
  )
  const ids = await world.save('https://a.example/', 'https://gone.example/', 'https://old.example/x')
  await beginLinkCheck(world, {})
  await expect.poll(world.round).toMatchObject({ checked: 3, broken: 1, moved: 1, cancelled: false })
  await expect.poll(async () => (await world.round())?.endedAt).toBe(world.clock.time)
  expect(await world.states(ids)).toEqual(['ok', 'broken', 'moved'])
  expect(world.asked).toHaveLength(3)
})

test('only what was chosen is asked for: by words and filters, or one by one', async () => {
  const world = await checking(() => HERE)
  const [a = ''] = await world.save('https://a.example/rust', 'https://b.example/rust', 'https://c.example/zig')
  await beginLinkCheck(world, { words: 'rust', domain: 'b.example' })
  await expect.poll(async () => (await world.round())?.endedAt).not.toBeNull()
  expect(world.asked).toEqual(['https://b.example/rust'])
  await beginLinkCheck(world, { ids: [a, 'nobody'] })
  await expect.poll(async () => (await world.round())?.endedAt).not.toBeNull()
  expect(world.asked).toEqual(['https://b.example/rust', 'https://a.example/rust'])
})

test('nothing to check ends at once', async () => {
  const world = await checking(() => HERE)
  await beginLinkCheck(world, { tags: ['nobody has this'] })
  await expect.poll(world.round).toMatchObject({ endedAt: world.clock.time, total: 0, cancelled: false })
})

test('four are asked at once, one of a site, and a site has a rest', async () => {
  const world = await checking(() => 'hang')
  await world.save(...Array.from({ length: 40 }, (_, index) => `https://site${index % 8}.example/${index}`))
  await beginLinkCheck(world, {})
  await expect.poll(() => world.running.size).toBe(4)
  expect(world.most()).toBe(4)
  expect(new Set(world.asked.map((url) => new URL(url).host)).size).toBe(4)

  const other = await checking(() => HERE)
  await other.save('https://a.example/1', 'https://a.example/2')
  await beginLinkCheck(other, {})
  await expect.poll(other.round).toMatchObject({ total: 2, checked: 1 })
  expect(other.asked).toHaveLength(1)
  await other.later(1000)
  await expect.poll(other.round).toMatchObject({ checked: 2 })
})

test('nothing is asked while it is off, or there is no network, and it goes on where it was', async () => {
  let connected = false
  let hangs = true
  const world = await checking(
    () => (hangs ? 'hang' : HERE),
    () => connected
  )
  await world.save('https://a.example/')
  await beginLinkCheck(world, {})
  expect(await linkCheckStatus(world)).toMatchObject({ paused: 'offline', round: { endedAt: null } })
  connected = true
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
  await expect.poll(world.round).toMatchObject({ checked: 1 })
})

test('what failed is broken when it fails again much later, and not before', async () => {
  const world = await checking((url) => (url.includes('dead') ? { fault: 'no-host' } : HERE))
  const [dead = ''] = await world.save('https://dead.example/', 'https://a.example/')
  await beginLinkCheck(world, {})
  await expect.poll(world.round).toMatchObject({ checked: 2, failing: 1, broken: 0 })
  await world.later(HOUR)
  await beginLinkCheck(world, {})
  await expect.poll(world.round).toMatchObject({ checked: 2, failing: 1, broken: 0 })
  await world.later(12 * HOUR)
  await expect.poll(() => world.states([dead])).toEqual(['broken'])
  expect(world.asked.filter((url) => url.includes('dead'))).toHaveLength(3)
})

test('where nobody answers any more it is the network, and nothing counts until somebody does', async () => {
  let away = false
  const world = await checking(() => (away ? { fault: 'no-host' } : HERE))
  const ids = await world.save('https://a.example/', 'https://b.example/')
  await beginLinkCheck(world, {})
  await expect.poll(async () => (await world.round())?.endedAt).not.toBeNull()
  away = true
  await world.later(HOUR)
  await beginLinkCheck(world, {})
  await expect.poll(() => world.asked.length).toBeGreaterThan(3)
  await expect.poll(() => world.running.size).toBe(0)
  expect(await world.round()).toMatchObject({ checked: 0 })
  away = false
  await world.later(60_000)
  await expect.poll(world.round).toMatchObject({ checked: 2, failing: 0 })
  expect(await world.states(ids)).toEqual(['ok', 'ok'])
})

test('a library of dead links alone is not taken for one without a network', async () => {
  const world = await checking(() => ({ fault: 'no-host' }))
  await world.save(...Array.from({ length: 6 }, (_, index) => `https://dead${index}.example/`))
  await beginLinkCheck(world, {})
  await expect.poll(world.round).toMatchObject({ checked: 6, failing: 6 })
})

test('a check goes on after the process ended, and asks nothing twice', async () => {
  let hangs = false
  const world = await checking((url) => (hangs && url.includes('b.') ? 'hang' : HERE))
  hangs = true
  await world.save('https://a.example/', 'https://b.example/')
  await beginLinkCheck(world, {})
  await expect.poll(world.round).toMatchObject({ checked: 1 })
  await expect.poll(() => world.running.size).toBe(1)
  await world.close()
  hangs = false
  world.restart()
  await expect.poll(world.round).toMatchObject({ checked: 2, endedAt: expect.any(Number) })
  expect(world.asked.toSorted()).toEqual(['https://a.example/', 'https://b.example/', 'https://b.example/'])
})

test('a stopped check asks for nothing more, and another can begin', async () => {
  const world = await checking((url) => (url.includes('b.') ? HERE : 'hang'))
  await world.save('https://a.example/', 'https://a.example/2')
  await beginLinkCheck(world, {})
  await expect.poll(() => world.running.size).toBe(1)
  await expect(beginLinkCheck(world, {})).rejects.toThrow('already')
  await world.library.endLinkRound(world.clock.time, true)
  await world.save('https://b.example/')
  await beginLinkCheck(world, { domain: 'b.example' })
  await expect.poll(world.round).toMatchObject({ checked: 1, endedAt: expect.any(Number) })
  expect(world.asked).toHaveLength(2)
})

test('what Earmark itself fails at is told and holds up no other; a full disk is tried again', async () => {
  const world = await checking((url) => (url.includes('bug') ? new TypeError('a bug') : HERE))
  const [bug = ''] = await world.save('https://bug.example/', 'https://a.example/')
  await beginLinkCheck(world, {})
  await expect.poll(world.round).toMatchObject({ checked: 2, unclear: 1 })
  expect(await world.states([bug])).toEqual(['unclear'])
  world.fillDisk(true)
  await expect.poll(async () => (await world.round())?.endedAt).not.toBeNull()
  await world.later(1000)
  await beginLinkCheck(world, { domain: 'a.example' })
  await expect.poll(() => world.errors.map((error) => (error as Error).message)).toEqual(['a bug', 'the disk is full'])
  world.fillDisk(false)
  await world.later(30_000)
  await expect.poll(world.round).toMatchObject({ checked: 1, endedAt: expect.any(Number) })
})

test('by itself it looks at each link about once a month, when there is nothing else to do', async () => {
  const world = await checking(() => HERE)
  const [a = ''] = await world.save('https://a.example/')
  const page = { id: a, url: 'https://a.example/', domain: 'a.example', attempts: 0 }
  await world.library.saveFailure(page, { fault: 'wall', title: '', due: null, attempts: 1 }, world.clock.time)
  await world.later(29 * DAY)
  await expect.poll(world.round).toMatchObject({ asked: false, total: 0, endedAt: expect.any(Number) })
  expect(world.asked).toEqual([])
  await world.save('https://b.example/')
  await world.later(2 * DAY)
  await expect.poll(() => world.library.duePage(world.clock.time, [])).toMatchObject({ url: 'https://b.example/' })
  expect(world.asked).toEqual([])
  const [b = ''] = await world.save('https://b.example/')
  const other = { id: b, url: 'https://b.example/', domain: 'b.example', attempts: 0 }
  await world.library.saveFailure(other, { fault: 'wall', title: '', due: null, attempts: 1 }, world.clock.time)
  await world.later(HOUR)
  await expect.poll(() => world.asked).toEqual(['https://a.example/'])
  await expect.poll(world.round).toMatchObject({ asked: false, total: 1, checked: 1, endedAt: expect.any(Number) })
  await world.later(2 * DAY)
  await expect.poll(world.round).toMatchObject({ total: 0, endedAt: expect.any(Number) })
  expect(world.asked).toHaveLength(1)
})
