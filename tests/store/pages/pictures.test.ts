import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BookmarkDraft } from '../../../src-main/contract/bookmark.ts'
import { folderOf } from '../../../src-main/database/connection.ts'
import { kept } from '../../support/pictures.ts'
import { runs } from '../../support/runs.ts'
import {
  addressOf,
  emptyLibrary,
  link,
  listed,
  note,
  PAGE,
  PRIVATE,
  type TestLibrary,
  titles,
  within
} from '../library.ts'

const SCREEN = kept('a screenshot')
const RED = { l: 0.6, a: 0.2, b: 0.1, share: 0.7 }

function imageOf(hash: string, more: Partial<BookmarkDraft> = {}): BookmarkDraft {
  return note({ type: 'image', pageKey: `picture:${hash}`, picture: hash, title: 'Screen', ...more })
}

function count({ db }: TestLibrary): number {
  return db.prepare('SELECT count(*) FROM pictures').pluck().get() as number
}

function save(library: TestLibrary, picture = SCREEN, more: Partial<BookmarkDraft> = {}, placement = PRIVATE) {
  return library.savePicture(placement, imageOf(picture.hash, more), picture)
}

test('a saved picture is an image without an address, which is found and shown by its preview', async () => {
  const library = emptyLibrary()
  const { id, status } = save(library, SCREEN, { title: 'A window', tags: ['ui'] })
  expect(status).toBe('saved')
  expect(library.findBookmark(id)).toMatchObject({
    type: 'image',
    url: null,
    domain: null,
    picture: SCREEN.hash,
    preview: `${SCREEN.hash}.webp`,
    icon: null
  })
  expect(titles(library, { words: 'window', type: 'image', tags: ['ui'] })).toEqual(['A window'])
  expect(listed(library, { type: 'image', order: 'title' })).toEqual(['A window'])
  expect(Buffer.from((await library.readPicture(`${SCREEN.hash}.webp`)) ?? []).toString()).toBe('small a screenshot')
  expect(await library.readPicture(`${'0'.repeat(64)}.webp`)).toBeUndefined()
  expect(await library.readPicture('../library.sqlite')).toBeUndefined()
  const original = library.readOriginal(SCREEN.hash)
  expect(original).toMatchObject({ type: 'image/png', width: 2, height: 3 })
  expect(Buffer.from(original?.bytes ?? []).toString()).toBe('a screenshot')
  expect(library.findPicture(id)?.original).toEqual({ type: 'image/png', width: 2, height: 3, size: 12 })
})

test('a picture saved again is the same bookmark of each owner, also from the trash, and its bytes are kept once', () => {
  const library = emptyLibrary()
  const { rowId } = library.createOrganization('Acme', 1)
  const mine = save(library)
  expect(save(library, SCREEN, { title: 'Again' })).toEqual({ id: mine.id, status: 'existing' })
  const theirs = save(library, SCREEN, {}, within(rowId))
  expect(theirs.status).toBe('saved')
  expect(theirs.id).not.toBe(mine.id)
  expect(count(library)).toBe(1)
  expect(library.findDuplicates(1, 10).groups).toEqual([])
  library.changeBookmarks([mine.id], { kind: 'delete' }, 2000)
  expect(save(library)).toEqual({ id: mine.id, status: 'saved' })
  expect(library.findBookmark(mine.id)?.deletedAt).toBeNull()
})

test('no page is read for a picture, and it can have no address', () => {
  const library = emptyLibrary()
  const { id } = save(library)
  expect(library.duePage(9e12, [])).toBeUndefined()
  expect(library.countPagesToRead()).toBe(0)
  expect(library.findStoredPage(id)).toBeUndefined()
  expect(library.askForPage(id, 9e12)).toBe(false)
  expect(() =>
    library.db.prepare("UPDATE bookmarks SET url = 'https://a.example/' WHERE public_id = ?").run(id)
  ).toThrow('CHECK')
})

const step = fc.record({
  act: fc.constantFrom('save', 'save', 'delete', 'restore', 'purge', 'empty', 'undo', 'dissolve'),
  picture: fc.constantFrom('one', 'two', 'three'),
  theirs: fc.boolean()
})

