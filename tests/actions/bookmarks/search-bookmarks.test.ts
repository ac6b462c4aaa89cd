import { describe, expect, test } from 'vitest'
import { changeBookmarks } from '../../../src-main/actions/bookmarks/change-bookmarks.ts'
import { walkOf } from '../../../src-main/actions/bookmarks/filter-of.ts'
import { searchBookmarks } from '../../../src-main/actions/bookmarks/search-bookmarks.ts'
import type { BookmarkDraft, BookmarkQuery } from '../../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { Ports } from '../../../src-main/contract/ports.ts'
import { packDrafts } from '../../../src-main/core/packed-drafts.ts'
import { search } from '../../../src-main/mcp/tools/search.ts'
import type { Manner } from '../../../src-main/mcp/tools/tool.ts'
import { link, PRIVATE, quickPorts, START, sharedPorts, testPorts } from '../ports.ts'

const REACT = link('https://react.dev/learn', { title: 'Learn React', tags: ['frontend', 'docs'] })
const VITE = link('https://vite.dev/guide', { title: 'Vite guide', tags: ['frontend', 'build'] })
const RED: BookmarkDraft = {
  ...link('https://unused.example'),
  type: 'color',
  pageKey: null,
  url: null,
  domain: null,
  title: 'Warm red',
  content: '#d33f49'
}

const shared = sharedPorts([REACT, VITE, RED])

describe('a page of a search', () => {
  test('without words holds the newest first', async () => {
    expect(await titles({})).toEqual(['Warm red', 'Vite guide', 'Learn React'])
  })

  test.each([
    [{ words: 'react' }, ['Learn React']],
    [{ words: 'guide' }, ['Vite guide']],
    [{ tags: ['frontend'] }, ['Vite guide', 'Learn React']],
    [{ tags: ['FrontEnd', 'docs'] }, ['Learn React']],
    [{ domain: 'https://www.vite.dev/else' }, ['Vite guide']],
    [{ type: 'color' }, ['Warm red']],
    [{ visibility: 'public' }, []],
    [{ words: 'react', tags: ['build'] }, []],
    [{ words: 'nothing of this' }, []]
  ] satisfies [Partial<BookmarkQuery>, string[]][])('for %o holds %j', async (query, expected) => {
    expect(await titles(query)).toEqual(expected)
  })

  test('says there are more, up to the last', async () => {
    const ports = await portsWith(numbered(5))
    const more = async (page: number) => (await searchBookmarks(ports, PROFILE, { page, limit: 2 })).hasMore
    expect([await more(1), await more(2), await more(3), await more(4)]).toEqual([true, true, false, false])
  })

  test('past the end is empty and still knows the total', async () => {
    const ports = await portsWith(numbered(5))
    const result = await searchBookmarks(ports, PROFILE, { page: 1_000_000, limit: 100 })
    expect(result).toMatchObject({ total: 5, atLeast: false, hasMore: false, bookmarks: [] })
    expect(result.hint).toBe('Page 1000000 is past the end: there is one page.')
  })

  test('shows every bookmark once when all pages are read', async () => {
    const ports = await portsWith(numbered(23))
    const seen: string[] = []
    for (let page = 1; page <= 5; page++) {
      const { bookmarks } = await searchBookmarks(ports, PROFILE, { words: 'numbered', page, limit: 5 })
      seen.push(...bookmarks.map(({ title }) => title))
    }
    expect(new Set(seen).size).toBe(23)
    expect(seen).toHaveLength(23)
  })

  test('beyond the counted total says at least, and goes on to the very end', async () => {
    const ports = await portsWith(numbered(1103))
    const first = await searchBookmarks(ports, PROFILE, { page: 1, limit: 100 })
    expect(first).toMatchObject({ atLeast: true, hasMore: true })
    const last = await searchBookmarks(ports, PROFILE, { page: 12, limit: 100 })
    expect(last).toMatchObject({ atLeast: true, hasMore: false })
    expect(last.bookmarks).toHaveLength(3)
  })
})

