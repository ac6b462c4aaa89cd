import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createDescribing } from '../../../src-main/actions/background/describing.ts'
import { searchBookmarks } from '../../../src-main/actions/bookmarks/search-bookmarks.ts'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { PageDetails, PageReading } from '../../../src-main/contract/page-details.ts'
import type { Web } from '../../../src-main/contract/ports.ts'
import { Problem } from '../../../src-main/contract/problem.ts'
import { everything, link, PRIVATE, START, testPorts } from '../ports.ts'

const SAID: PageDetails = {
  kind: 'page',
  title: '',
  description: '',
  siteName: '',
  canonicalUrl: null,
  language: null,
  publishedAt: null,
  text: '',
  layout: null,
  icon: null,
  preview: null
}

const said = (title: string, more: Partial<PageDetails> = {}): PageReading => ({ details: { ...SAID, title, ...more } })
const MINUTE = 60_000

/** Describes bookmarks from a web that answers as the test says; what hangs is let go when it is aborted. */
async function describing(answer: (url: string) => PageReading | 'hang' | Error, connected = () => true) {
  const open = await testPorts()
  const { library, changes } = open
  const asked: string[] = []
  const running = new Set<string>()
  let most = 0
  const web: Web = {
    async readPage(url, signal) {
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
        return reading as PageReading
      } finally {
        running.delete(url)
      }
    },
    readPicture: async () => null,
    checkLink: async () => ({ movedTo: null }),
    isConnected: connected,
    close: async () => {}
  }
  const errors: unknown[] = []
  let full = false
  const saveDetails: typeof library.saveDetails = async (...args) => {
    if (full) throw new Problem('disk-full', 'The disk is full.')
    if (args[1].title === 'poison') throw new Error('a bug in keeping')
    return library.saveDetails(...args)
  }
  const ports = { ...open, library: { ...library, saveDetails }, web }
  function start() {
    const describing = createDescribing(ports, changes, (error) => errors.push(error))
    describing.start()
    return describing
  }
  let describing = start()
  onTestFinished(() => describing.close())
  return {
    ...ports,
    asked,
    errors,
    running,
    fillDisk: (now: boolean) => {
      full = now
    },
    most: () => most,
    end: () => describing.close(),
    restart() {
      describing = start()
    },
    save: (...urls: string[]) =>
      library.saveBookmarks(
        { ...PRIVATE, savedAt: open.clock.time },
        urls.map((url) => link(url))
      ),
    /** Moves the clock on and lets the queue see it. */
    async later(milliseconds: number) {
      open.clock.time += milliseconds
      await library.writeSettings({ fetchDetails: true })
    },
    titles: async () => (await everything({ library: open.library })).map(({ title }) => title).sort()
  }
}

test('what is saved is described by itself', async () => {
  const world = await describing((url) => said(`Title of ${url}`, { text: 'a flamingo in the text' }))
  await world.save('https://a.example/1', 'https://b.example/2')
  await expect.poll(world.titles).toEqual(['Title of https://a.example/1', 'Title of https://b.example/2'])
  const { bookmarks } = await searchBookmarks(world, PROFILE, { words: 'flamingo', page: 1, limit: 5 })
  expect(bookmarks.map(({ snippet }) => snippet)).toEqual(['a flamingo in the text', 'a flamingo in the text'])
})

test('what is imported is described as soon as it is indexed', async () => {
  const world = await describing((url) => said(`Title of ${url}`))
  const list = 'https://a.example/1\nhttps://b.example/2\n'
  await importLibrary(world, PROFILE, Readable.from([Buffer.from(list)]), { format: 'urls' })
  await expect.poll(world.titles).toEqual(['Title of https://a.example/1', 'Title of https://b.example/2'])
})

test('four are read at once, and one of a site', async () => {
  const world = await describing(() => 'hang')
  await world.save(...Array.from({ length: 40 }, (_, index) => `https://site${index % 8}.example/${index}`))
  await expect.poll(() => world.running.size).toBe(4)
  expect(world.most()).toBe(4)
  expect(new Set(world.asked.map((url) => new URL(url).host)).size).toBe(4)
})

