import { describe, expect, test } from 'vitest'
import { changeBookmarks } from '../../../src-main/actions/bookmarks/change-bookmarks.ts'
import { searchBookmarks, walkOf } from '../../../src-main/actions/bookmarks/search-bookmarks.ts'
import type { Ports } from '../../../src-main/actions/ports.ts'
import type { BookmarkDraft, BookmarkQuery } from '../../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
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
  test('has the bookmarks that match, the newest first if there are no words', async () => {
    expect(await titles({})).toEqual(['Warm red', 'Vite guide', 'Learn React'])
    expect(await titles({ words: 'guide', tags: ['FrontEnd'], domain: 'https://www.vite.dev/else' })).toEqual([
      'Vite guide'
    ])
    expect(await titles({ words: 'react', tags: ['build'] })).toEqual([])
  })

  test('reports more pages up to the last, and the total on all', async () => {
    const pages = [1, 2, 3].map((page) => searchBookmarks(shared(), PROFILE, { page, limit: 2 }))
    expect(await Promise.all(pages)).toMatchObject([
      { total: 3, hasMore: true, hint: undefined, bookmarks: [{}, {}] },
      { total: 3, hasMore: false, bookmarks: [{}] },
      { total: 3, hasMore: false, hint: 'Page 3 is past the end: there are 2 pages.', bookmarks: [] }
    ])
  })

  test('beyond the counted total has a lower bound for it, up to the last bookmark', async () => {
    const numbered = Array.from({ length: 1103 }, (_, index) => link(`https://a.example/${index}`))
    const ports = await portsWith(numbered)
    const first = await searchBookmarks(ports, PROFILE, { page: 1, limit: 100 })
    expect(first).toMatchObject({ atLeast: true, hasMore: true })
    const last = await searchBookmarks(ports, PROFILE, { page: 12, limit: 100 })
    expect(last).toMatchObject({ atLeast: true, hasMore: false })
    expect(last.bookmarks).toHaveLength(3)
  })
})

describe('a hint', () => {
  test.each([
    [{ words: 'react domain:vite.dev' }, 'with domain “vite.dev”; without it 1 bookmark matches'],
    [{ words: 'react hoks', type: 'color' }, 'with type “color”; without it 1 bookmark matches in part'],
    [{ words: 'tag:nowhere OR tag:unknown' }, 'with tags “nowhere” or “unknown”; without it 3 bookmarks match.'],
    [
      { tags: ['frontent'] },
      'No bookmark has the tag “frontent”; the nearest tag is “frontend”, with which 2 bookmarks match.'
    ],
    [{ tags: ['nobody'] }, 'No bookmark has the tag “nobody”.'],
    [{ words: 'absent' }, 'No bookmark has “absent”.'],
    [{ words: '"react learn"' }, 'No bookmark has “react learn” as a phrase; showing those with its words'],
    [{ words: 'type:video react' }, 'There is no type “video”; it was left out. Types: link, image, color, text.']
  ] satisfies [Partial<BookmarkQuery>, string][])('for %o is: %s', async (query, hint) => {
    const found = await searchBookmarks(shared(), PROFILE, { page: 1, limit: 5, ...query })
    expect(found.hint).toContain(hint)
  })

  test('for an empty library is that it is empty', async () => {
    const { hint } = await searchBookmarks(quickPorts(), PROFILE, { words: 'react', page: 1, limit: 5 })
    expect(hint).toBe('There are no bookmarks yet.')
  })
})

test.for([
  ['react but not the official one', ['react']],
  ['tag:x "react learn" -vue (hooks OR state)', ['react', 'learn', 'hooks', 'state']],
  ['react last month', ['react']]
] as const)('the words to mark of %s are %j', async ([words, marked]) => {
  const found = await searchBookmarks(shared(), PROFILE, { words, page: 1, limit: 5 })
  expect(found.words).toEqual(marked)
})

describe('a snippet', () => {
  const deep = `${'Filler words stand here. '.repeat(16)}The zebra crossed.`
  const long = `${'x'.repeat(294)} zebra and much more`
  const text = { ...RED, type: 'text' as const, title: 'Notes' }

  test.each([
    ['a description after the part that is shown', link('https://a.example/', { description: deep })],
    ['a text’s content after the part that is shown', { ...text, content: deep }],
    ['the word at which a description is cut', link('https://a.example/', { description: long })]
  ])('shows a match in %s', async (_, draft) => {
    const [bookmark] = await find([draft], 'zebra')
    expect(bookmark?.snippet).toContain('zebra')
    expect(bookmark?.snippet?.length).toBeLessThanOrEqual(160)
    expect(bookmark?.description).not.toContain('zebra')
  })

  test.each([
    ['the match is in the title', link('https://a.example/', { title: 'A zebra', description: deep }), 'zebra'],
    ['the match is in the address', link('https://a.example/zebra', { description: deep }), 'zebra'],
    ['the match is in the shown description', link('https://a.example/', { description: `A zebra. ${deep}` }), 'zebra'],
    ['a text’s content is shown as its description', { ...text, content: 'A zebra' }, 'zebra'],
    ['there are no words', link('https://a.example/', { description: deep }), undefined]
  ])('is left out if %s', async (_, draft, words) => {
    const [bookmark] = await find([draft], words)
    expect(bookmark).toBeDefined()
    expect(bookmark).not.toHaveProperty('snippet')
  })
})

