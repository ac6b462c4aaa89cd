import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { BookmarkDraft, BookmarkQuery } from '../../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { checkLibraryFile } from '../../../src-main/database/library-file.ts'
import { doctorLibrary } from '../../../src-main/store/doctor/doctor-library.ts'
import { salvageLibrary } from '../../../src-main/store/doctor/salvage-library.ts'
import { openLibrary } from '../../../src-main/store/open-library.ts'
import { kept } from '../../support/pictures.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { hideRows, overwriteLeaf, overwritePage } from '../damaged-file.ts'
import { libraryOf300, link, note, PRIVATE } from '../library.ts'

const NOW = Date.UTC(2026, 0, 2)

/** The folder of a closed library with these bookmarks. */
async function folderWith(drafts: BookmarkDraft[]): Promise<string> {
  const folder = tempFolder()
  const library = await openLibrary(folder)
  await library.saveBookmarks(PRIVATE, drafts)
  await library.close()
  return folder
}

function smallLibrary(): Promise<string> {
  return folderWith(
    Array.from({ length: 50 }, (_, index) =>
      link(`https://a.example/${index}`, { title: `Lake number${index}`, tags: ['water', `tag${index % 3}`] })
    )
  )
}

/** A library whose tables have several pages of rows; every fifth bookmark has no page. */
function largeLibrary(tags = ['water']): Promise<string> {
  return folderWith(
    Array.from({ length: 500 }, (_, index) => {
      const more = { title: `Lake number${index}`, description: 'x'.repeat(80), tags }
      return index % 5 === 0 ? note(more) : link(`https://a.example/${index}`, more)
    })
  )
}

function fileOf(folder: string): string {
  return join(folder, 'library.sqlite')
}

/** The number of bookmarks that a search finds after the library is opened again. */
async function countFound(folder: string, query: Partial<BookmarkQuery>): Promise<number> {
  const library = await openLibrary(folder)
  const { total } = await library.searchBookmarks(PROFILE, { ...query, page: 1, limit: 1 })
  await library.close()
  return total
}

/** Changes the file without Earmark. */
function tamper(folder: string, sql: string): void {
  const db = new Sqlite(fileOf(folder))
  db.pragma('foreign_keys = OFF')
  db.exec(sql)
  db.close()
}

function states(folder: string, repair = false): Record<string, string> {
  const { findings } = doctorLibrary(folder, repair, NOW)
  return Object.fromEntries(findings.map(({ check, state }) => [check, state]))
}

const WELL = {
  library: 'ok',
  log: 'ok',
  integrity: 'ok',
  references: 'ok',
  index: 'ok',
  pictures: 'ok',
  copies: 'ok',
  leftovers: 'ok',
  backups: 'unknown'
}

test('a healthy library is reported as ok and left unchanged', async () => {
  const folder = await smallLibrary()
  const before = readFileSync(fileOf(folder))
  expect(states(folder)).toEqual(WELL)
  expect(states(folder, true)).toEqual(WELL)
  expect(readFileSync(fileOf(folder))).toEqual(before)
  expect(readdirSync(folder).filter((name) => name.startsWith('replaced'))).toEqual([])
})

test('a library of an older version is reported, and upgraded by a repair', () => {
  const folder = tempFolder()
  const file = libraryOf300(folder)
  const before = readFileSync(file)
  const { findings } = doctorLibrary(folder, false, NOW)
  expect(findings).toContainEqual({
    check: 'library',
    state: 'ok',
    text: expect.stringContaining('An older version of Earmark wrote it.'),
    advice: 'Start Earmark once to upgrade it, then run the check again.'
  })
  expect(readFileSync(file).equals(before)).toBe(true)
  const [upgraded] = doctorLibrary(folder, true, NOW).findings
  expect(upgraded).toMatchObject({ check: 'library', state: 'ok', text: expect.stringContaining('bookmarks: 5') })
})