test('a site has a rest after each of its pages, in which others have their turn', async () => {
  const world = await describing((url) => said(url))
  await world.save('https://b.example/', 'https://a.example/1', 'https://a.example/2', 'https://a.example/3')
  const described = async () => (await world.titles()).filter((title) => title !== '').length
  await expect.poll(described).toBe(2)
  expect(world.asked).toEqual(['https://a.example/3', 'https://b.example/'])
  await world.later(1000)
  await expect.poll(described).toBe(3)
  await world.later(1000)
  await expect.poll(described).toBe(4)
})

test('nothing is asked while it is off, or there is no network; what is under way is given up', async () => {
  let connected = false
  const world = await describing(
    () => 'hang',
    () => connected
  )
  await world.save('https://a.example/')
  expect(world.asked).toEqual([])
  connected = true
  await world.later(1)
  await expect.poll(() => world.running.size).toBe(1)
  await world.library.writeSettings({ fetchDetails: false })
  await expect.poll(() => world.running.size).toBe(0)
  await world.save('https://b.example/')
  expect(world.asked).toHaveLength(1)
  await world.later(1)
  await expect.poll(() => world.running.size).toBe(2)
})

test('what may do better is tried again, later each time, and given up in the end', async () => {
  const world = await describing(() => ({ fault: 'busy', again: true }))
  const [saved] = await world.save('https://a.example/an-old-story')
  const page = () => world.library.findPage(saved?.id ?? '')
  const waits: number[] = []
  for (let attempt = 1; attempt <= 5; attempt++) {
    await expect.poll(async () => (await page())?.attempts).toBe(attempt)
    const due = (await page())?.due ?? 0
    waits.push((due - world.clock.time) / MINUTE)
    await world.later(due - world.clock.time)
  }
  await expect.poll(page).toMatchObject({ state: 'failed', fault: 'busy', due: null })
  expect(waits).toEqual([1, 10, 60, 360, 1440])
  expect(world.asked).toHaveLength(6)
  expect(await world.titles()).toEqual(['An old story'])
})

test('a site that asks for patience gets it, within a day', async () => {
  const world = await describing((url) => ({
    fault: 'busy',
    again: true,
    wait: url.includes('a.') ? 5 * MINUTE : 1e12
  }))
  const saved = await world.save('https://a.example/', 'https://b.example/')
  const waits = async () => {
    const pages = await Promise.all(saved.map(({ id }) => world.library.findPage(id)))
    return pages.map((page) => ((page?.due ?? 0) - START) / MINUTE)
  }
  await expect.poll(waits).toEqual([5, 1440])
})

test('a page behind a wall is named after its address at once, and asked for twice more', async () => {
  const world = await describing(() => ({ fault: 'wall', again: true }))
  const [saved] = await world.save('https://a.example/blog/how-to-peel-a-mango.html')
  const page = () => world.library.findPage(saved?.id ?? '')
  const waits: number[] = []
  for (let attempt = 1; attempt <= 2; attempt++) {
    await expect.poll(async () => (await page())?.attempts).toBe(attempt)
    expect(await world.titles()).toEqual(['How to peel a mango'])
    const due = (await page())?.due ?? 0
    waits.push((due - world.clock.time) / MINUTE)
    await world.later(due - world.clock.time)
  }
  await expect.poll(page).toMatchObject({ state: 'failed', fault: 'wall', due: null })
  expect(waits).toEqual([360, 1440])
  expect(world.asked).toHaveLength(3)
})

test.for(['wall', 'busy'] as const)(
  'a page that is first a %s is named after its address, and later by itself',
  async (fault) => {
    let closed = true
    const world = await describing(() => (closed ? { fault, again: true } : said('Mangoes, peeled')))
    await world.save('https://a.example/blog/how-to-peel-a-mango.html')
    await expect.poll(world.titles).toEqual(['How to peel a mango'])
    closed = false
    await world.later(360 * MINUTE)
    await expect.poll(world.titles).toEqual(['Mangoes, peeled'])
  }
)