describe('the tool', () => {
  test('filters by the path of a domain', async () => {
    const ports = await portsWith([
      link('https://a.example/one/x', { title: 'One' }),
      link('https://a.example/two/x', { title: 'Two' })
    ])
    expect((await run(ports, { domain: 'a.example/two' })).bookmarks).toMatchObject([{ title: 'Two' }])
    expect((await run(ports, { domain: 'https://a.example/one', search: 'x' })).bookmarks).toMatchObject([
      { title: 'One' }
    ])
    expect((await run(ports, { domain: 'https://a.example/' })).bookmarks).toHaveLength(2)
  })

  test('cuts a description after 299 characters and adds an ellipsis, but halves no character', async () => {
    const ports = await portsWith([
      link('https://c.example/', { title: 'emoji', description: `${'d'.repeat(298)}😀😀` }),
      link('https://a.example/', { title: 'long', description: 'd'.repeat(301) }),
      link('https://b.example/', { title: 'fits', description: 'd'.repeat(300) })
    ])
    const { bookmarks } = await run(ports, {})
    expect(bookmarks).toMatchObject([
      { title: 'fits', description: 'd'.repeat(300) },
      { title: 'long', description: `${'d'.repeat(299)}…` },
      { title: 'emoji', description: `${'d'.repeat(298)}…` }
    ])
  })

  test('gives a model fewer than 30,000 characters, and says how to go on without a gap', async () => {
    const ports = await portsWith(heavy(100))
    const seen = new Set<string>()
    let asked = { limit: 100, page: 1 }
    for (let calls = 0; calls < 10; calls += 1) {
      const text = await runText(ports, asked, 'mcp')
      expect(text.length).toBeLessThan(30_000)
      const { bookmarks, hasMore, truncated, hint } = JSON.parse(text)
      for (const { id } of bookmarks) seen.add(id)
      if (!hasMore) break
      asked = truncated ? JSON.parse(/go on with (\{.*?\})/.exec(hint)?.[1] ?? '') : { ...asked, page: asked.page + 1 }
    }
    expect(seen.size).toBe(100)
  })

  test('shortens descriptions for a model before it leaves out bookmarks', async () => {
    const drafts = Array.from({ length: 70 }, (_, at) =>
      link(`https://a.example/${at}`, { title: `Page ${at}`, description: 'd'.repeat(300) })
    )
    const { bookmarks, ...rest } = await run(await portsWith(drafts), { limit: 70 }, 'mcp')
    expect(rest).toEqual({ total: 70, limit: 70, page: 1, hasMore: false })
    expect(bookmarks).toHaveLength(70)
    expect(bookmarks[0].description).toBe(`${'d'.repeat(79)}…`)
  })

  test('gives a model fewer bookmarks in Chinese, whose characters are a token each', async () => {
    const drafts = Array.from({ length: 100 }, (_, at) =>
      link(`https://a.example/${at}`, { title: '書'.repeat(200), description: '籤'.repeat(300) })
    )
    const text = await runText(await portsWith(drafts), { limit: 100 }, 'mcp')
    expect(Buffer.byteLength(text)).toBeLessThan(50_000)
  })

  test('gives a plain caller all requested bookmarks, whatever their length', async () => {
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
  ])('reads the tags %j as a list, and says so in the hint', async (tags, as) => {
    const { total, hint } = await run(shared(), { tags })
    expect({ total, hint }).toEqual({ total: 1, hint: `tags were read as ${as}: send a list of plain names.` })
  })

  test('reads a tag with a comma as one tag if a bookmark has it', async () => {
    const ports = await portsWith([link('https://a.example/', { title: 'A', tags: ['paris, france'] }), REACT])
    expect(await run(ports, { tags: 'paris, france' })).toMatchObject({ total: 1, bookmarks: [{ title: 'A' }] })
  })

  test.each([
    ['an id alone', (id: string) => id, /^That is the id of a bookmark: search for id:[\w-]{16} to read it\.$/],
    ['an unknown id', () => 'abcdefghijklmnop', /^No bookmark has/],
    ['two ids', (id: string) => `id:${id} id:${id}`, /^Only one bookmark can be read at a time/],
    ['no id', () => 'id:nonsense', /^That is not an id. An id has 16/]
  ])('explains how to read a bookmark if the words are %s', async (_, wordsFor, hint) => {
    const [{ id }] = (await run(shared(), { search: 'react' })).bookmarks
    expect(await run(shared(), { search: wordsFor(id) })).toMatchObject({
      hint: expect.stringMatching(hint),
      bookmarks: []
    })
  })
})