test('random changes keep exactly the pictures that bookmarks have', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
      const library = emptyLibrary()
      const { rowId } = library.createOrganization('Acme', 1)
      let at = 2000
      let undo: number | null = null
      let dissolved = false
      for (const { act, picture, theirs } of steps) {
        at += 10
        const hash = kept(picture).hash
        const owner = theirs && !dissolved ? rowId : null
        const place = { ...(owner === null ? PRIVATE : within(owner)), savedAt: at }
        const ids = library.db
          .prepare('SELECT public_id FROM bookmarks WHERE picture = ?')
          .pluck()
          .all(hash) as string[]
        if (act === 'save') save(library, kept(picture), {}, place)
        else if (act === 'empty') library.purgeTrash(at)
        else if (act === 'undo' && undo !== null) library.undoStep(undo)
        else if (act === 'dissolve' && !dissolved)
          dissolved = library.deleteOrganizationBatch(rowId, 'profile', at).done
        else if (act === 'delete' || act === 'restore' || act === 'purge') {
          undo = library.changeBookmarks(ids, { kind: act }, at).undo ?? undo
        }
        const had = library.db.prepare('SELECT DISTINCT picture FROM bookmarks WHERE picture IS NOT NULL ORDER BY 1')
        const there = library.db.prepare('SELECT hash FROM pictures ORDER BY 1')
        expect(there.pluck().all()).toEqual(had.pluck().all())
      }
      expect(library.db.pragma('foreign_key_check')).toEqual([])
    }),
    { numRuns: runs(15, 300) }
  )
})

test('a picture kept for a bookmark that is never saved is forgotten, and no other', () => {
  const library = emptyLibrary()
  save(library)
  library.keepOriginal(kept('alone'), 1000)
  library.keepOriginal(kept('later'), 5000)
  library.forgetOriginals(5000)
  expect([SCREEN, kept('alone'), kept('later')].map(({ hash }) => library.hasOriginal(hash))).toEqual([
    true,
    false,
    true
  ])
  library.keepOriginal(kept('later'), 7000)
  library.forgetOriginals(6000)
  expect(library.hasOriginal(kept('later').hash)).toBe(true)
})

test('a picture waits for its colors until they are saved', () => {
  const library = emptyLibrary()
  const { id } = save(library)
  const due = library.uncoloredPicture()
  expect(due).toEqual({ id, preview: `${SCREEN.hash}.webp` })
  library.saveColors({ id, preview: 'another.webp' }, { colors: [RED], ratio: 2 })
  expect(library.uncoloredPicture()).toEqual(due)
  library.saveColors(
    { id, preview: `${SCREEN.hash}.webp` },
    { colors: [{ ...RED, l: 0.1, share: 0.2 }, RED], ratio: 2 }
  )
  expect(library.uncoloredPicture()).toBeUndefined()
  expect(library.findPicture(id)?.colors).toEqual([RED, { ...RED, l: 0.1, share: 0.2 }])
})

const PHOTO = { ...PAGE, kind: 'image' as const, title: 'A photo', preview: 'one.webp' }

test('an image from a page has the colors of its current picture, and a link has none', () => {
  const library = emptyLibrary()
  const [image, page] = library.saveBookmarks(PRIVATE, [
    link('https://a.example/photo', { type: 'image' }),
    link('https://b.example/')
  ])
  const id = image?.id ?? ''
  const due = { id, url: 'https://a.example/photo', domain: 'a.example', attempts: 0 }
  library.saveDetails({ ...due, id: page?.id ?? '', url: 'https://b.example/' }, { ...PHOTO, kind: 'page' }, 2000)
  expect(library.uncoloredPicture()).toBeUndefined()
  library.saveDetails(due, PHOTO, 2000)
  expect(library.uncoloredPicture()).toEqual({ id, preview: 'one.webp' })
  library.saveColors({ id, preview: 'one.webp' }, { colors: [RED], ratio: 1.5 })
  expect(library.findBookmark(id)?.ratio).toBe(1.5)
  library.saveDetails(due, PHOTO, 3000)
  expect(library.uncoloredPicture()).toBeUndefined()
  library.saveDetails(due, { ...PHOTO, preview: 'two.webp' }, 4000)
  expect(library.findPicture(id)).toEqual({ original: null, colors: [] })
  expect(library.uncoloredPicture()).toEqual({ id, preview: 'two.webp' })
  library.saveColors({ id, preview: 'two.webp' }, { colors: [RED], ratio: 1 })
  library.editBookmark(id, { address: addressOf('https://a.example/other') }, 5000)
  expect(library.findPicture(id)?.colors).toEqual([])
  expect(library.uncoloredPicture()).toBeUndefined()
  library.saveDetails({ ...due, url: 'https://a.example/other' }, PHOTO, 6000)
  library.saveDetails({ ...due, url: 'https://a.example/other' }, { ...PHOTO, preview: null }, 7000)
  expect(library.uncoloredPicture()).toBeUndefined()
  expect(library.db.prepare('SELECT count(*) FROM colors_due').pluck().get()).toBe(0)
  expect(library.findPicture('none')).toBeUndefined()
})