describe('a hint', () => {
  test.each([
    [{ tags: ['docs', 'build'] }, 'tags “docs” and “build”', '3 bookmarks match'],
    [{ words: 'react', domain: 'vite.dev' }, 'domain “vite.dev”', '1 bookmark matches'],
    [{ words: 'react domain:vite.dev' }, 'domain “vite.dev”', '1 bookmark matches'],
    [{ words: 'react', type: 'color' }, 'type “color”', '1 bookmark matches'],
    [{ words: 'guide', visibility: 'public' }, 'visibility “public”', '1 bookmark matches'],
    [{ words: 'react before:2001' }, 'before:2001-01-01', '1 bookmark matches'],
    [{ words: 'react hoks', type: 'color' }, 'type “color”', '1 bookmark matches in part'],
    [{ words: 'react', tags: ['docs'], type: 'image' }, 'type “image”', '1 bookmark matches']
  ] satisfies [Partial<BookmarkQuery>, string, string][])('for %o names %s', async (query, filter, count) => {
    const { hint } = await searchBookmarks(shared(), PROFILE, { page: 1, limit: 5, ...query })
    expect(hint).toContain(`with ${filter};`)
    expect(hint).toContain(count)
  })

  test('is not given where something was found', async () => {
    expect(await searchBookmarks(shared(), PROFILE, { words: 'react', page: 1, limit: 5 })).toMatchObject({
      hint: undefined
    })
  })

  test.each([
    [{ tags: ['frontent'] }, 'No bookmark has the tag “frontent”; the nearest there is: “frontend”.'],
    [{ words: 'tag:front' }, 'No bookmark has the tag “front”; the nearest there is: “frontend”.'],
    [{ tags: ['nobody'] }, 'No bookmark has the tag “nobody”.'],
    [{ tags: ['docs'], page: 2 }, 'Page 2 is past the end: there is one page.'],
    [{ words: 'absent' }, 'No bookmark has “absent”.'],
    [
      { words: '"react learn"' },
      'No bookmark has “react learn” as a phrase; showing those with its words, nearest together first.'
    ],
    [
      { words: 'react', domain: 'vite.dev', type: 'color' },
      'Nothing matches with these filters together; without them 1 bookmark matches.'
    ],
    [{ words: 'type:video react' }, 'There is no type “video”. Types: link, image, color, text.']
  ] satisfies [Partial<BookmarkQuery>, string][])('for %o says: %s', async (query, said) => {
    const { hint } = await searchBookmarks(shared(), PROFILE, { page: 1, limit: 5, ...query })
    expect(hint).toContain(said)
  })

  test('of an empty library says that it is empty', async () => {
    const { hint } = await searchBookmarks(await portsWith([]), PROFILE, { words: 'react', page: 1, limit: 5 })
    expect(hint).toBe('There are no bookmarks yet.')
  })
})

describe('a snippet', () => {
  const deep = `${'Filler words stand here. '.repeat(16)}The zebra crossed.`

  test('shows the match where the description is cut before it', async () => {
    const [found] = await find([link('https://a.example/', { title: 'Animals', description: deep })], 'zebra')
    expect(found?.snippet).toContain('The zebra crossed.')
    expect(found?.snippet?.length).toBeLessThanOrEqual(160)
  })

  test('shows the match in a text’s content where it is not shown', async () => {
    const [found] = await find([{ ...RED, type: 'text', title: 'Notes', content: deep }], 'zebra')
    expect(found?.snippet).toContain('zebra')
  })

  test.each([
    ['title', link('https://a.example/', { title: 'A zebra', description: deep })],
    ['address', link('https://a.example/zebra', { description: deep })],
    ['shown description', link('https://a.example/', { description: `A zebra. ${deep}` })]
  ])('is left out where the match is visible in the %s', async (_, draft) => {
    const [found] = await find([draft], 'zebra')
    expect(found).toBeDefined()
    expect(found).not.toHaveProperty('snippet')
  })

  test('is left out where the match is visible because a text’s content stands for its description', async () => {
    const [found] = await find([{ ...RED, type: 'text', title: 'Notes', content: 'A zebra' }], 'zebra')
    expect(found).toMatchObject({ description: 'A zebra' })
    expect(found).not.toHaveProperty('snippet')
  })

  test('is given where the cut goes through the match', async () => {
    const description = `${'x'.repeat(295)}zebra and much more`.replace('xzebra', ' zebra')
    const [found] = await find([link('https://a.example/', { description })], 'zebra')
    expect(found?.description).not.toContain('zebra')
    expect(found?.snippet).toContain('zebra')
  })

  test('is left out where nothing was searched for', async () => {
    const [found] = await find([link('https://a.example/', { description: deep })], undefined)
    expect(found).not.toHaveProperty('snippet')
  })
})

