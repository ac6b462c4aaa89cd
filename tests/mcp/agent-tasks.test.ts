import { beforeEach, describe, expect, test } from 'vitest'
import type { SaveReport } from '../../src-main/actions/bookmarks/save-bookmarks.ts'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { insert } from '../../src-main/mcp/tools/insert.ts'
import { search } from '../../src-main/mcp/tools/search.ts'
import { link, PRIVATE, quickPorts, START } from '../actions/ports.ts'

/** Everyday tasks of agents, with the calls that solve them. Two need an id first; the others are one call. */
const DAY = 24 * 60 * 60 * 1000

let ports: ReturnType<typeof quickPorts>

beforeEach(async () => {
  ports = quickPorts()
  ports.clock.time = START
  await ports.library.saveBookmarks(PRIVATE, [
    page('https://sqlite.org/wal.html', 'Write-Ahead Logging', 400, ['sqlite', 'databases'], 'Readers do not block.'),
    page('https://www.postgresql.org/docs/', 'PostgreSQL documentation', 300, ['postgres', 'databases']),
    page('https://github.com/rust-lang/rust', 'The Rust compiler', 200, ['rust']),
    page('https://github.com/tokio-rs/tokio', 'Tokio, an async runtime for Rust', 8, ['rust', 'async']),
    page('https://blog.example/sourdough', 'Sourdough for beginners', 3, []),
    { ...link('https://a.example/brand'), type: 'color', url: null, pageKey: null, title: 'Brand', content: '#ff8800' }
  ])
})

function page(url: string, title: string, daysAgo: number, tags: string[], description = '') {
  return link(url, { title, tags, description, createdAt: START - daysAgo * DAY })
}

interface Answer {
  total: number
  hasMore: boolean
  hint?: string
  bookmarks: { id: string; title: string; url: string; text?: string; passages?: string[] }[]
}

async function find(args: object): Promise<Answer> {
  const prepared = search.prepare(args, 'mcp')
  if ('fault' in prepared) throw new Error(prepared.fault)
  return JSON.parse((await prepared.run(ports, PROFILE)).text)
}

async function save(args: object): Promise<SaveReport> {
  const prepared = insert.prepare(args, 'mcp')
  if ('fault' in prepared) throw new Error(prepared.fault)
  return JSON.parse((await prepared.run(ports, PROFILE)).text)
}

const titles = ({ bookmarks }: Answer) => bookmarks.map(({ title }) => title)

describe('one call', () => {
  test.each<[task: string, args: object, found: string[]]>([
    ['find the page about write-ahead logging', { search: 'write-ahead logging' }, ['Write-Ahead Logging']],
    ['find a page whose name is spelled wrong', { search: 'postgers documentation' }, ['PostgreSQL documentation']],
    ['find it by what its description says', { search: 'readers block' }, ['Write-Ahead Logging']],
    ['what was saved last', { limit: 2 }, ['Brand', 'Sourdough for beginners']],
    ['what was saved in the last 7 days', { search: 'last:7d', type: 'link' }, ['Sourdough for beginners']],
    ['what was saved about Rust last month', { search: 'rust last month' }, ['Tokio, an async runtime for Rust']],
    ['all with a tag', { tags: 'databases' }, ['PostgreSQL documentation', 'Write-Ahead Logging']],
    ['all with both tags', { tags: ['rust', 'async'] }, ['Tokio, an async runtime for Rust']],
    [
      'all with one of two tags',
      { search: 'tag:sqlite OR tag:postgres' },
      ['PostgreSQL documentation', 'Write-Ahead Logging']
    ],
    ['all of a site', { domain: 'github.com' }, ['Tokio, an async runtime for Rust', 'The Rust compiler']],
    ['one thing but not another', { search: 'rust -async' }, ['The Rust compiler']],
    ['the colors', { type: 'color' }, ['Brand']],
    ['whether an address is saved', { search: 'https://sqlite.org/wal.html' }, ['Write-Ahead Logging']],
    ['what has no tags yet', { search: 'is:untagged', type: 'link' }, ['Sourdough for beginners']],
    ['the next page of the list', { limit: 2, page: 2 }, ['Tokio, an async runtime for Rust', 'The Rust compiler']]
  ])('answers: %s', async (_, args, found) => {
    expect(titles(await find(args))).toEqual(found)
  })

  test('answers: which tags there are, with their counts', async () => {
    expect((await find({ search: 'my tags' })).hint).toMatch(/rust.*2.*async.*1/)
  })

  test('saves a page with tags, a title and a note', async () => {
    const details = { tags: ['rust', 'to read'], title: 'The Book', description: 'From Ann.' }
    expect(await save({ urls: 'https://doc.rust-lang.org/book/', ...details })).toMatchObject({ saved: 1 })
    expect(titles(await find({ search: 'ann', tags: 'to read' }))).toEqual(['The Book'])
  })

  test('saves several pages with one tag', async () => {
    const urls = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3']
    expect(await save({ urls, tags: 'talk' })).toMatchObject({ saved: 3 })
    expect(await find({ tags: 'talk' })).toMatchObject({ total: 3 })
  })
})

describe('two calls, of which the first finds the id', () => {
  test('read what a page says', async () => {
    const [found] = (await find({ search: 'sourdough' })).bookmarks
    const { id = '', url = '' } = found ?? {}
    await ports.library.saveTabText(
      { id, url },
      { text: 'Mix flour and water. Wait a week.', markdown: 'Mix flour and water. Wait a week.' },
      START
    )
    expect((await find({ search: `id:${id}` })).bookmarks).toMatchObject([
      { text: 'Mix flour and water. Wait a week.' }
    ])
    expect((await find({ search: `id:${id} week` })).bookmarks).toMatchObject([
      { passages: [expect.stringContaining('week')] }
    ])
  })

  test('find pages like another', async () => {
    const [found] = (await find({ search: 'compiler' })).bookmarks
    expect(titles(await find({ search: `like:${found?.id}` }))).toContain('Tokio, an async runtime for Rust')
  })
})