test('images are found by a color of a large part of them, the nearest first', async () => {
  const library = emptyLibrary()
  const [near, nearer, far, gone] = ['near', 'nearer', 'far', 'gone'].map((title) => {
    const picture = kept(title)
    const { id } = save(library, picture, { title })
    const off = { near: 0.1, nearer: 0.02, far: 0.4, gone: 0 }[title] ?? 0
    const colors = [
      { l: 0.628 - off, a: 0.225, b: 0.126, share: 0.4 },
      { l: 0.05, a: 0, b: 0, share: 0.3 }
    ]
    library.saveColors({ id, preview: `${picture.hash}.webp` }, { colors, ratio: 1 })
    return id
  })
  library.changeBookmarks([gone ?? ''], { kind: 'delete' }, 2000)
  const found = async (limit: number) => (await library.similarImages('red', limit)).map(({ bookmark }) => bookmark.id)
  expect(await found(10)).toEqual([nearer, near])
  expect(await found(1)).toEqual([nearer])
  expect((await library.similarImages('red', 1))[0]?.distance).toBeCloseTo(0.02, 2)
  expect(await library.similarImages('no color', 1)).toEqual([])
  expect((await library.similarImages('black', 10)).map(({ bookmark }) => bookmark.id)).toContain(far)
})

test('pictures of texts are removed with their bookmark or text, and the oldest to save space', async () => {
  const [old, young, x] = ['https://p.example/old', 'https://p.example/new', 'https://p.example/x'] as const
  const library = emptyLibrary()
  const pages = ['https://a.example/', 'https://b.example/'].map((url) => {
    const [one] = library.saveBookmarks(PRIVATE, [link(url)])
    return { id: one?.id ?? '', url, domain: '', attempts: 0 }
  })
  const [id = '', other = ''] = pages.map((page) => page.id)
  const describe = (pictures: string[]) => {
    const markdown = pictures.map((url) => `![](${url})`).join('\n')
    for (const page of pages) library.saveDetails(page, { ...PHOTO, text: 'words', markdown }, 7)
  }
  const keep = (of: string, url: string) => library.keepTextPicture(of, url, new Uint8Array(100))
  const folder = join(folderOf(library.db), 'text-pictures')
  describe([old, young, x])
  await keep(id, old)
  for (const name of readdirSync(join(folder, id))) utimesSync(join(folder, id, name), 0, 0)
  await keep(id, young)
  await keep(other, x)
  await keep('nobody', x)
  expect(await library.areTextPicturesKept(id, [old, young, x])).toEqual([true, true, false])
  expect(await library.areTextPicturesKept('nobody', [x])).toEqual([false])
  expect((await library.readTextPicture(other, x))?.length).toBe(100)
  expect(await library.readTextPicture('nobody', x)).toBeUndefined()
  await library.prunePictures(250)
  expect(await library.areTextPicturesKept(id, [old, young])).toEqual([false, true])
  describe([x])
  await library.prunePictures(250)
  expect(await library.areTextPicturesKept(id, [old, young])).toEqual([false, false])
  expect(await library.areTextPicturesKept(other, [x])).toEqual([true])
  library.changeBookmarks([other], { kind: 'delete' }, 8)
  library.changeBookmarks([other], { kind: 'purge' }, 9)
  await library.prunePictures(250)
  expect(readdirSync(folder)).not.toContain(other)
})

const color = (content: string) => note({ type: 'color', title: content, content })

function palette(...contents: string[]) {
  const library = emptyLibrary()
  const ids = library.saveBookmarks(PRIVATE, contents.map(color)).map(({ id }) => id)
  return { library, ids }
}

test('similar colors are found in any notation, the nearest first', async () => {
  const { library } = palette('blue', 'coral', 'rgb(255 99 72)', 'oklch(69.6% 0.196 32.3)', 'tomato', '#00ff00')
  const found = await library.similarColors('#ff6347', 10)
  expect(found.map(({ bookmark }) => bookmark.content)).toEqual([
    'tomato',
    expect.stringMatching(/^(rgb|oklch)/),
    expect.stringMatching(/^(rgb|oklch)/),
    'coral'
  ])
  expect(found[0]?.distance).toBe(0)
})

test('similar colors are limited, not deleted, of the type color, and of every owner', async () => {
  const { library, ids } = palette('red', '#fe0000', '#fd0000')
  const { rowId } = library.createOrganization('Acme', 1)
  library.saveBookmarks(within(rowId), [color('#fc0000')])
  library.saveBookmarks(PRIVATE, [note({ content: 'red' })])
  library.changeBookmarks([ids[1] ?? ''], { kind: 'delete' }, 2000)
  const contents = async (limit: number) =>
    (await library.similarColors('red', limit)).map(({ bookmark }) => bookmark.content)
  expect(await contents(2)).toEqual(['red', '#fd0000'])
  expect(await contents(10)).toEqual(['red', '#fd0000', '#fc0000'])
  expect(await library.similarColors('url(x)', 10)).toEqual([])
})