test('a missing log is reported, unless a service has the library open', async () => {
  const folder = await smallLibrary()
  const file = fileOf(folder)
  writeFileSync(join(folder, 'library.seen'), JSON.stringify({ state: 'written' }))
  writeFileSync(`${file}-wal`, '')
  const served = doctorLibrary(folder, false, NOW, true).findings.find(({ check }) => check === 'log')
  expect(served?.state).toBe('ok')
  const { findings } = doctorLibrary(folder, false, NOW)
  expect(findings.find(({ check }) => check === 'log')).toMatchObject({
    state: 'problem',
    text: expect.stringContaining('last saved bookmarks may be lost'),
    advice: expect.stringContaining('earmark restore --newest')
  })
  expect(states(folder)).toEqual({ ...WELL, log: 'problem' })
  // The next start reports it and continues.
  await (await openLibrary(folder)).close()
  expect(states(folder)).toEqual(WELL)
})

const FAULTS: [what: string, check: string, sql: string][] = [
  ['a bookmark the index lacks', 'index', 'DELETE FROM bookmark_texts WHERE rowid = 7'],
  [
    'an entry of no bookmark',
    'index',
    'DELETE FROM bookmark_tags WHERE bookmark_id = 9; DELETE FROM bookmarks WHERE id = 9'
  ],
  ['a miscounted filter', 'index', 'UPDATE filter_counts SET bookmarks = bookmarks + 3'],
  ['a tagging of no bookmark', 'references', 'INSERT INTO bookmark_tags (bookmark_id, tag_id) VALUES (999, 1)']
]

test.each(FAULTS)('%s is found, and repaired only on request', async (_, check, sql) => {
  const folder = await smallLibrary()
  tamper(folder, sql)
  expect(states(folder)).toEqual({ ...WELL, [check]: 'problem' })
  const file = fileOf(folder)
  const before = readFileSync(file)
  expect(states(folder, true)).toEqual({ ...WELL, [check]: 'repaired' })
  expect(readFileSync(join(folder, 'replaced-2026-01-02T00-00-00-000Z', 'library.sqlite'))).toEqual(before)
  expect(states(folder)).toEqual(WELL)
  expect(await countFound(folder, { words: 'lake', tags: ['water'] })).toBeGreaterThanOrEqual(49)
})

const LOST_ORGANIZATION = `
  UPDATE bookmarks SET organization_id = 777, visibility = 'organization' WHERE id <= 2;
  UPDATE bookmarks SET page_key = (SELECT page_key FROM bookmarks WHERE id = 3) WHERE id = 2;
  INSERT INTO api_keys (public_id, name, prefix, hash, organization_id, read_only, created_at)
    VALUES ('key', 'editor', 'emk_x', zeroblob(32), 777, 0, 1);
  INSERT INTO undo_steps (id, at) VALUES (1, 1);
  INSERT INTO undo_bookmarks VALUES (1, 4, 1, '{"visibility":"organization","organization":777}')`

test('bookmarks of a missing organization become private, and its keys are revoked', async () => {
  const folder = await smallLibrary()
  tamper(folder, LOST_ORGANIZATION)
  const { findings } = doctorLibrary(folder, true, NOW)
  expect(findings.find(({ check }) => check === 'references')).toEqual({
    check: 'references',
    state: 'repaired',
    text:
      'Rows that refer to something missing: 3. Bookmarks of a missing organization, now your private bookmarks: 2.' +
      ' Keys of a missing organization, now revoked: 1.'
  })
  expect(states(folder)).toEqual(WELL)
  expect(await countFound(folder, { words: 'lake', visibility: 'private' })).toBe(50)
  const again = await openLibrary(folder)
  expect(await again.listKeys()).toMatchObject([{ name: 'editor', owner: null, revokedAt: NOW }])
  expect(await again.undoBatch({ step: 1 }, NOW)).toBeUndefined()
  await again.close()
})

