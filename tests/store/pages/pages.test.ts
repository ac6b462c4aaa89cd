import { readdirSync, writeFileSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { DuePage, KeptDetails, TextLayout } from '../../../src-main/contract/page-details.ts'
import { saveBookmarks } from '../../../src-main/store/bookmarks/bookmark-writes.ts'
import { openWriteConnection } from '../../../src-main/store/connection.ts'
import { migrate } from '../../../src-main/store/files/migrate.ts'
import { migrations } from '../../../src-main/store/files/migrations/all.ts'
import { duePage, findPage } from '../../../src-main/store/pages/pages.ts'
import { keepInFolder, pruneFolder, readFromFolder } from '../../../src-main/store/pages/picture-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { emptyLibrary, link, note, PRIVATE, type TestLibrary, titles, undoneWith } from '../library.ts'

const SAID: KeptDetails = {
  kind: 'page',
  title: 'What the page says',
  description: 'In its own words',
  siteName: 'Site',
  canonicalUrl: 'https://a.example/page',
  language: 'en',
  publishedAt: 5,
  text: 'Here stands a perfectly ordinary giraffe.',
  layout: null,
  icon: null,
  preview: null
}

/** A library with one saved page. */
function saved(more: Parameters<typeof link>[1] = {}): TestLibrary & { id: string; page: DuePage } {
  const library = emptyLibrary()
  const [one] = library.saveBookmarks(PRIVATE, [link('https://a.example/page', more)])
  const page = library.duePage(1000, [])
  if (!one || !page) throw new Error('nothing was saved')
  return { ...library, id: one.id, page }
}

function bookmark({ findBookmark, id }: ReturnType<typeof saved>) {
  const { title, description, type, updatedAt } = findBookmark(id) ?? {}
  return { title, description, type, updatedAt }
}

test('what is saved is due at once, what was saved last first, and other domains before busy ones', () => {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    ['a', 'b', 'a'].map((host, index) => link(`https://${host}.example/${index}`))
  )
  library.saveBookmarks({ ...PRIVATE, savedAt: 2000 }, [link('https://c.example/')])
  library.saveBookmarks(PRIVATE, [note({ content: 'no page' })])
  expect(library.countPagesToRead()).toBe(4)
  expect(library.duePage(999, [])).toBeUndefined()
  expect(library.duePage(1000, [])).toMatchObject({ url: 'https://a.example/2', domain: 'a.example', attempts: 0 })
  expect(library.duePage(2000, [])).toMatchObject({ url: 'https://c.example/' })
  expect(library.duePage(1000, ['a.example'])).toMatchObject({ url: 'https://b.example/1' })
  expect(library.duePage(1000, ['a.example', 'b.example'])).toBeUndefined()
})

