import { readdirSync, writeFileSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DuePage, StoredDetails } from '../../../src-main/contract/page-details.ts'
import { keepInFolder, pruneFolder, readFromFolder } from '../../../src-main/store/pages/pictures.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import {
  addressOf,
  emptyLibrary,
  link,
  note,
  PAGE,
  PRIVATE,
  type TestLibrary,
  titles,
  undoneWith,
  unmarked
} from '../library.ts'

const DETAILS: StoredDetails = {
  ...PAGE,
  title: 'What the page says',
  description: 'In its own words',
  siteName: 'Site',
  canonicalUrl: 'https://a.example/page',
  language: 'en',
  publishedAt: 5,
  text: 'Here stands a perfectly ordinary giraffe.'
}

/** A library with one saved page, which is due. */
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

test('a saved page is due at once, the last saved first, and busy domains are skipped', () => {
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

test('a deleted page is not due until it is restored', () => {
  const library = saved()
  library.changeBookmarks([library.id], { kind: 'delete' }, 2000)
  expect(library.duePage(9000, [])).toBeUndefined()
  library.changeBookmarks([library.id], { kind: 'restore' }, 3000)
  expect(library.duePage(9000, [])).toMatchObject({ id: library.id })
})

test('details of a page fill empty fields, are found, and are not a change by the owner', () => {
  const library = saved()
  expect(library.saveDetails(library.page, DETAILS, 7)).toBe(true)
  expect(bookmark(library)).toEqual({
    title: DETAILS.title,
    description: DETAILS.description,
    type: 'link',
    updatedAt: 1000
  })
  expect(titles(library, { words: 'ordinary giraffe' })).toEqual([DETAILS.title])
  expect(titles(library, { words: '"perfectly ordinary"' })).toEqual([DETAILS.title])
  expect(library.duePage(9000, [])).toBeUndefined()
  expect(library.countPagesToRead()).toBe(0)
  expect(library.findStoredPage(library.id)).toMatchObject({
    state: 'done',
    due: null,
    siteName: 'Site',
    readAt: 7
  })
  expect(library.readPageTexts([library.id, 'none'])).toEqual(new Map([[library.id, DETAILS.text]]))
})

test('fields that the owner wrote stay, however often the page is read', () => {
  const library = saved({ title: 'Mine', description: '' })
  library.saveDetails(library.page, DETAILS, 7)
  expect(bookmark(library)).toMatchObject({ title: 'Mine', description: DETAILS.description })
  library.editBookmark(library.id, { description: 'Also mine' }, 8)
  library.saveDetails(library.page, { ...DETAILS, title: 'New', description: 'New' }, 9)
  expect(bookmark(library)).toMatchObject({ title: 'Mine', description: 'Also mine' })
})

test('fields from the page follow the page, and stay if it has them no longer', () => {
  const library = saved()
  library.saveDetails(library.page, DETAILS, 7)
  library.saveDetails(library.page, { ...DETAILS, title: 'Renamed', description: '', text: '' }, 8)
  expect(bookmark(library)).toMatchObject({ title: 'Renamed', description: DETAILS.description })
  expect(titles(library, { words: 'giraffe' })).toEqual([])
  library.saveFailure(library.page, { fault: 'gone', title: 'Words', due: null, attempts: 1 }, 9)
  expect(bookmark(library)).toMatchObject({ title: 'Renamed' })
  expect(library.findStoredPage(library.id)).toMatchObject({ state: 'failed', fault: 'gone', siteName: 'Site' })
})

test('fields from a page do not stay at a new address, and undoing restores them', () => {
  const library = saved({ title: '', description: 'Mine' })
  library.saveDetails(library.page, DETAILS, 7)
  const edit = { address: addressOf('https://right.example/'), title: DETAILS.title, tags: ['new'] }
  const { undo } = library.editBookmark(library.id, edit, 8) ?? {}
  expect(bookmark(library)).toMatchObject({ title: '', description: 'Mine' })
  expect(titles(library, { words: 'says' })).toEqual([])
  library.saveDetails(library.duePage(9000, []) ?? library.page, { ...DETAILS, title: 'The right page', text: '' }, 9)
  expect(bookmark(library)).toMatchObject({ title: 'The right page', description: 'Mine' })
  library.undoStep(undo ?? 0)
  expect(bookmark(library)).toMatchObject({ title: DETAILS.title, description: 'Mine' })
  expect(titles(library, { words: 'says' })).toEqual([DETAILS.title])
})

test('fields from the page of a new address are removed when that address is undone', () => {
  const library = saved()
  const { undo } = library.editBookmark(library.id, { address: addressOf('https://other.example/') }, 8) ?? {}
  library.saveDetails(library.duePage(9000, []) ?? library.page, { ...DETAILS, title: 'Of the other page' }, 9)
  expect(bookmark(library)).toMatchObject({ title: 'Of the other page' })
  library.undoStep(undo ?? 0)
  expect(bookmark(library)).toMatchObject({ title: '', description: '' })
  expect(titles(library, { words: '"other page"' })).toEqual([])
})

test('a failed page gets the words of its address as title, which a later success replaces', () => {
  const library = saved()
  library.saveFailure(library.page, { fault: 'wall', title: 'Page', due: null, attempts: 1 }, 7)
  expect(titles(library, { words: 'page' })).toEqual(['Page'])
  expect(library.askForPage(library.id, 8)).toBe(true)
  expect(library.duePage(8, [])).toMatchObject({ id: library.id, attempts: 0 })
  library.saveDetails(library.page, DETAILS, 9)
  expect(titles(library)).toEqual([DETAILS.title])
})

test('a temporary failure leaves the title empty and waits', () => {
  const library = saved()
  library.saveFailure(library.page, { fault: 'busy', title: '', due: 5000, attempts: 2 }, 7)
  expect(bookmark(library)).toMatchObject({ title: '' })
  expect(library.duePage(4999, [])).toBeUndefined()
  expect(library.duePage(5000, [])).toMatchObject({ attempts: 2 })
  expect(library.findStoredPage(library.id)).toMatchObject({ state: 'waiting', fault: 'busy', due: 5000 })
})

test('a link to a picture becomes an image', () => {
  const library = saved()
  library.saveDetails(library.page, { ...DETAILS, kind: 'image', title: 'cat.png' }, 7)
  expect(titles(library, { type: 'image' })).toEqual(['cat.png'])
  expect(titles(library, { type: 'link' })).toEqual([])
})

test('details of an old address are forgotten, and late ones are ignored', () => {
  const library = saved()
  library.saveDetails(library.page, DETAILS, 7)
  const address = addressOf('https://a.example/other')
  library.editBookmark(library.id, { address }, 2000)
  expect(titles(library, { words: 'giraffe' })).toEqual([])
  expect(library.findStoredPage(library.id)).toMatchObject({ state: null, due: 2000, siteName: '' })
  expect(library.saveDetails(library.page, DETAILS, 8)).toBe(false)
  expect(library.saveFailure(library.page, { fault: 'gone', title: '', due: null, attempts: 1 }, 8)).toBe(false)
  expect(library.duePage(2000, [])).toMatchObject({ url: address.url })
})

test('details of a purged bookmark are deleted and not saved again', () => {
  const library = saved()
  library.saveDetails(library.page, DETAILS, 7)
  library.changeBookmarks([library.id], { kind: 'delete' }, 8)
  library.changeBookmarks([library.id], { kind: 'purge' }, 9)
  expect(library.saveDetails(library.page, DETAILS, 10)).toBe(false)
  expect(library.askForPage(library.id, 10)).toBe(false)
  const left = library.db.prepare('SELECT (SELECT count(*) FROM page_details) + (SELECT count(*) FROM page_texts)')
  expect(left.pluck().get()).toBe(0)
})

test('undoing an edit from before a reading keeps the details', () => {
  const library = saved()
  const edited = library.editBookmark(library.id, { tags: ['one'] }, 2000)
  library.saveDetails(library.page, DETAILS, 7)
  expect(library.undoStep(edited?.undo ?? 0)).toMatchObject({ undone: 1 })
  expect(library.findBookmark(library.id)).toMatchObject({ tags: [], title: DETAILS.title })
})

/** Makes files of the pictures' folder older, in minutes. */
async function age(data: string, minutes: number, ...names: string[]): Promise<void> {
  const time = new Date(Date.now() - minutes * 60_000)
  for (const name of names) await utimes(join(data, 'pictures', name), time, time)
}

test('a picture is kept once, read by its name only, and removed when unused for an hour', async () => {
  const data = tempFolder()
  const kept = () => readdirSync(join(data, 'pictures')).sort()
  await pruneFolder(data, () => new Set(), 100)
  const [one, two] = [await keepInFolder(data, new Uint8Array([1])), await keepInFolder(data, new Uint8Array([2]))]
  const same = await Promise.all(Array.from({ length: 8 }, () => keepInFolder(data, new Uint8Array([1]))))
  expect(new Set(same)).toEqual(new Set([one]))
  expect(kept()).toEqual([one, two].sort())
  expect(await readFromFolder(data, one)).toEqual(Buffer.from([1]))
  for (const name of ['../library.sqlite', 'nothing', `${'0'.repeat(40)}.webp`])
    expect(await readFromFolder(data, name)).toBeUndefined()

  await pruneFolder(data, () => new Set(), 100)
  expect(kept()).toHaveLength(2) // their bookmarks may be saved later
  writeFileSync(join(data, 'pictures', 'a.webp.b.tmp'), 'half')
  await age(data, 60, one, two, 'a.webp.b.tmp')
  await pruneFolder(data, () => new Set([two]), 100)
  expect(kept()).toEqual([two])
})

test('the oldest pictures are removed to save space', async () => {
  const data = tempFolder()
  const names: string[] = []
  for (let index = 0; index < 5; index++) {
    names.push(await keepInFolder(data, new Uint8Array(100).fill(index)))
    await age(data, 20 * (5 - index), names[index] ?? '')
  }
  await pruneFolder(data, () => new Set(names), 250)
  expect(readdirSync(join(data, 'pictures')).sort()).toEqual(names.slice(3).sort())
})

test('a text is kept as it is read, and found by its words', () => {
  const library = saved()
  expect(library.readPageText(library.id)).toEqual({ text: '', markdown: null })
  const text = { text: 'Herons wait', markdown: '[Herons](https://a.example/egrets) *wait*' }
  library.saveDetails(library.page, { ...DETAILS, ...text }, 7)
  expect(library.readPageText(library.id)).toEqual(text)
  expect([titles(library, { words: 'herons' }), titles(library, { words: 'egrets' })]).toEqual([
    ['What the page says'],
    []
  ])
  library.saveDetails(library.page, { ...DETAILS, text: 'One\fTwo', markdown: null }, 8)
  expect(library.readPageText(library.id)).toEqual({ text: 'One\fTwo', markdown: null })
  library.saveTabText(library.page, unmarked('A newt.'), 4000)
  expect(library.readPageText(library.id)).toEqual(unmarked('A newt.'))
})

test('the place of reading is kept, which changes nothing else, until the page has another address', () => {
  const library = saved()
  library.saveDetails(library.page, DETAILS, 7)
  expect(library.readReadingPlace(library.id)).toBeNull()
  library.saveReadingPlace(library.id, { block: 3, share: 0.25 })
  library.saveReadingPlace(library.id, { block: 4, share: 0.5 })
  library.saveReadingPlace('none', { block: 4, share: 0.5 })
  expect(library.readReadingPlace(library.id)).toEqual({ block: 4, share: 0.5 })
  expect(bookmark(library)).toMatchObject({ updatedAt: 1000 })
  library.saveReadingPlace(library.id, { block: 0, share: 0 })
  expect(library.readReadingPlace(library.id)).toBeNull()
  library.saveReadingPlace(library.id, { block: 1, share: 0 })
  library.editBookmark(library.id, { address: addressOf('https://b.example/') }, 2000)
  expect(library.readReadingPlace(library.id)).toBeNull()
})

test('text from the owner’s browser stays, however the page is read, until the browser sends another', () => {
  const library = saved()
  expect(library.saveTabText(library.page, unmarked('Behind the login stands an okapi.'), 4000)).toBe(true)
  expect(titles(library, { words: 'okapi' })).toHaveLength(1)
  library.saveDetails(library.page, DETAILS, 7)
  library.saveDetails(library.page, { ...DETAILS, text: '' }, 8)
  library.saveFailure(library.page, { fault: 'login', title: '', due: null, attempts: 1 }, 9)
  expect(library.readPageTexts([library.id])).toEqual(new Map([[library.id, 'Behind the login stands an okapi.']]))
  expect(titles(library, { words: 'giraffe' })).toEqual([])
  library.saveTabText(library.page, unmarked('A newt.'), 4000)
  expect(library.readPageTexts([library.id])).toEqual(new Map([[library.id, 'A newt.']]))
  expect(library.saveTabText({ ...library.page, url: 'https://b.example/' }, unmarked('Of another page.'), 4000)).toBe(
    false
  )
})

test('text from the owner’s browser is of its address only, and undoing restores it', () => {
  const library = saved()
  library.saveTabText(library.page, unmarked('Behind the login stands an okapi.'), 4000)
  const { undo } = library.editBookmark(library.id, { address: addressOf('https://b.example/') }, 7) ?? {}
  expect(titles(library, { words: 'okapi' })).toEqual([])
  const takeBack = (step: number | null | undefined) => undoneWith(library.undoBatch, { step: step ?? 0 })?.redo
  const redo = takeBack(undo)
  expect(titles(library, { words: 'okapi' })).toHaveLength(1)
  expect(library.readPageTexts([library.id]).get(library.id)).toBe('Behind the login stands an okapi.')
  const again = takeBack(redo)
  expect(titles(library, { words: 'okapi' })).toEqual([])
  takeBack(again)
  expect(titles(library, { words: 'okapi' })).toHaveLength(1)
})