test('rows that refer to missing rows are repaired in every table', async () => {
  const folder = await smallLibrary()
  tamper(
    folder,
    `INSERT INTO undo_steps (id, at, organization_id) VALUES (1, 1, 777);
     INSERT INTO undo_tag_names VALUES (1, 777, 'a', 'a');
     INSERT INTO undo_bookmarks VALUES (1, 777, 1, '{}'), (778, 1, 1, '{}');
     INSERT INTO undo_taggings VALUES (1, 777, 1, 1, 1), (1, 1, 777, 1, 1);
     INSERT INTO undo_ranges VALUES (777, 1, 2);
     INSERT INTO imports (step_id) VALUES (777);
     INSERT INTO page_texts (bookmark_id, text) VALUES (777, 'giraffe');
     INSERT INTO bookmark_tags VALUES (1, 777)`
  )
  const { findings } = doctorLibrary(folder, true, NOW)
  expect(findings.find(({ check }) => check === 'references')).toMatchObject({
    state: 'repaired',
    text: expect.stringContaining('now removed: 9.')
  })
  expect(states(folder)).toEqual(WELL)
  const db = new Sqlite(fileOf(folder), { readonly: true })
  expect(db.prepare('SELECT id, organization_id AS gone FROM undo_steps').all()).toEqual([{ id: 1, gone: null }])
  expect(db.prepare('SELECT count(*) FROM bookmarks').pluck().get()).toBe(50)
  db.close()
})

test.each(['bookmarks_by_content', 'bookmarks_by_date', 'bookmark_tags_by_tag'])(
  'a damaged index of the file is rebuilt: %s',
  async (name) => {
    const folder = await smallLibrary()
    overwritePage(fileOf(folder), name)
    expect(states(folder)).toMatchObject({ library: 'problem' })
    expect(states(folder, true)).toEqual({ ...WELL, integrity: 'repaired' })
    expect(states(folder)).toEqual(WELL)
  }
)

test('a damaged library of an older version is repaired and upgraded', () => {
  const folder = tempFolder()
  const file = libraryOf300(folder)
  const before = new Sqlite(file, { readonly: true })
  const all = (db: Sqlite.Database) =>
    db.prepare('SELECT public_id, title, deleted_at FROM bookmarks ORDER BY id').all()
  const stored = all(before)
  before.close()
  overwritePage(file, 'bookmarks_by_date')
  expect(states(folder, true)).toEqual({ ...WELL, integrity: 'repaired' })
  checkLibraryFile(file)
  const db = new Sqlite(file, { readonly: true })
  expect(all(db)).toEqual(stored)
  expect(db.prepare('SELECT count(*) FROM imports').pluck().get()).toBe(17)
  expect(db.prepare('SELECT count(*) FROM links_due').pluck().get()).toBe(12)
  db.close()
})

test('an undo step does not have the bookmarks that get the row ids of lost ones', async () => {
  const folder = await largeLibrary()
  tamper(folder, 'INSERT INTO undo_steps (id, at) VALUES (1, 1); INSERT INTO undo_ranges VALUES (1, 400, 600)')
  hideRows(fileOf(folder), 'bookmarks', 3)
  doctorLibrary(folder, true, NOW)
  const db = new Sqlite(fileOf(folder), { readonly: true })
  const range = db.prepare('SELECT first, last FROM undo_ranges').get()
  expect(range).toEqual({ first: 400, last: db.prepare('SELECT max(id) FROM bookmarks').pluck().get() })
  db.close()
})

test('bookmarks lost with a damaged page are reported, and their pages are recovered from indexes', async () => {
  const folder = await largeLibrary()
  const lost = hideRows(fileOf(folder), 'bookmarks', 3)
  expect(lost).toBeGreaterThan(5)
  const { findings } = doctorLibrary(folder, true, NOW)
  const db = new Sqlite(fileOf(folder), { readonly: true })
  const there = db.prepare('SELECT count(*) FROM bookmarks').pluck().get() as number
  const bare = db.prepare("SELECT url, created_at AS createdAt FROM bookmarks WHERE title = ''").all()
  db.close()
  expect(there).toBe(500 - lost + bare.length)
  expect(bare[0]).toEqual({ url: 'https://a.example/3', createdAt: 1000 })
  expect(findings[1]).toEqual({
    check: 'integrity',
    state: 'problem',
    text:
      'The library file was damaged. Everything that could be read was copied to a new file. Bookmarks recovered with ' +
      `address, date, place and tags only: ${bare.length}. Bookmarks that are missing, at least: ${500 - there}.`,
    advice: expect.stringContaining('earmark restore')
  })
  expect(states(folder)).toEqual(WELL)
  expect(await countFound(folder, { tags: ['water'], type: 'link' })).toBe(400)
})

