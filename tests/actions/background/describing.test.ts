import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createDescribing } from '../../../src-main/actions/background/describing.ts'
import { searchBookmarks } from '../../../src-main/actions/bookmarks/search-bookmarks.ts'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { PageDetails, PageReading } from '../../../src-main/contract/page-details.ts'
import { Problem } from '../../../src-main/contract/problem.ts'
import { everything, START } from '../ports.ts'
import { type Answer, workerOnWeb } from '../web-worker.ts'

const DETAILS: PageDetails = {
  kind: 'page',
  title: '',
  description: '',
  siteName: '',
  canonicalUrl: null,
  language: null,
  publishedAt: null,
  text: '',
  markdown: null,
  icon: null,
  preview: null
}
const MINUTE_MS = 60_000

function page(title: string, more: Partial<PageDetails> = {}): PageReading {
  return { details: { ...DETAILS, title, ...more } }
}

/** Describes bookmarks from a web of the test's. A page whose title is `poison` cannot be stored. */
async function describing(answer: (url: string) => Answer<PageReading>, isConnected = () => true) {
  let isFull = false
  const world = await workerOnWeb('readPage', answer, createDescribing, {
    isConnected,
    change: ({ saveDetails }) => ({
      async saveDetails(...args) {
        if (isFull) throw new Problem('disk-full', 'The disk is full.')
        if (args[1].title === 'poison') throw new Error('a bug in storing')
        return saveDetails(...args)
      }
    })
  })
  return {
    ...world,
    fillDisk: (full: boolean) => {
      isFull = full
    },
    titles: async () => (await everything(world)).map(({ title }) => title).sort(),
    pageOf: (id = '') => world.library.findStoredPage(id)
  }
}

test('a saved page is described automatically', async () => {
  const world = await describing((url) => page(`Title of ${url}`, { text: 'a flamingo in the text' }))
  await world.save('https://a.example/1', 'https://b.example/2')
  await expect.poll(world.titles).toEqual(['Title of https://a.example/1', 'Title of https://b.example/2'])
  const { bookmarks } = await searchBookmarks(world, PROFILE, { words: 'flamingo', page: 1, limit: 5 })
  expect(bookmarks.map(({ snippet }) => snippet)).toEqual(['a flamingo in the text', 'a flamingo in the text'])
})

test('an imported page is described as soon as it is indexed', async () => {
  const world = await describing((url) => page(`Title of ${url}`))
  const list = 'https://a.example/1\nhttps://b.example/2\n'
  await importLibrary(world, PROFILE, Readable.from([Buffer.from(list)]), { format: 'urls' })
  await expect.poll(world.titles).toEqual(['Title of https://a.example/1', 'Title of https://b.example/2'])
})

test('four pages are read at once, one of each site', async () => {
  const world = await describing(() => 'hang')
  await world.save(...Array.from({ length: 40 }, (_, index) => `https://site${index % 8}.example/${index}`))
  await expect.poll(() => world.running.size).toBe(4)
  expect(world.maxRunning()).toBe(4)
  expect(new Set(world.requested.map((url) => new URL(url).host)).size).toBe(4)
})

test('pages of a site are read at intervals, pages of other sites meanwhile', async () => {
  const world = await describing((url) => page(url))
  await world.save('https://b.example/', 'https://a.example/1', 'https://a.example/2', 'https://a.example/3')
  const described = async () => (await world.titles()).filter((title) => title !== '').length
  await expect.poll(described).toBe(2)
  expect(world.requested).toEqual(['https://a.example/3', 'https://b.example/'])
  await world.later(1000)
  await expect.poll(described).toBe(3)
  await world.later(1000)
  await expect.poll(described).toBe(4)
})

test('nothing is fetched while fetching is off or the network is missing, and running requests are aborted', async () => {
  let isConnected = false
  const world = await describing(
    () => 'hang',
    () => isConnected
  )
  await world.save('https://a.example/')
  expect(world.requested).toEqual([])
  isConnected = true
  await world.later(1)
  await expect.poll(() => world.running.size).toBe(1)
  await world.library.writeSettings({ fetchDetails: false })
  await expect.poll(() => world.running.size).toBe(0)
  await world.save('https://b.example/')
  expect(world.requested).toHaveLength(1)
  await world.later(1)
  await expect.poll(() => world.running.size).toBe(2)
})

test('a page that may recover is read again after longer and longer waits, and given up in the end', async () => {
  const world = await describing(() => ({ fault: 'busy', again: true }))
  const [id] = await world.save('https://a.example/an-old-story')
  const pageNow = () => world.pageOf(id)
  const waits: number[] = []
  for (let attempt = 1; attempt <= 5; attempt++) {
    await expect.poll(async () => (await pageNow())?.attempts).toBe(attempt)
    const due = (await pageNow())?.due ?? 0
    waits.push((due - world.clock.time) / MINUTE_MS)
    await world.later(due - world.clock.time)
  }
  await expect.poll(pageNow).toMatchObject({ state: 'failed', fault: 'busy', due: null })
  expect(waits).toEqual([1, 10, 60, 360, 1440])
  expect(world.requested).toHaveLength(6)
  expect(await world.titles()).toEqual(['An old story'])
})

