import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { startNodeProcess } from '../../../src-main/host/own-program.ts'
import { readPlaces } from '../../../src-main/store/files/read-places.ts'
import { everything, testPorts } from '../../actions/ports.ts'
import { DATABASES, MOZ_BOOKMARKS, MOZ_PLACES } from '../../support/hostile-files.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** The database of a running Firefox: locked, its rows still in the log. */
function places(): string {
  const file = join(tempFolder(), 'places.sqlite')
  const db = new Sqlite(file)
  onTestFinished(() => void db.close())
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
  const report = await importLibrary(ports, PROFILE, bytesOf(await readPlaces(places(), startNodeProcess)))
  expect(report).toMatchObject({ imported: 2, duplicate: 0, skipped: { separators: 1 } })
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

test('another database and a file that only looks like one are refused with a reason', async () => {
  const folder = tempFolder()
  const other = new Sqlite(join(folder, 'other.sqlite'))
  other.exec('CREATE TABLE a (b)')
  other.close()
  writeFileSync(join(folder, 'broken.sqlite'), `SQLite format 3\0${'x'.repeat(5000)}`)
  for (const name of ['other.sqlite', 'broken.sqlite']) {
    await expect(readPlaces(join(folder, name), startNodeProcess)).rejects.toThrow(/no Firefox bookmarks/)
  }
})

/** A hostile database. */
function database(sql: string): string {
  const file = join(tempFolder(), 'places.sqlite')
  const db = new Sqlite(file)
  db.exec(sql)
  db.close()
  return file
}

const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000)'

test.each([
  ...DATABASES.map(([name, sql]) => [`${name} in place of a table`, sql, /is not a plain table/] as const),
  [
    'folders nested 200,000 deep',
    `${MOZ_BOOKMARKS} ${MOZ_PLACES} ${NUMBERS} INSERT INTO moz_bookmarks (id, type, parent, position, title, guid)
       SELECT i, 2, i - 1, 0, 'f', 'g' || i FROM n`,
    /nested more/
  ] as const
])('a database with %s is refused with a reason', async (_, sql, reason) => {
  await expect(readPlaces(database(sql), startNodeProcess)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(reason)
  })
})

test('a tag of 200,000 bookmarks is read in linear time', async () => {
  const file = database(`${MOZ_BOOKMARKS} ${MOZ_PLACES}
    INSERT INTO moz_places VALUES (1, 'https://a.example/');
    INSERT INTO moz_bookmarks (id, type, parent, position, guid)
      VALUES (1000001, 2, 0, 0, 'root'), (1000002, 2, 1000001, 0, 'tags________'), (1000003, 2, 1000002, 0, 't');
    ${NUMBERS} INSERT INTO moz_bookmarks (id, type, fk, parent, position, guid) SELECT i, 1, 1, 1000003, i, 'g' || i FROM n`)
  expect(await readPlaces(file, startNodeProcess)).toContain('placesRoot')
})

test('bookmarks in missing or circular folders are read without a folder', async () => {
  const file = database(`${MOZ_BOOKMARKS} ${MOZ_PLACES}
    INSERT INTO moz_places VALUES (1, 'https://lost.example/'), (2, 'https://loop.example/');
    INSERT INTO moz_bookmarks (id, type, fk, parent, position, title, guid) VALUES (1, 2, NULL, 0, 0, '', 'root________'),
      (2, 1, 1, 99, 0, 'Lost', 'a'), (3, 2, NULL, 4, 0, 'f', 'b'), (4, 2, NULL, 3, 0, 'g', 'c'), (5, 1, 2, 4, 0, 'Loop', 'd')`)
  const { children } = JSON.parse(await readPlaces(file, startNodeProcess))
  expect(children).toMatchObject([{ uri: 'https://loop.example/' }, { uri: 'https://lost.example/' }])
})

test('a process that does not answer is killed', async () => {
  let killed = false
  const stuck = { send() {}, onReply() {}, kill: () => (killed = true) }
  await expect(readPlaces(places(), () => stuck as never, 50)).rejects.toThrow(/takes too long/)
  expect(killed).toBe(true)
})