const TAGGINGS: [what: string, damage: (folder: string) => void][] = [
  ['whose table hides rows', (folder) => hideRows(fileOf(folder), 'bookmark_tags', 3)],
  ['whose index hides rows', (folder) => hideRows(fileOf(folder), 'bookmark_tags_by_tag', 3)],
  ['whose table cannot be read', (folder) => overwritePage(fileOf(folder), 'bookmark_tags')]
]

test.each(TAGGINGS)('taggings %s are recovered from the index', async (_, damage) => {
  const folder = await largeLibrary()
  damage(folder)
  expect(states(folder)).toMatchObject({ library: 'problem' })
  const { findings } = doctorLibrary(folder, true, NOW)
  expect(findings[1]).toMatchObject({
    state: 'repaired',
    text: expect.stringContaining('Everything that could be read')
  })
  expect(states(folder)).toEqual(WELL)
  expect(await countFound(folder, { tags: ['water'] })).toBe(500)
})

test('rows around damage are recovered, and other devices are read again', async () => {
  const folder = await largeLibrary()
  tamper(
    folder,
    `INSERT INTO sync_state (device, name, folder, account) VALUES ('own', 'laptop', '/sync', 'sync');
    INSERT INTO sync_devices (device, name, up_to, seen_at) VALUES ('other', 'desk', 7, 1)`
  )
  overwriteLeaf(fileOf(folder), 'bookmarks')
  const { findings } = doctorLibrary(folder, true, NOW)
  expect(findings[1]).toMatchObject({
    state: 'problem',
    text: expect.stringContaining('Everything that could be read was copied to a new file.'),
    advice: expect.stringContaining('earmark restore')
  })
  expect(states(folder)).toEqual(WELL)
  const again = await openLibrary(folder)
  expect((await again.listBookmarks({ order: 'newest', page: 1, limit: 1 })).total).toBeGreaterThan(400)
  expect((await again.readSync())?.devices.map(({ device }) => device)).toEqual(['own'])
  await again.close()
})

test('a table without row ids is recovered from both ends', async () => {
  const folder = await largeLibrary(['water', ...Array.from({ length: 9 }, (_, index) => `tag${index}`)])
  overwriteLeaf(fileOf(folder), 'bookmark_tags')
  overwriteLeaf(fileOf(folder), 'bookmark_tags_by_tag')
  doctorLibrary(folder, true, NOW)
  expect(states(folder)).toEqual(WELL)
  expect(await countFound(folder, { tags: ['water'] })).toBeGreaterThan(0)
})

const LEFT_ALONE: [what: string, finding: object, damage: (folder: string) => void][] = [
  [
    'without any readable bookmark',
    {},
    (folder) => {
      for (const name of ['bookmarks', 'bookmarks_by_page', 'bookmarks_by_date']) overwritePage(fileOf(folder), name)
    }
  ],
  [
    'of a newer Earmark that is damaged',
    {},
    (folder) => {
      tamper(folder, 'PRAGMA user_version = 9990')
      hideRows(fileOf(folder), 'bookmarks', 3)
    }
  ],
  [
    'of a newer Earmark',
    { text: expect.stringContaining('Update Earmark') },
    (folder) => tamper(folder, 'CREATE TABLE futures (id INTEGER PRIMARY KEY) STRICT; PRAGMA user_version = 9990')
  ],
  [
    'that was overwritten',
    { text: expect.stringContaining('not an Earmark library'), advice: expect.stringContaining('earmark restore') },
    (folder) => writeFileSync(fileOf(folder), 'Dear diary')
  ]
]

test.each(LEFT_ALONE)('a library %s is reported, and a repair leaves it unchanged', async (_, finding, damage) => {
  const folder = await largeLibrary()
  damage(folder)
  const before = readFileSync(fileOf(folder))
  const { findings } = doctorLibrary(folder, true, NOW)
  expect(findings[0]).toMatchObject({ check: 'library', state: 'problem', ...finding })
  expect(salvageLibrary(folder, NOW)).toBeUndefined()
  expect(readFileSync(fileOf(folder))).toEqual(before)
  expect(readdirSync(folder).filter((name) => name.startsWith('replaced'))).toEqual([])
})

