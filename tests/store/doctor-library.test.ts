import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { doctorLibrary } from '../../src-main/store/doctor-library.ts'
import { openLibrary } from '../../src-main/store/open-library.ts'
import { kept } from '../support/pictures.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { link, note, PRIVATE } from './library.ts'

const NOW = Date.UTC(2026, 0, 2)

async function library(): Promise<string> {
  const folder = tempFolder()
  const made = await openLibrary(folder)
  const drafts = Array.from({ length: 50 }, (_, index) =>
    link(`https://a.example/${index}`, { title: `Lake number${index}`, tags: ['water', `tag${index % 3}`] })
  )
  await made.saveBookmarks(PRIVATE, drafts)
  await made.close()
  return folder
}

/** Changes the file behind Earmark's back. */
function tamper(folder: string, sql: string): void {
  const db = new Sqlite(join(folder, 'library.sqlite'))
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
  integrity: 'ok',
  references: 'ok',
  index: 'ok',
  pictures: 'ok',
  leftovers: 'ok',
  backups: 'unknown'
}

test('a library that is well is said to be, and left as it is', async () => {
  const folder = await library()
  const before = readFileSync(join(folder, 'library.sqlite'))
  expect(states(folder)).toEqual(WELL)
  expect(states(folder, true)).toEqual(WELL)
  expect(readFileSync(join(folder, 'library.sqlite'))).toEqual(before)
  expect(readdirSync(folder).filter((name) => name.startsWith('replaced'))).toEqual([])
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

test.each(FAULTS)('%s is found, and mended only when asked to', async (_, check, sql) => {
  const folder = await library()
  tamper(folder, sql)
  expect(states(folder)).toEqual({ ...WELL, [check]: 'problem' })
  const file = join(folder, 'library.sqlite')
  const before = readFileSync(file)
  expect(states(folder, true)).toEqual({ ...WELL, [check]: 'repaired' })
  expect(readFileSync(join(folder, 'replaced-2026-01-02T00-00-00-000Z', 'library.sqlite'))).toEqual(before)
  expect(states(folder)).toEqual(WELL)
  const again = await openLibrary(folder)
  const found = await again.searchBookmarks(PROFILE, { words: 'lake', tags: ['water'], page: 1, limit: 100 })
  expect(found.total).toBeGreaterThanOrEqual(49)
  await again.close()
})

/** Overwrites an index of the file. */
function damageIndex(folder: string): void {
  const file = join(folder, 'library.sqlite')
  const db = new Sqlite(file)
  const root = db
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'bookmarks_by_content'")
    .pluck()
    .get() as number
  db.close()
  const bytes = readFileSync(file)
  bytes.fill(0, (root - 1) * 4096, root * 4096)
  writeFileSync(file, bytes)
}

test('an index of the file that is damaged is written anew', async () => {
  const folder = await library()
  damageIndex(folder)
  expect(states(folder)).toMatchObject({ library: 'problem' })
  expect(states(folder, true)).toEqual({ ...WELL, integrity: 'repaired' })
  expect(states(folder)).toEqual(WELL)
})

test('a library that is lost is a problem with advice, and a repair leaves it alone', async () => {
  const folder = await library()
  writeFileSync(join(folder, 'library.sqlite'), 'Dear diary')
  const { findings } = doctorLibrary(folder, true, NOW)
  expect(findings[0]).toEqual({
    check: 'library',
    state: 'problem',
    text: expect.stringContaining('not an Earmark library'),
    advice: expect.stringContaining('earmark restore')
  })
  expect(readFileSync(join(folder, 'library.sqlite'), 'utf8')).toBe('Dear diary')
})

test('what was cut short is found and removed', async () => {
  const folder = await library()
  writeFileSync(join(folder, 'library.sqlite.restored'), 'half')
  expect(states(folder)).toEqual({ ...WELL, leftovers: 'problem' })
  expect(states(folder, true)).toEqual({ ...WELL, leftovers: 'repaired' })
  expect(existsSync(join(folder, 'library.sqlite.restored'))).toBe(false)
})

/** A library with a picture of its own, one that is no bookmark's, and small copies of which one is nobody's. */
async function withPictures(): Promise<string> {
  const folder = await library()
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

test('pictures that no bookmark has are removed when asked to, and no others', async () => {
  const folder = await withPictures()
  expect(doctorLibrary(folder, false, NOW).findings).toContainEqual(
    expect.objectContaining({ check: 'pictures', state: 'ok', text: expect.stringContaining('no bookmark has: 2') })
  )
  expect(states(folder, true)).toEqual({ ...WELL, pictures: 'repaired' })
  expect(readdirSync(join(folder, 'pictures'))).toEqual([])
  expect(doctorLibrary(folder, false, NOW).findings).toContainEqual(
    expect.objectContaining({ check: 'pictures', state: 'ok', text: expect.stringContaining('Every picture is there') })
  )
  const again = await openLibrary(folder)
  expect(await again.hasOriginal(kept('mine').hash)).toBe(true)
  expect(await again.hasOriginal(kept('unused').hash)).toBe(false)
  await again.close()
})

test('a library that is written anew has its pictures still', async () => {
  const folder = await withPictures()
  damageIndex(folder)
  expect(states(folder, true)).toMatchObject({ integrity: 'repaired', references: 'ok', pictures: 'repaired' })
  const again = await openLibrary(folder)
  const original = await again.readOriginal(kept('mine').hash)
  expect(Buffer.from(original?.bytes ?? []).toString()).toBe('mine')
  expect(await again.uncoloredPicture()).toMatchObject({ preview: `${kept('mine').hash}.webp` })
  await again.close()
})

test.each([
  ['missing', 'DELETE FROM pictures WHERE size = 4', /missing: 1;.*saved: 0/, /Import an export/],
  ['changed', "UPDATE pictures SET bytes = x'00' WHERE size = 4", /missing: 0;.*saved: 1/, /Restore a backup/]
])('a bookmark whose picture is %s is found and stays', async (_, sql, text, advice) => {
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