describe('the tool', () => {
  test('shows a plain caller every field of a bookmark, and leaves out for a model what says nothing', async () => {
    const ports = await portsWith([link('https://a.example/')])
    const counts = { total: 1, page: 1, limit: 5, hasMore: false }
    const id = expect.stringMatching(/^[\w-]{16}$/)
    const said = { id, type: 'link', url: 'https://a.example/', createdAt: new Date(START).toISOString() }
    const silent = { title: '', description: '', tags: [], visibility: 'private', domain: 'a.example' }
    expect(await run(ports, {})).toEqual({ ...counts, bookmarks: [{ ...said, ...silent }] })
    expect(await run(ports, {}, 'mcp')).toEqual({ ...counts, bookmarks: [said] })
    expect(await run(ports, { search: 'absent' })).toEqual({
      total: 0,
      page: 1,
      limit: 5,
      hasMore: false,
      hint: 'No bookmark has “absent”.',
      bookmarks: []
    })
  })

  test('cuts a description at 300 characters and says so by an ellipsis', async () => {
    const ports = await portsWith([
      link('https://a.example/', { title: 'long', description: 'd'.repeat(301) }),
      link('https://b.example/', { title: 'fits', description: 'd'.repeat(300) })
    ])
    const { bookmarks } = await run(ports, {})
    expect(bookmarks).toMatchObject([
      { title: 'fits', description: 'd'.repeat(300) },
      { title: 'long', description: `${'d'.repeat(299)}…` }
    ])
  })

  test('never cuts a character in half', async () => {
    const ports = await portsWith([link('https://a.example/', { description: `${'d'.repeat(298)}😀😀` })])
    const { bookmarks } = await run(ports, {})
    expect(bookmarks[0].description).toBe(`${'d'.repeat(298)}…`)
  })

  test('answers a model with less than 30,000 characters, and says that the page was cut short', async () => {
    const ports = await portsWith(heavy(100))
    const text = await runText(ports, { limit: 100 }, 'mcp')
    expect(text.length).toBeLessThan(30_000)
    const payload = JSON.parse(text)
    expect(payload).toMatchObject({ total: 100, truncated: true, hint: expect.stringContaining('smaller limit') })
    expect(payload.bookmarks.length).toBeGreaterThan(0)
    expect(payload.bookmarks.length).toBeLessThan(100)
    expect(await run(ports, { limit: 10 }, 'mcp')).not.toHaveProperty('truncated')
  })

  test('gives a plain caller as many bookmarks as it asked for, whatever their length', async () => {
    const payload = await run(await portsWith(heavy(100)), { limit: 100 })
    expect(payload.bookmarks).toHaveLength(100)
    expect(payload).not.toHaveProperty('truncated')
  })

  test.each<[tags: string | string[], as: string]>([
    ['frontend, docs', '["frontend","docs"]'],
    ['["frontend","docs"]', '["frontend","docs"]'],
    [['frontend,docs'], '["frontend","docs"]'],
    ['#frontend,#docs,', '["frontend","docs"]'],
    ['#docs', '["docs"]']
  ])('reads the tags %j as they were meant, and says so', async (tags, as) => {
    const { total, hint } = await run(shared(), { tags })
    expect({ total, hint }).toEqual({ total: 1, hint: `tags were read as ${as}: send a list of plain names.` })
  })

  test('takes a tag with a comma for one where a bookmark has it', async () => {
    const ports = await portsWith([link('https://a.example/', { title: 'A', tags: ['paris, france'] }), REACT])
    expect(await run(ports, { tags: 'paris, france' })).toMatchObject({ total: 1, bookmarks: [{ title: 'A' }] })
  })

  test('finds what has one of several tags', async () => {
    expect(await titles({ words: 'tag:docs OR tag:build' })).toEqual(['Vite guide', 'Learn React'])
    expect(await titles({ words: 'tag:docs OR tag:unknown' })).toEqual(['Learn React'])
    expect(await titles({ words: 'tag:frontend tag:docs OR tag:unknown guide' })).toEqual([])
    expect(await run(shared(), { search: 'tag:nowhere OR tag:unknown' })).toMatchObject({
      hint: 'Nothing matches with tags “nowhere” or “unknown”; without it 3 bookmarks match.'
    })
  })

  test.each([
    ['an id alone', (id: string) => id, /^That is the id of a bookmark: search for id:[\w-]{16} to read it\.$/],
    ['an id of nothing', () => 'abcdefghijklmnop', /^No bookmark has/],
    ['two ids', (id: string) => `id:${id} id:${id}`, /^Only one bookmark can be read at a time/],
    ['no id', () => 'id:nonsense', /^That is not an id. An id has 16/]
  ])('answers %s with what to do', async (_, asked, hint) => {
    const [{ id }] = (await run(shared(), { search: 'react' })).bookmarks
    expect(await run(shared(), { search: asked(id) })).toMatchObject({
      hint: expect.stringMatching(hint),
      bookmarks: []
    })
  })

  test.each(['"', '""', '-', '*', '(', ')', 'a OR', 'OR', 'NEAR(', 'title:x', '-react', '\\', '\u0000', "'; --", '^x'])(
    'answers the words %j',
    async (words) => {
      expect(await run(shared(), { search: words })).toMatchObject({ total: expect.any(Number) })
    }
  )
})