test('leftovers of interrupted work are found and removed', async () => {
  const folder = await smallLibrary()
  mkdirSync(join(folder, 'backups'), { recursive: true })
  for (const name of ['library.sqlite.restored', 'backups/daily-2026-01-01.sqlite.tmp-journal']) {
    writeFileSync(join(folder, name), 'half')
    expect(states(folder)).toEqual({ ...WELL, leftovers: 'problem' })
    expect(states(folder, true)).toEqual({ ...WELL, leftovers: 'repaired' })
    expect(existsSync(join(folder, name))).toBe(false)
  }
})

/** A library with a used and an unused picture, and an unused preview. */
async function withPictures(): Promise<string> {
  const folder = await smallLibrary()
  const made = await openLibrary(folder)
  const { hash } = kept('mine')
  const draft = note({ type: 'image', pageKey: `picture:${hash}`, picture: hash, title: 'Mine' })
  await made.savePicture(PRIVATE, draft, kept('mine'))
  await made.keepOriginal(kept('unused'), NOW - 2 * 86_400_000)
  const stray = await made.keepPicture(new TextEncoder().encode('stray'))
  await made.close()
  utimesSync(join(folder, 'pictures', stray), new Date(0), new Date(0))
  return folder
}

test('unused pictures are removed on request, and no others', async () => {
  const folder = await withPictures()
  expect(doctorLibrary(folder, false, NOW).findings).toContainEqual(
    expect.objectContaining({ check: 'pictures', state: 'ok', text: expect.stringContaining('no bookmark uses: 2') })
  )
  expect(states(folder, true)).toEqual({ ...WELL, pictures: 'repaired' })
  expect(readdirSync(join(folder, 'pictures'))).toEqual([])
  expect(doctorLibrary(folder, false, NOW).findings).toContainEqual(
    expect.objectContaining({
      check: 'pictures',
      state: 'ok',
      text: expect.stringContaining('All pictures are present')
    })
  )
  const again = await openLibrary(folder)
  expect(await again.hasOriginal(kept('mine').hash)).toBe(true)
  expect(await again.hasOriginal(kept('unused').hash)).toBe(false)
  await again.close()
})

test('a rebuilt library keeps its pictures', async () => {
  const folder = await withPictures()
  overwritePage(fileOf(folder), 'bookmarks_by_content')
  expect(states(folder, true)).toMatchObject({ integrity: 'repaired', references: 'ok', pictures: 'repaired' })
  const again = await openLibrary(folder)
  const original = await again.readOriginal(kept('mine').hash)
  expect(Buffer.from(original?.bytes ?? []).toString()).toBe('mine')
  expect(await again.uncoloredPicture()).toMatchObject({ preview: `${kept('mine').hash}.webp` })
  await again.close()
})

test.each([
  ['missing', 'DELETE FROM pictures WHERE size = 4', /missing: 1;.*damaged: 0/, /Import an export/],
  ['changed', "UPDATE pictures SET bytes = x'00' WHERE size = 4", /missing: 0;.*damaged: 1/, /Restore a backup/]
])('a bookmark whose picture is %s is reported and kept', async (_, sql, text, advice) => {
  const folder = await withPictures()
  tamper(folder, sql)
  for (const repair of [false, true]) {
    expect(doctorLibrary(folder, repair, NOW).findings).toContainEqual({
      check: 'pictures',
      state: 'problem',
      text: expect.stringMatching(text),
      advice: expect.stringMatching(advice)
    })
  }
  const again = await openLibrary(folder)
  const { bookmarks } = await again.searchBookmarks(PROFILE, { words: 'mine', page: 1, limit: 1 })
  expect(bookmarks).toMatchObject([{ title: 'Mine', picture: kept('mine').hash }])
  await again.keepOriginal(kept('mine'), NOW)
  await again.close()
  if (sql.startsWith('DELETE')) expect(states(folder)).toMatchObject({ pictures: 'ok', references: 'ok' })
})
