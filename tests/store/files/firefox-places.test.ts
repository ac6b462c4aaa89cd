import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { firefoxPlaces } from '../../../src-main/store/files/firefox-places.ts'
import { everything, testPorts } from '../../actions/ports.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** A profile's database as a running Firefox has it: locked, its rows still in the log. */
function places(): string {
  const file = join(tempFolder(), 'places.sqlite')
  const db = new Sqlite(file)
  onTestFinished(() => {
    db.close()
  })
  db.pragma('journal_mode = WAL')
  db.exec(`
    CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT, title TEXT, description TEXT);
    CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER, parent INTEGER, position INTEGER,
      title TEXT, dateAdded INTEGER, lastModified INTEGER, guid TEXT);
    INSERT INTO moz_places (id, url) VALUES (1, 'https://a.example/'), (2, 'https://b.example/'), (3, 'place:sort=8');
    INSERT INTO moz_bookmarks (id, type, fk, parent, position, title, dateAdded, guid) VALUES
      (1, 2, NULL, 0, 0, '', 1, 'root________'),
      (2, 2, NULL, 1, 0, 'menu', 1, 'menu________'),
      (3, 2, NULL, 1, 1, 'toolbar', 1, 'toolbar_____'),
      (4, 2, NULL, 1, 2, 'tags', 1, 'tags________'),
      (5, 2, NULL, 3, 0, 'Work', 1, 'folder______'),
      (6, 1, 1, 5, 0, 'A', 1500000000000000, 'a___________'),
      (7, 3, NULL, 5, 1, NULL, 1, 'separator___'),
      (8, 1, 2, 2, 0, NULL, 1600000000000000, 'b___________'),
      (9, 1, 3, 2, 1, 'Recent', 1, 'smart_______'),
      (10, 2, NULL, 4, 0, 'red', 1, 'tag_________'),
      (11, 1, 1, 10, 0, NULL, 1, 'tagging_____')
  `)
  db.pragma('locking_mode = EXCLUSIVE')
  db.exec('BEGIN EXCLUSIVE; UPDATE moz_bookmarks SET lastModified = 2')
  return file
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

test('the database of a running Firefox is read, with folders, tags and dates', async () => {
  const ports = await testPorts()
  const report = await importLibrary(ports, PROFILE, bytesOf(firefoxPlaces(places())))
  expect(report).toMatchObject({ imported: 2, duplicate: 0 })
  expect((await everything(ports)).map(({ url, title, tags, createdAt }) => ({ url, title, tags, createdAt }))).toEqual(
    expect.arrayContaining([
      {
        url: 'https://a.example/',
        title: 'A',
        tags: expect.arrayContaining(['red', 'Work']),
        createdAt: 1_500_000_000_000
      },
      { url: 'https://b.example/', title: '', tags: [], createdAt: 1_600_000_000_000 }
    ])
  )
})

test('another database, and what only looks like one, is refused in words', () => {
  const folder = tempFolder()
  const other = new Sqlite(join(folder, 'other.sqlite'))
  other.exec('CREATE TABLE a (b)')
  other.close()
  writeFileSync(join(folder, 'broken.sqlite'), `SQLite format 3\0${'x'.repeat(5000)}`)
  for (const name of ['other.sqlite', 'broken.sqlite']) {
    expect(() => firefoxPlaces(join(folder, name))).toThrow(/no Firefox bookmarks/)
  }
})