test('the site or the tag that was meant is named', async () => {
  const ports = await portsWith([
    link('https://github.com/a', { title: 'A', tags: ['to read'] }),
    link('https://gist.github.com/b', { title: 'B', tags: ['work/client'] }),
    link('https://developer.mozilla.org/c', { title: 'Array - MDN' }),
    link('https://developer.mozilla.org/d', { title: 'Map - MDN' }),
    link('https://blog.example/e', { title: 'MDN and github' })
  ])
  const hintOf = async (args: object) => (await run(ports, args)).hint
  expect(await hintOf({ tags: 'to-read' })).toMatch(/the nearest there is: “to read”/)
  expect(await hintOf({ tags: 'client' })).toMatch(/the nearest there is: “work\/client”/)
  expect(await hintOf({ domain: 'github' })).toMatch(/the nearest there is: “github.com”/)
  expect(await hintOf({ domain: 'www.github.org' })).toMatch(/the nearest there is: “github.com”/)
  expect(await hintOf({ search: 'site:mdn' })).toMatch(/the nearest there is: “developer.mozilla.org”/)
  expect(await hintOf({ domain: 'unheard-of.example' })).toBe(
    'No bookmark has the domain “unheard-of.example”. Without it 5 bookmarks match.'
  )
})

test('words in other letters, and other forms of a compound’s end, find what they mean', async () => {
  const ports = await portsWith([
    link('https://a.example/', { title: 'Docker compose' }),
    link('https://b.example/', { title: 'Введение в Python' }),
    link('https://c.example/', { title: 'Self-hosted mail' })
  ])
  for (const [search, title, hint] of [
    ['докер', 'Docker compose', 'No bookmark has “докер”; searched for “docker”.'],
    ['vvedenie', 'Введение в Python', 'No bookmark has “vvedenie”; searched for “введение”.'],
    ['self-hosting', 'Self-hosted mail', undefined]
  ] as const) {
    const found = await run(ports, { search })
    expect(found.bookmarks[0]).toMatchObject({ title })
    if (hint) expect(found.hint).toBe(hint)
  }
})