test('without a network nothing is given up: it goes on where it was once somebody is reached', async () => {
  let away = true
  const world = await describing((url) => (away ? { fault: 'unreachable', again: true } : said(`Read ${url}`)))
  const urls = Array.from({ length: 12 }, (_, index) => `https://site${index}.example/`)
  const saved = await world.save(...urls)
  const asMinutesPass = async <T>(read: () => T) => {
    await world.later(MINUTE)
    return read()
  }
  await expect.poll(() => asMinutesPass(() => world.asked.length)).toBeGreaterThan(20)
  // Some of the first few counted, before it was clear that it is not they.
  const attempts = await Promise.all(saved.map(async ({ id }) => (await world.library.findPage(id))?.attempts ?? 0))
  expect(Math.max(...attempts)).toBeLessThanOrEqual(1)
  // One a minute, after those that were under way when it was noticed.
  expect(world.asked.length).toBeLessThan((world.clock.time - START) / MINUTE + 6)
  away = false
  await expect.poll(() => asMinutesPass(world.titles)).toEqual(urls.map((url) => `Read ${url}`).sort())
})

test('what was under way when it ended is read the next time, and nothing twice', async () => {
  let hangs = false
  const world = await describing((url) => (hangs ? 'hang' : said(url)))
  await world.save('https://a.example/')
  await expect.poll(world.titles).toEqual(['https://a.example/'])
  hangs = true
  await world.save('https://b.example/')
  await expect.poll(() => world.running.size).toBe(1)
  await world.end()
  hangs = false
  world.restart()
  await expect.poll(world.titles).toEqual(['https://a.example/', 'https://b.example/'])
  expect(world.asked).toEqual(['https://a.example/', 'https://b.example/', 'https://b.example/'])
})

test('a full disk is told, and tried again after a while', async () => {
  const world = await describing((url) => said(url))
  world.fillDisk(true)
  await world.save('https://a.example/')
  await expect.poll(() => world.errors).toEqual([expect.objectContaining({ code: 'disk-full' })])
  await world.save('https://b.example/')
  expect(world.asked).toHaveLength(1)
  world.fillDisk(false)
  await world.later(MINUTE)
  await expect.poll(world.titles).toEqual(['https://a.example/', 'https://b.example/'])
})

test('a page that Earmark itself fails at is told, and holds up no other', async () => {
  const world = await describing((url) => {
    if (url.includes('bug')) return new TypeError('a bug')
    return said(url.includes('poison') ? 'poison' : url)
  })
  const [bug, poison] = await world.save('https://bug.example/', 'https://poison.example/', 'https://a.example/')
  await expect.poll(world.titles).toEqual(['', '', 'https://a.example/'])
  const told = () => world.errors.map((error) => (error as Error).message).sort()
  await expect.poll(told).toEqual(['a bug', 'a bug in keeping'])
  const keptBack = () => world.library.findPage(poison?.id ?? '')
  await expect.poll(keptBack).toMatchObject({ state: 'waiting', fault: 'unreadable', attempts: 1 })
  expect(await world.library.findPage(bug?.id ?? '')).toMatchObject({
    state: 'waiting',
    fault: 'unreadable',
    attempts: 1
  })
})

test('icon and picture are kept and named', async () => {
  const world = await describing(() =>
    said('With pictures', { icon: new Uint8Array([1]), preview: new Uint8Array([2, 3]) })
  )
  await world.save('https://a.example/')
  await expect.poll(world.titles).toEqual(['With pictures'])
  const [{ icon, preview } = { icon: null, preview: null }] = await everything(world)
  expect(Buffer.from((await world.library.readPicture(icon ?? '')) ?? [])).toEqual(Buffer.from([1]))
  expect(Buffer.from((await world.library.readPicture(preview ?? '')) ?? [])).toEqual(Buffer.from([2, 3]))
})
