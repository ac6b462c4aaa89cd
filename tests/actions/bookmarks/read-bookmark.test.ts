import { expect, test } from 'vitest'
import { readBookmark } from '../../../src-main/actions/bookmarks/read-bookmark.ts'
import type { Ports } from '../../../src-main/actions/ports.ts'
import { type Caller, PROFILE } from '../../../src-main/contract/caller.ts'
import { readingIn } from '../../../src-main/core/id-searches.ts'
import { callTool, makeKey, testService } from '../../support/service.ts'
import { link, PRIVATE, testPorts } from '../ports.ts'

const ID = 'Ue56R-1PT06uFAi3'
const ALL = { words: '', page: 1, limit: 5 }

test.for([
  [`id:${ID}`, { id: ID, words: '' }],
  [` id:${ID}  two "of them" `, { id: ID, words: 'two "of them"' }],
  [`ID: ${ID}, two`, { id: ID, words: ', two' }],
  [`see id:${ID}`, undefined],
  ['idea', undefined],
  ['id:card', { hint: expect.stringMatching(/^That is not an id/) }],
  [`id:${ID}x`, { hint: expect.stringMatching(/^That is not an id/) }],
  [`id:${ID} id:${ID}`, { hint: expect.stringMatching(/^Only one bookmark can be read at a time/) }],
  [`id:${ID}, ${ID}`, { hint: expect.stringMatching(/^Only one bookmark can be read at a time/) }],
  [`id:${ID} OR id:${ID}`, { hint: expect.stringMatching(/^Only one bookmark can be read at a time/) }],
  [undefined, undefined]
] as const)('the words %j are read as %j', ([search, expected]) => {
  expect(readingIn(search)).toEqual(expected)
})

async function textOf(ports: Ports, content: string): Promise<string> {
  const draft = {
    ...link('https://a.example/'),
    type: 'text' as const,
    url: null,
    domain: null,
    pageKey: null,
    content
  }
  const [saved] = await ports.library.saveBookmarks(PRIVATE, [draft])
  return saved?.id ?? ''
}

test('the pages of a text join to the whole text and halve no character', async () => {
  const ports = await testPorts()
  const content = `x${'🔖'.repeat(4500)}`
  const id = await textOf(ports, content)
  const pieces: string[] = []
  for (let page = 1; ; page++) {
    const { text = '', hasMore } = await readBookmark(ports, PROFILE, { ...ALL, id, page })
    expect(text.isWellFormed()).toBe(true)
    pieces.push(text)
    if (!hasMore) break
  }
  expect(pieces.map((piece) => piece.length)).toEqual([3999, 4000, 1002])
  expect(pieces.join('')).toBe(content)
  const past = { text: '', hasMore: false, hint: 'Page 9 is past the end: there are 3 pages.' }
  expect(await readBookmark(ports, PROFILE, { ...ALL, id, page: 9 })).toMatchObject(past)
})

test('words select the passages that have them, page by page', async () => {
  const ports = await testPorts()
  const id = await textOf(ports, Array.from({ length: 7 }, (_, n) => `gentian ${n} ${'- '.repeat(400)}`).join(''))
  const first = await readBookmark(ports, PROFILE, { id, words: 'Gentian', page: 1, limit: 5 })
  expect([first.passages?.length, first.hasMore]).toEqual([5, true])
  const second = await readBookmark(ports, PROFILE, { id, words: 'Gentian', page: 2, limit: 5 })
  expect([second.passages?.length, second.hasMore]).toEqual([2, false])
  expect(await readBookmark(ports, PROFILE, { id, words: 'Gentian', page: 3, limit: 5 })).toMatchObject({
    passages: [],
    hint: 'Page 3 is past the end: there are 2 pages.'
  })
  expect(await readBookmark(ports, PROFILE, { id, words: 'larch', page: 1, limit: 5 })).toMatchObject({
    passages: [],
    hint: expect.stringContaining('none of these words')
  })
})

test('a hint gives the reason if there is no text', async () => {
  const ports = await testPorts()
  const [saved] = await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/')])
  expect(await readBookmark(ports, PROFILE, { ...ALL, id: saved?.id ?? '' })).toMatchObject({
    hint: 'Its page was not read: fetching pages is switched off.'
  })
})

test('a caller reads only bookmarks that its searches show', async () => {
  const ports = await testPorts()
  const { rowId: acme } = await ports.library.createOrganization('Acme', 1)
  const { rowId: other } = await ports.library.createOrganization('Other', 1)
  const save = async (owner: number | null, visibility: 'private' | 'organization' | 'public') => {
    const placement = { ...PRIVATE, owner, visibility }
    const [saved] = await ports.library.saveBookmarks(placement, [link(`https://${visibility}-${owner}.example/`)])
    return saved?.id ?? ''
  }
  const ids = {
    mine: await save(null, 'private'),
    everyones: await save(null, 'public'),
    acmes: await save(acme, 'organization'),
    others: await save(other, 'organization')
  }
  const seenBy = async (caller: Caller) => {
    const read = Object.entries(ids).map(async ([name, id]) => {
      const { bookmark, hint } = await readBookmark(ports, caller, { ...ALL, id })
      if (!bookmark) expect(hint).toMatch(/no bookmark with this id/)
      return bookmark ? [name] : []
    })
    return (await Promise.all(read)).flat()
  }
  expect(await seenBy(PROFILE)).toEqual(['mine', 'everyones', 'acmes', 'others'])
  expect(await seenBy({ owner: acme, readOnly: false })).toEqual(['everyones', 'acmes'])
  await ports.library.changeBookmarks([ids.acmes], { kind: 'delete' }, 2)
  expect(await seenBy({ owner: acme, readOnly: false })).toEqual(['everyones'])
})

test('the tool answers in the form of a search result', async () => {
  const service = await testService()
  const key = await makeKey(service)
  const saved = await callTool(service, key, 'bookmarks.insert', { urls: 'https://a.example/' })
  const id = saved.payload.bookmarks[0].id
  const { payload } = await callTool(service, key, 'bookmarks.search', { search: `id:${id}`, limit: 3 })
  expect(payload).toMatchObject({ total: 1, page: 1, limit: 3, hasMore: false, bookmarks: [{ id }] })
  const none = await callTool(service, key, 'bookmarks.search', { search: `id:${ID}` })
  expect(none.payload).toMatchObject({ total: 0, bookmarks: [], hint: expect.stringContaining('no bookmark') })
})