test('a site’s own waiting time is respected, up to a day', async () => {
  const world = await describing((url) => ({
    fault: 'busy',
    again: true,
    wait: url.includes('a.') ? 5 * MINUTE_MS : 1e12
  }))
  const ids = await world.save('https://a.example/', 'https://b.example/')
  const waits = async () => {
    const pages = await Promise.all(ids.map(world.pageOf))
    return pages.map((page) => ((page?.due ?? 0) - START) / MINUTE_MS)
  }
  await expect.poll(waits).toEqual([5, 1440])
})

test('a page behind a wall is named after its address at once, and read twice more', async () => {
  const world = await describing(() => ({ fault: 'wall', again: true }))
  const [id] = await world.save('https://a.example/blog/how-to-peel-a-mango.html')
  const pageNow = () => world.pageOf(id)
  const waits: number[] = []
  for (let attempt = 1; attempt <= 2; attempt++) {
    await expect.poll(async () => (await pageNow())?.attempts).toBe(attempt)
    expect(await world.titles()).toEqual(['How to peel a mango'])
    const due = (await pageNow())?.due ?? 0
    waits.push((due - world.clock.time) / MINUTE_MS)
    await world.later(due - world.clock.time)
  }
  await expect.poll(pageNow).toMatchObject({ state: 'failed', fault: 'wall', due: null })
  expect(waits).toEqual([360, 1440])
  expect(world.requested).toHaveLength(3)
})

test.for(['wall', 'busy'] as const)(
  'a page with the fault %s is named after its address, and later after its title',
  async (fault) => {
    let isClosed = true
    const world = await describing(() => (isClosed ? { fault, again: true } : page('Mangoes, peeled')))
    await world.save('https://a.example/blog/how-to-peel-a-mango.html')
    await expect.poll(world.titles).toEqual(['How to peel a mango'])
    isClosed = false
    await world.later(360 * MINUTE_MS)
    await expect.poll(world.titles).toEqual(['Mangoes, peeled'])
  }
)

test('without a network no page is given up, and all are read when a site answers again', async () => {
  let isAway = true
  const world = await describing((url) => (isAway ? { fault: 'unreachable', again: true } : page(`Read ${url}`)))
  const urls = Array.from({ length: 12 }, (_, index) => `https://site${index}.example/`)
  const ids = await world.save(...urls)
  const asMinutesPass = async <T>(read: () => T) => {
    await world.later(MINUTE_MS)
    return read()
  }
  await expect.poll(() => asMinutesPass(() => world.requested.length)).toBeGreaterThan(20)
  // A few attempts counted before the missing network was noticed.
  const attempts = await Promise.all(ids.map(async (id) => (await world.pageOf(id))?.attempts ?? 0))
  expect(Math.max(...attempts)).toBeLessThanOrEqual(1)
  // One request a minute, after those that were running when it was noticed.
  expect(world.requested.length).toBeLessThan((world.clock.time - START) / MINUTE_MS + 6)
  isAway = false
  await expect.poll(() => asMinutesPass(world.titles)).toEqual(urls.map((url) => `Read ${url}`).sort())
})

test('a page that was being read at the end is read after the restart, the others are not', async () => {
  let hangs = false
  const world = await describing((url) => (hangs ? 'hang' : page(url)))
  await world.save('https://a.example/')
  await expect.poll(world.titles).toEqual(['https://a.example/'])
  hangs = true
  await world.save('https://b.example/')
  await expect.poll(() => world.running.size).toBe(1)
  await world.close()
  hangs = false
  world.restart()
  await expect.poll(world.titles).toEqual(['https://a.example/', 'https://b.example/'])
  expect(world.requested).toEqual(['https://a.example/', 'https://b.example/', 'https://b.example/'])
})

test('a full disk is reported, and writing is tried again after a minute', async () => {
  const world = await describing((url) => page(url))
  world.fillDisk(true)
  await world.save('https://a.example/')
  await expect.poll(() => world.errors).toEqual([expect.objectContaining({ code: 'disk-full' })])
  await world.save('https://b.example/')
  expect(world.requested).toHaveLength(1)
  world.fillDisk(false)
  await world.later(MINUTE_MS)
  await expect.poll(world.titles).toEqual(['https://a.example/', 'https://b.example/'])
})

test('a bug at one page is reported and delays no other page', async () => {
  const world = await describing((url) => {
    if (url.includes('bug')) return new TypeError('a bug')
    return page(url.includes('poison') ? 'poison' : url)
  })
  const [bug, poison] = await world.save('https://bug.example/', 'https://poison.example/', 'https://a.example/')
  await expect.poll(world.titles).toEqual(['', '', 'https://a.example/'])
  const messages = () => world.errors.map((error) => (error as Error).message).sort()
  await expect.poll(messages).toEqual(['a bug', 'a bug in storing'])
  const waiting = { state: 'waiting', fault: 'unreadable', attempts: 1 }
  await expect.poll(() => world.pageOf(poison)).toMatchObject(waiting)
  expect(await world.pageOf(bug)).toMatchObject(waiting)
})

test('the icon and the preview are stored', async () => {
  const world = await describing(() =>
    page('With pictures', { icon: new Uint8Array([1]), preview: new Uint8Array([2, 3]) })
  )
  await world.save('https://a.example/')
  await expect.poll(world.titles).toEqual(['With pictures'])
  const [{ icon, preview } = { icon: null, preview: null }] = await everything(world)
  expect(Buffer.from((await world.library.readPicture(icon ?? '')) ?? [])).toEqual(Buffer.from([1]))
  expect(Buffer.from((await world.library.readPicture(preview ?? '')) ?? [])).toEqual(Buffer.from([2, 3]))
})
