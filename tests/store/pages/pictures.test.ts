import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BookmarkDraft } from '../../../src-main/contract/bookmark.ts'
import type { KeptDetails } from '../../../src-main/contract/page-details.ts'
import { folderOf, openWriteConnection } from '../../../src-main/store/connection.ts'
import { migrate } from '../../../src-main/store/files/migrate.ts'
import { migrations } from '../../../src-main/store/files/migrations/all.ts'
import { kept } from '../../support/pictures.ts'
import { runs } from '../../support/runs.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { emptyLibrary, link, listed, note, PRIVATE, type TestLibrary, titles, within } from '../library.ts'

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

test('a picture is an image without an address, found, listed, and shown by its small copy', async () => {
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

test('the same picture again is the same bookmark, for each owner; its bytes are kept once', () => {
  const library = emptyLibrary()
  const { rowId } = library.createOrganization('Acme', 1)
  const mine = save(library)
  expect(save(library, SCREEN, { title: 'Again' })).toEqual({ id: mine.id, status: 'existing' })
  const theirs = save(library, SCREEN, {}, within(rowId))
  expect(theirs.status).toBe('saved')
  expect(theirs.id).not.toBe(mine.id)
  expect(count(library)).toBe(1)
  expect(library.findDuplicates(1, 10).groups).toEqual([])
})

test('no page is read for it, and no address is asked of it', () => {
  const library = emptyLibrary()
  const { id } = save(library)
  expect(library.duePage(9e12, [])).toBeUndefined()
  expect(library.countPagesToRead()).toBe(0)
  expect(library.findPage(id)).toBeUndefined()
  expect(library.askForPage(id, 9e12)).toBe(false)
  expect(() =>
    library.db.prepare("UPDATE bookmarks SET url = 'https://a.example/' WHERE public_id = ?").run(id)
  ).toThrow('CHECK')
})

test('its bytes stay as long as any bookmark has it, in the trash too, and go with the last', () => {
  const library = emptyLibrary()
  const { rowId } = library.createOrganization('Acme', 1)
  const mine = save(library)
  const theirs = save(library, SCREEN, {}, within(rowId))
  const { undo } = library.changeBookmarks([mine.id, theirs.id], { kind: 'delete' }, 2000)
  expect(count(library)).toBe(1)
  library.undoStep(undo ?? 0)
  expect(library.findBookmark(mine.id)?.deletedAt).toBeNull()
  library.changeBookmarks([mine.id, theirs.id], { kind: 'delete' }, 3000)
  library.changeBookmarks([mine.id], { kind: 'purge' }, 4000)
  expect(count(library)).toBe(1)
  expect(library.purgeTrash(9000)).toBe(1)
  expect(count(library)).toBe(0)
  expect(library.db.pragma('foreign_key_check')).toEqual([])
})

const step = fc.record({
  act: fc.constantFrom('save', 'save', 'delete', 'restore', 'purge', 'empty', 'undo', 'dissolve'),
  picture: fc.constantFrom('one', 'two', 'three'),
  theirs: fc.boolean()
})

test('whatever is done, the pictures that are kept are those that bookmarks have', () => {
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
        else if (act === 'dissolve' && !dissolved) dissolved = library.deleteOrganizationSome(rowId, 'profile', at).done
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

test('saved again it comes out of the trash', () => {
  const library = emptyLibrary()
  const { id } = save(library)
  library.changeBookmarks([id], { kind: 'delete' }, 2000)
  expect(save(library)).toEqual({ id, status: 'saved' })
  expect(library.findBookmark(id)?.deletedAt).toBeNull()
})

test('a picture that is kept for a bookmark which never comes is forgotten, and no other', () => {
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

test('whose colors are to be looked for is known until they are kept', () => {
  const library = emptyLibrary()
  const { id } = save(library)
  const due = library.uncoloredPicture()
  expect(due).toEqual({ id, preview: `${SCREEN.hash}.webp` })
  library.saveColors({ id, preview: 'another.webp' }, [RED])
  expect(library.uncoloredPicture()).toEqual(due)
  library.saveColors({ id, preview: `${SCREEN.hash}.webp` }, [{ ...RED, l: 0.1, share: 0.2 }, RED])
  expect(library.uncoloredPicture()).toBeUndefined()
  expect(library.findPicture(id)?.colors).toEqual([RED, { ...RED, l: 0.1, share: 0.2 }])
})

const SAID: KeptDetails = {
  kind: 'image',
  title: 'A photo',
  description: '',
  siteName: '',
  canonicalUrl: null,
  language: null,
  publishedAt: null,
  text: '',
  layout: null,
  icon: null,
  preview: 'one.webp'
}

test('an image from a page has its colors too, those of the picture it has now; a link has none', () => {
  const library = emptyLibrary()
  const [image, page] = library.saveBookmarks(PRIVATE, [
    link('https://a.example/photo', { type: 'image' }),
    link('https://b.example/')
  ])
  const id = image?.id ?? ''
  const due = { id, url: 'https://a.example/photo', domain: 'a.example', attempts: 0 }
  library.saveDetails({ ...due, id: page?.id ?? '', url: 'https://b.example/' }, { ...SAID, kind: 'page' }, 2000)
  expect(library.uncoloredPicture()).toBeUndefined()
  library.saveDetails(due, SAID, 2000)
  expect(library.uncoloredPicture()).toEqual({ id, preview: 'one.webp' })
  library.saveColors({ id, preview: 'one.webp' }, [RED])
  library.saveDetails(due, SAID, 3000)
  expect(library.uncoloredPicture()).toBeUndefined()
  library.saveDetails(due, { ...SAID, preview: 'two.webp' }, 4000)
  expect(library.findPicture(id)).toEqual({ original: null, colors: [] })
  expect(library.uncoloredPicture()).toEqual({ id, preview: 'two.webp' })
  library.saveColors({ id, preview: 'two.webp' }, [RED])
  library.editBookmark(
    id,
    { address: { url: 'https://a.example/other', domain: 'a.example', pageKey: 'https://a.example/other' } },
    5000
  )
  expect(library.findPicture(id)?.colors).toEqual([])
  expect(library.uncoloredPicture()).toBeUndefined()
  library.saveDetails({ ...due, url: 'https://a.example/other' }, SAID, 6000)
  library.saveDetails({ ...due, url: 'https://a.example/other' }, { ...SAID, preview: null }, 7000)
  expect(library.uncoloredPicture()).toBeUndefined()
  expect(library.db.prepare('SELECT count(*) FROM colors_due').pluck().get()).toBe(0)
  expect(library.findPicture('none')).toBeUndefined()
})

test('images are found by a color that makes up a large part of them, nearest first, none from the trash', async () => {
  const library = emptyLibrary()
  const [near, nearer, far, gone] = ['near', 'nearer', 'far', 'gone'].map((title) => {
    const picture = kept(title)
    const { id } = save(library, picture, { title })
    const off = { near: 0.1, nearer: 0.02, far: 0.4, gone: 0 }[title] ?? 0
    const colors = [
      { l: 0.628 - off, a: 0.225, b: 0.126, share: 0.4 },
      { l: 0.05, a: 0, b: 0, share: 0.3 }
    ]
    library.saveColors({ id, preview: `${picture.hash}.webp` }, colors)
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

test.each([
  ['pictures of bookmarks', 'SELECT id FROM bookmarks WHERE picture = ?', 'bookmarks_by_picture'],
  ['a color', 'SELECT bookmark_id FROM picture_colors WHERE l BETWEEN ? - 1 AND 2', 'picture_colors_by_color']
])('looking for %s uses an index', (_, sql, index) => {
  const plan = emptyLibrary().db.prepare<[string], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all('x')
  expect(plan.map(({ detail }) => detail).join()).toContain(index)
})

test('migration 100 has the colors of images looked for that were there before', () => {
  const db = openWriteConnection(join(tempFolder(), 'library.sqlite'))
  migrate(
    db,
    () => {},
    migrations.filter(({ version }) => version < 100)
  )
  db.exec(`
    INSERT INTO bookmarks (id, public_id, type, visibility, page_key, url, title, description, content, created_at, updated_at)
      VALUES (1, 'a', 'image', 'private', 'k', 'https://a.example/', '', '', '', 1, 1),
        (2, 'b', 'link', 'private', 'l', 'https://b.example/', '', '', '', 1, 1);
    INSERT INTO page_details (bookmark_id, state, attempts, read_at, preview)
      VALUES (1, 'done', 0, 1, 'x.webp'), (2, 'done', 0, 1, 'x.webp')`)
  migrate(db, () => {})
  expect(db.prepare('SELECT bookmark_id FROM colors_due').pluck().all()).toEqual([1])
  db.close()
})

test('pictures of texts go with their bookmark or their text, and the oldest where all take too much', async () => {
  const library = emptyLibrary()
  const pages = ['https://a.example/', 'https://b.example/'].map((url) => {
    const [one] = library.saveBookmarks(PRIVATE, [link(url)])
    return { id: one?.id ?? '', url, domain: '', attempts: 0 }
  })
  const [id = '', other = ''] = pages.map((page) => page.id)
  const describe = (pictures: string[]) => {
    const layout = { blocks: [], links: [], pictures: pictures.map((url) => ({ at: 0, url, alt: '' })) }
    for (const page of pages) library.saveDetails(page, { ...SAID, text: 'words', layout }, 7)
  }
  const keep = async (of: string, url: string) => {
    await library.keepTextPicture(of, url, new Uint8Array(100))
    await sleep(5) // their times tell which is older
  }
  describe(['old', 'new', 'x'])
  await keep(id, 'old')
  await keep(id, 'new')
  await keep(other, 'x')
  await keep('nobody', 'x')
  expect(await library.areTextPicturesKept(id, ['old', 'new', 'x'])).toEqual([true, true, false])
  expect(await library.areTextPicturesKept('nobody', ['x'])).toEqual([false])
  expect((await library.readTextPicture(other, 'x'))?.length).toBe(100)
  expect(await library.readTextPicture('nobody', 'x')).toBeUndefined()
  await library.prunePictures(250)
  expect(await library.areTextPicturesKept(id, ['old', 'new'])).toEqual([false, true])
  describe(['x'])
  await library.prunePictures(250)
  expect(await library.areTextPicturesKept(id, ['old', 'new'])).toEqual([false, false])
  expect(await library.areTextPicturesKept(other, ['x'])).toEqual([true])
  library.changeBookmarks([other], { kind: 'delete' }, 8)
  library.changeBookmarks([other], { kind: 'purge' }, 9)
  await library.prunePictures(250)
  expect(readdirSync(join(folderOf(library.db), 'text-pictures'))).not.toContain(other)
})