describe('time in a question', () => {
  const day = (year: number, month: number, date: number) => new Date(year, month - 1, date, 12).getTime()

  async function library() {
    const ports = quickPorts()
    ports.clock.time = day(2026, 11, 24)
    await ports.library.saveBookmarks(PRIVATE, [
      link('https://a.example/1', { title: 'Herons at dusk', createdAt: day(2026, 10, 5) }),
      link('https://a.example/2', { title: 'Herons at dawn', createdAt: day(2026, 11, 23) }),
      link('https://a.example/3', { title: 'Last Week Tonight', createdAt: day(2024, 1, 1) }),
      link('https://a.example/4', { title: 'Otters of this year', createdAt: day(2024, 1, 1) })
    ])
    return Object.assign(find, { ports })

    async function find(words: string) {
      const { bookmarks, hint } = await searchBookmarks(ports, PROFILE, { words, page: 1, limit: 5 })
      return { titles: bookmarks.map(({ title }) => title), hint }
    }
  }

  test('is when bookmarks were saved, and the hint says how it was read', async () => {
    const find = await library()
    expect(await find('herons from last month')).toEqual({
      titles: ['Herons at dusk'],
      hint: '“last month” was read as time: saved from 2026-10-01 to 2026-10-31. Put it in quotes to search for the words.'
    })
    expect((await find('saved yesterday')).titles).toEqual(['Herons at dawn'])
    expect((await find('gestern gespeichert')).titles).toEqual(['Herons at dawn'])
  })

  test('is words where they are those of a title, or in quotes', async () => {
    const find = await library()
    expect(await find('last week tonight')).toEqual({ titles: ['Last Week Tonight'], hint: undefined })
    expect((await find('otters of this year')).titles).toEqual(['Otters of this year'])
    expect((await find('"this year"')).titles).toEqual(['Otters of this year'])
  })

  test('is words where nothing that was saved then has the rest', async () => {
    const find = await library()
    expect((await find('otters this year')).titles).toEqual(['Otters of this year'])
  })

  test('is read the same by what changes or exports all that a search shows', async () => {
    const { ports } = await library()
    const words = 'herons from last month'
    const listed = { words, typing: false, trash: false }
    const choice = await walkOf(ports, listed)
    expect(choice.words).toMatch(/^herons after:/)
    const report = await changeBookmarks(ports, { all: listed, except: [], change: { kind: 'delete' } })
    expect(report.changed).toBe(1)
    expect((await searchBookmarks(ports, PROFILE, { words: 'herons', page: 1, limit: 5 })).bookmarks).toMatchObject([
      { title: 'Herons at dawn' }
    ])
  })

  test('alone, where nothing was saved then, is said', async () => {
    const find = await library()
    expect(await find('today')).toEqual({
      titles: [],
      hint: expect.stringMatching(/^“today” was read as time: saved on 2026-11-24\. .*without it 4 bookmarks match\.$/)
    })
  })
})

async function portsWith(drafts: BookmarkDraft[]) {
  const ports = await testPorts()
  await ports.library.saveBookmarks(PRIVATE, drafts)
  return ports
}

async function titles(query: Partial<BookmarkQuery>): Promise<string[]> {
  const { bookmarks } = await searchBookmarks(shared(), PROFILE, { page: 1, limit: 5, ...query })
  return bookmarks.map(({ title }) => title)
}

/** Bookmarks as the tool shows them. */
async function find(drafts: BookmarkDraft[], words: string | undefined) {
  const { bookmarks } = await run(await portsWith(drafts), words === undefined ? {} : { search: words })
  return bookmarks as { description?: string; snippet?: string }[]
}

/** What the tool answers the owner. */
async function run(ports: Ports, args: object, manner?: Manner) {
  return JSON.parse(await runText(ports, args, manner))
}

async function runText(ports: Ports, args: object, manner?: Manner): Promise<string> {
  const prepared = search.prepare(args, manner)
  if ('fault' in prepared) throw new Error(prepared.fault)
  return (await prepared.run(ports, PROFILE)).text
}

function numbered(count: number): BookmarkDraft[] {
  return Array.from({ length: count }, (_, index) => link(`https://a.example/${index}`, { title: `numbered ${index}` }))
}

/** Bookmarks of about 1.5 kB each as the tool shows them. */
function heavy(count: number): BookmarkDraft[] {
  return Array.from({ length: count }, (_, index) =>
    link(`https://a.example/${index}`, { title: '語'.repeat(200), description: '語'.repeat(300) })
  )
}

test('until all of an import is indexed, a search for words says that some may be missing', async () => {
  const ports = quickPorts()
  const draft = { ...link('https://a.example/', { title: 'heron' }), ...PRIVATE, updatedAt: START, deletedAt: null }
  await ports.library.importBookmarks(await ports.library.beginImport(START), [packDrafts([draft])])
  const search = (words?: string) => searchBookmarks(ports, PROFILE, { ...(words && { words }), page: 1, limit: 5 })
  expect(await search('heron')).toMatchObject({ total: 0, hint: expect.stringContaining('still being prepared') })
  expect(await search()).toMatchObject({ hint: undefined })
  expect(await ports.library.indexSome()).toBe(1)
  expect(await search('heron')).toMatchObject({ total: 1 })
  expect(await search('heron')).toMatchObject({ hint: undefined })
})