test('a hint names the nearest site and the nearest tag', async () => {
  const ports = await portsWith([
    link('https://github.com/a', { title: 'A', tags: ['to read'] }),
    link('https://gist.github.com/b', { title: 'B', tags: ['work/client'] }),
    link('https://developer.mozilla.org/c', { title: 'Array - MDN' }),
    link('https://developer.mozilla.org/d', { title: 'Map - MDN' }),
    link('https://blog.example/e', { title: 'MDN and github' })
  ])
  const hintOf = async (args: object) => (await run(ports, args)).hint
  expect(await hintOf({ tags: 'to-read' })).toMatch(/the nearest tag is “to read”/)
  expect(await hintOf({ tags: 'client' })).toMatch(/the nearest tag is “work\/client”/)
  expect(await hintOf({ domain: 'github' })).toMatch(/the nearest domain is “github.com”/)
  expect(await hintOf({ domain: 'www.github.org' })).toMatch(/the nearest domain is “github.com”/)
  expect(await hintOf({ search: 'site:mdn' })).toMatch(/the nearest domain is “developer.mozilla.org”/)
  expect(await hintOf({ domain: 'unheard-of.example' })).toBe(
    'No bookmark has the domain “unheard-of.example”. Without it 5 bookmarks match.'
  )
})

test('words in another script and other forms of a compound’s last part find their matches', async () => {
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

describe('a time in the words', () => {
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

  test('selects by the time of saving, and the hint names the dates', async () => {
    const find = await library()
    expect(await find('herons from last month')).toEqual({
      titles: ['Herons at dusk'],
      hint: '“last month” was read as time: saved from 2026-10-01 to 2026-10-31. Put it in quotes to search for the words.'
    })
    expect((await find('saved yesterday')).titles).toEqual(['Herons at dawn'])
    expect((await find('gestern gespeichert')).titles).toEqual(['Herons at dawn'])
  })

  test('is read as words if a title has them or if they are in quotes', async () => {
    const find = await library()
    expect(await find('last week tonight')).toEqual({ titles: ['Last Week Tonight'], hint: undefined })
    expect((await find('otters of this year')).titles).toEqual(['Otters of this year'])
    expect((await find('"this year"')).titles).toEqual(['Otters of this year'])
  })

  test('is read as words if no bookmark of that time has the other words', async () => {
    const find = await library()
    expect((await find('otters this year')).titles).toEqual(['Otters of this year'])
  })

  test('is read the same by changes and exports of all results', async () => {
    const { ports } = await library()
    const words = 'herons from last month'
    const listed = { words, typing: false, trash: false }
    const choice = await walkOf(ports, listed)
    expect(choice.words).toMatch(/^after:.* herons$/)
    const report = await changeBookmarks(ports, { all: listed, except: [], change: { kind: 'delete' } })
    expect(report.changed).toBe(1)
    expect((await searchBookmarks(ports, PROFILE, { words: 'herons', page: 1, limit: 5 })).bookmarks).toMatchObject([
      { title: 'Herons at dawn' }
    ])
  })

  test('as a filter beside the words limits changes of all results too', async () => {
    const { ports } = await library()
    const listed = { words: '', typing: false, trash: false, days: 30 }
    const report = await changeBookmarks(ports, { all: listed, except: [], change: { kind: 'delete' } })
    expect(report.changed).toBe(1)
  })

  test('alone is named in the hint if nothing was saved then', async () => {
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

/** Bookmarks of about 1.5 kB each as the tool shows them. */
function heavy(count: number): BookmarkDraft[] {
  return Array.from({ length: count }, (_, index) =>
    link(`https://a.example/${index}`, { title: '語'.repeat(200), description: '語'.repeat(300) })
  )
}

test('until an import is indexed, a search for words says that some bookmarks may be missing', async () => {
  const ports = quickPorts()
  const draft = {
    ...link('https://a.example/', { title: 'grey heron' }),
    ...PRIVATE,
    updatedAt: START,
    deletedAt: null
  }
  await ports.library.importBookmarks(await ports.library.beginImport(START), [packDrafts([draft])])
  const search = (words?: string) => searchBookmarks(ports, PROFILE, { ...(words && { words }), page: 1, limit: 5 })
  expect(await search('heron')).toMatchObject({ total: 0, hint: expect.stringContaining('still being prepared') })
  expect(await search()).toMatchObject({ hint: undefined })
  expect(await ports.library.indexBatch()).toBe(1)
  expect(await search('heron')).toMatchObject({ total: 1 })
  expect(await search('heron')).toMatchObject({ hint: undefined })
})