test('finding what is due uses its index', () => {
  const { db } = emptyLibrary()
  const plan = db
    .prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT id, domain FROM bookmarks WHERE details_due IS NOT NULL AND deleted_at IS NULL
       AND details_due <= 5 ORDER BY details_due DESC, id DESC LIMIT 9`
    )
    .all()
  expect(plan.map(({ detail }) => detail).join()).toMatch(
    /^SEARCH bookmarks USING COVERING INDEX bookmarks_to_describe/
  )
})

test('what lies in the trash waits there', () => {
  const library = saved()
  library.changeBookmarks([library.id], { kind: 'delete' }, 2000)
  expect(library.duePage(9000, [])).toBeUndefined()
  library.changeBookmarks([library.id], { kind: 'restore' }, 3000)
  expect(library.duePage(9000, [])).toMatchObject({ id: library.id })
})

test('what a page says fills what is empty, is found, and is no change of the owner’s', () => {
  const library = saved()
  expect(library.saveDetails(library.page, SAID, 7)).toBe(true)
  expect(bookmark(library)).toEqual({ title: SAID.title, description: SAID.description, type: 'link', updatedAt: 1000 })
  expect(titles(library, { words: 'ordinary giraffe' })).toEqual([SAID.title])
  expect(titles(library, { words: '"perfectly ordinary"' })).toEqual([SAID.title])
  expect(library.duePage(9000, [])).toBeUndefined()
  expect(library.countPagesToRead()).toBe(0)
  expect(library.findPage(library.id)).toMatchObject({
    state: 'done',
    due: null,
    siteName: 'Site',
    readAt: 7,
    hasText: true
  })
  expect(library.readPageTexts([library.id, 'none'])).toEqual(new Map([[library.id, SAID.text]]))
})

test('what somebody wrote stays, however often the page is read', () => {
  const library = saved({ title: 'Mine', description: '' })
  library.saveDetails(library.page, SAID, 7)
  expect(bookmark(library)).toMatchObject({ title: 'Mine', description: SAID.description })
  library.editBookmark(library.id, { description: 'Also mine' }, 8)
  library.saveDetails(library.page, { ...SAID, title: 'New', description: 'New' }, 9)
  expect(bookmark(library)).toMatchObject({ title: 'Mine', description: 'Also mine' })
})

test('what came from the page follows the page, and stays where it falls silent', () => {
  const library = saved()
  library.saveDetails(library.page, SAID, 7)
  library.saveDetails(library.page, { ...SAID, title: 'Renamed', description: '', text: '' }, 8)
  expect(bookmark(library)).toMatchObject({ title: 'Renamed', description: SAID.description })
  expect(titles(library, { words: 'giraffe' })).toEqual([])
  library.saveFailure(library.page, { fault: 'gone', title: 'Words', due: null, attempts: 1 }, 9)
  expect(bookmark(library)).toMatchObject({ title: 'Renamed' })
  expect(library.findPage(library.id)).toMatchObject({ state: 'failed', fault: 'gone', siteName: 'Site' })
})

test('what came from a page does not go with the bookmark to another address', () => {
  const library = saved({ title: '', description: 'Mine' })
  library.saveDetails(library.page, SAID, 7)
  const { url, domain, pageKey } = link('https://right.example/')
  const edit = { address: { url, domain, pageKey }, title: SAID.title, tags: ['new'] }
  const { undo } = library.editBookmark(library.id, edit, 8) ?? {}
  expect(bookmark(library)).toMatchObject({ title: '', description: 'Mine' })
  expect(titles(library, { words: 'says' })).toEqual([])
  library.saveDetails(library.duePage(9000, []) ?? library.page, { ...SAID, title: 'The right page', text: '' }, 9)
  expect(bookmark(library)).toMatchObject({ title: 'The right page', description: 'Mine' })
  library.undoStep(undo ?? 0)
  expect(bookmark(library)).toMatchObject({ title: SAID.title, description: 'Mine' })
  expect(titles(library, { words: 'says' })).toEqual([SAID.title])
})

test('a title that came after a change of the address goes when that is undone', () => {
  const library = saved()
  const { url, domain, pageKey } = link('https://other.example/')
  const { undo } = library.editBookmark(library.id, { address: { url, domain, pageKey } }, 8) ?? {}
  library.saveDetails(library.duePage(9000, []) ?? library.page, { ...SAID, title: 'Of the other page' }, 9)
  expect(bookmark(library)).toMatchObject({ title: 'Of the other page' })
  library.undoStep(undo ?? 0)
  expect(bookmark(library)).toMatchObject({ title: '', description: '' })
  expect(titles(library, { words: '"other page"' })).toEqual([])
})

test('a failure gives the address’s words, which a later success replaces', () => {
  const library = saved()
  library.saveFailure(library.page, { fault: 'wall', title: 'Page', due: null, attempts: 1 }, 7)
  expect(titles(library, { words: 'page' })).toEqual(['Page'])
  expect(library.askForPage(library.id, 8)).toBe(true)
  expect(library.duePage(8, [])).toMatchObject({ id: library.id, attempts: 0 })
  library.saveDetails(library.page, SAID, 9)
  expect(titles(library)).toEqual([SAID.title])
})

test('a failure that may pass leaves the title alone and waits', () => {
  const library = saved()
  library.saveFailure(library.page, { fault: 'busy', title: '', due: 5000, attempts: 2 }, 7)
  expect(bookmark(library)).toMatchObject({ title: '' })
  expect(library.duePage(4999, [])).toBeUndefined()
  expect(library.duePage(5000, [])).toMatchObject({ attempts: 2 })
  expect(library.findPage(library.id)).toMatchObject({ state: 'waiting', fault: 'busy', due: 5000 })
})

test('a link to a picture becomes an image, and is listed as one', () => {
  const library = saved()
  library.saveDetails(library.page, { ...SAID, kind: 'image', title: 'cat.png' }, 7)
  expect(titles(library, { type: 'image' })).toEqual(['cat.png'])
  expect(titles(library, { type: 'link' })).toEqual([])
})

test('another address is another page: what was read is forgotten, and what comes late is not taken', () => {
  const library = saved()
  library.saveDetails(library.page, SAID, 7)
  const address = { url: 'https://a.example/other', domain: 'a.example', pageKey: 'https://a.example/other' }
  library.editBookmark(library.id, { address }, 2000)
  expect(titles(library, { words: 'giraffe' })).toEqual([])
  expect(library.findPage(library.id)).toMatchObject({ state: null, due: 2000, siteName: '' })
  expect(library.saveDetails(library.page, SAID, 8)).toBe(false)
  expect(library.saveFailure(library.page, { fault: 'gone', title: '', due: null, attempts: 1 }, 8)).toBe(false)
  expect(library.duePage(2000, [])).toMatchObject({ url: address.url })
})

test('a bookmark that was deleted for good takes its page along, and is not brought back by it', () => {
  const library = saved()
  library.saveDetails(library.page, SAID, 7)
  library.changeBookmarks([library.id], { kind: 'delete' }, 8)
  library.changeBookmarks([library.id], { kind: 'purge' }, 9)
  expect(library.saveDetails(library.page, SAID, 10)).toBe(false)
  expect(library.askForPage(library.id, 10)).toBe(false)
  const left = library.db.prepare('SELECT (SELECT count(*) FROM page_details) + (SELECT count(*) FROM page_texts)')
  expect(left.pluck().get()).toBe(0)
})

test('undoing an edit from before the page was read leaves what the page gave', () => {
  const library = saved()
  const edited = library.editBookmark(library.id, { tags: ['one'] }, 2000)
  library.saveDetails(library.page, SAID, 7)
  expect(library.undoStep(edited?.undo ?? 0)).toMatchObject({ undone: 1 })
  expect(library.findBookmark(library.id)).toMatchObject({ tags: [], title: SAID.title })
})

test('migration 80 puts pages that were saved before behind all that come', () => {
  const file = join(tempFolder(), 'library.sqlite')
  const db = openWriteConnection(file)
  onTestFinished(() => {
    db.close()
  })
  const before = migrations.filter(({ version }) => version < 80)
  migrate(db, () => {}, before)
  const insert = db.prepare(
    `INSERT INTO bookmarks (public_id, type, visibility, page_key, url, domain, title, description, content, created_at,
       updated_at) VALUES (?, ?, 'private', ?, ?, ?, '', '', '', 1000, 1000)`
  )
  insert.run('page', 'link', 'https://a.example/', 'https://a.example/', 'a.example')
  insert.run('text', 'text', null, null, null)
  migrate(db, () => {})
  expect(duePage(db, 0, [])).toMatchObject({ id: 'page' })
  expect(findPage(db, 'text')).toBeUndefined()
  saveBookmarks(db, PRIVATE, [link('https://a.example/later')])
  expect(duePage(db, 1000, [])).toMatchObject({ url: 'https://a.example/later' })
})

test('a picture is kept once under what it is, read by its name only, and goes when nobody has it', async () => {
  const data = tempFolder()
  await pruneFolder(data, () => new Set(), 100)
  const [one, two] = [await keepInFolder(data, new Uint8Array([1])), await keepInFolder(data, new Uint8Array([2]))]
  expect(await keepInFolder(data, new Uint8Array([1]))).toBe(one)
  expect(readdirSync(join(data, 'pictures')).sort()).toEqual([one, two].sort())
  expect(await readFromFolder(data, one)).toEqual(Buffer.from([1]))
  for (const name of ['../library.sqlite', 'nothing', `${'0'.repeat(40)}.webp`])
    expect(await readFromFolder(data, name)).toBeUndefined()

  await pruneFolder(data, () => new Set(), 100)
  expect(readdirSync(join(data, 'pictures'))).toHaveLength(2) // they may wait for their bookmarks
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (const name of [one, two]) await utimes(join(data, 'pictures', name), hourAgo, hourAgo)
  await pruneFolder(data, () => new Set([two]), 100)
  expect(readdirSync(join(data, 'pictures'))).toEqual([two])
})

test('the same picture may be kept many times at once, and what is left of one cut short goes', async () => {
  const data = tempFolder()
  const folder = join(data, 'pictures')
  const picture = new Uint8Array(20_000).fill(7)
  const names = await Promise.all(Array.from({ length: 8 }, () => keepInFolder(data, picture)))
  expect(new Set(names).size).toBe(1)
  expect(readdirSync(folder)).toEqual([names[0]])
  const hourAgo = new Date(Date.now() - 3_600_000)
  writeFileSync(join(folder, 'a.webp.b.tmp'), 'half')
  await utimes(join(folder, 'a.webp.b.tmp'), hourAgo, hourAgo)
  await pruneFolder(data, () => new Set(names), 100_000)
  expect(readdirSync(folder)).toEqual([names[0]])
})

test('the oldest pictures make room', async () => {
  const data = tempFolder()
  const names: string[] = []
  for (let index = 0; index < 5; index++) {
    const name = await keepInFolder(data, new Uint8Array(100).fill(index))
    names.push(name)
    const at = new Date(Date.now() - 1_000_000 * (5 - index))
    await utimes(join(data, 'pictures', name), at, at)
  }
  await pruneFolder(data, () => new Set(names), 250)
  expect(readdirSync(join(data, 'pictures')).sort()).toEqual(names.slice(3).sort())
})

test('how a text was set out is kept with it, and forgotten with the next', () => {
  const library = saved()
  const layout: TextLayout = { blocks: [{ from: 0, to: 4, kind: 'item', level: 1 }], links: [] }
  expect(library.readTextLayout(library.id)).toBeNull()
  library.saveDetails(library.page, { ...SAID, layout }, 7)
  expect(library.readTextLayout(library.id)).toEqual(layout)
  library.saveTabText(library.page, 'A newt.')
  expect(library.readTextLayout(library.id)).toBeNull()
})

test('the text that the owner’s browser gave stays, however the page is read later, until it gives another', () => {
  const library = saved()
  expect(library.saveTabText(library.page, 'Behind the login stands an okapi.')).toBe(true)
  expect(titles(library, { words: 'okapi' })).toHaveLength(1)
  library.saveDetails(library.page, SAID, 7)
  library.saveDetails(library.page, { ...SAID, text: '' }, 8)
  library.saveFailure(library.page, { fault: 'login', title: '', due: null, attempts: 1 }, 9)
  expect(library.readPageTexts([library.id])).toEqual(new Map([[library.id, 'Behind the login stands an okapi.']]))
  expect(titles(library, { words: 'giraffe' })).toEqual([])
  library.saveTabText(library.page, 'A newt.')
  expect(library.readPageTexts([library.id])).toEqual(new Map([[library.id, 'A newt.']]))
  expect(library.saveTabText({ ...library.page, url: 'https://b.example/' }, 'Of another page.')).toBe(false)
})

test('the text that the owner’s browser gave goes with another address, and comes back when that is undone', () => {
  const library = saved()
  library.saveTabText(library.page, 'Behind the login stands an okapi.')
  const address = { url: 'https://b.example/', domain: 'b.example', pageKey: 'https://b.example/' }
  const { undo } = library.editBookmark(library.id, { address }, 7) ?? { undo: null }
  expect(titles(library, { words: 'okapi' })).toEqual([])
  const takeBack = (step: number | null | undefined) => undoneWith(library.undoStepSome, step ?? 0)?.redo
  const redo = takeBack(undo)
  expect(titles(library, { words: 'okapi' })).toHaveLength(1)
  expect(library.readPageTexts([library.id]).get(library.id)).toBe('Behind the login stands an okapi.')
  const again = takeBack(redo)
  expect(titles(library, { words: 'okapi' })).toEqual([])
  takeBack(again)
  expect(titles(library, { words: 'okapi' })).toHaveLength(1)
})
