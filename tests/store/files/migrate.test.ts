import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { openWriteConnection, type WriteConnection } from '../../../src-main/store/connection.ts'
import { migrate } from '../../../src-main/store/files/migrate.ts'
import type { Migration } from '../../../src-main/store/files/migration.ts'
import { library } from '../../../src-main/store/files/migrations/010-library.ts'
import { migrations } from '../../../src-main/store/files/migrations/all.ts'
import { openLibraryFile } from '../../../src-main/store/files/open-library-file.ts'
import { countBookmarks } from '../../../src-main/store/search/searches.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { emptyLibrary, link, PRIVATE } from '../library.ts'

const NEXT: Migration = { version: 9990, sql: 'CREATE TABLE planted (id INTEGER PRIMARY KEY) STRICT;' }
const BROKEN: Migration = { version: 9991, sql: 'CREATE TABLE half (id INTEGER); INSERT INTO nowhere VALUES (1);' }

/** A writing connection to a file that holds nothing yet. */
function emptyFile(): WriteConnection {
  const db = openWriteConnection(join(tempFolder(), 'library.sqlite'))
  onTestFinished(() => {
    db.close()
  })
  return db
}

function version(db: WriteConnection): unknown {
  return db.pragma('user_version', { simple: true })
}

function schema(db: WriteConnection): unknown[] {
  return db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
}

const noBackup = () => {
  throw new Error('there is nothing to back up')
}

test('versions are numbered in tens and go up', () => {
  const versions = migrations.map((one) => one.version)
  expect(versions.filter((version) => version % 10 !== 0)).toEqual([])
  expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
})

test('an empty file gets every step, with no backup of nothing', () => {
  const db = emptyFile()
  expect(migrate(db, noBackup)).toEqual(migrations.map((one) => one.version))
  expect(version(db)).toBe(migrations.at(-1)?.version)
  expect(migrate(db, noBackup)).toEqual([])
})

test('migration 10 makes the library from nothing', () => {
  const db = emptyFile()
  migrate(db, noBackup, [library])
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all()
  expect(tables).toEqual(
    expect.arrayContaining(['api_keys', 'bookmark_tags', 'bookmarks', 'organizations', 'sessions', 'settings', 'tags'])
  )
  expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([])
})

test('every table with rows of ours is strict', () => {
  const { db } = emptyLibrary()
  const loose = db.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0")
  expect(
    loose
      .pluck()
      .all()
      .filter((name) => !String(name).startsWith('sqlite_'))
  ).toEqual([])
})

test.for([
  [
    'the same page',
    'SELECT id FROM bookmarks WHERE ifnull(organization_id, 0) = 0 AND page_key = ?',
    'bookmarks_by_page'
  ],
  ['a tag', 'SELECT bookmark_id FROM bookmark_tags WHERE tag_id = ?', 'bookmark_tags_by_tag'],
  ['a key', 'SELECT id FROM api_keys WHERE hash = ?', 'sqlite_autoindex_api_keys_2'],
  ['an organization', 'SELECT id FROM bookmarks WHERE organization_id = ? LIMIT 200', 'bookmarks_by_organization']
])('looking for %s uses an index', ([, sql = '', index = '']) => {
  const plan = emptyLibrary().db.prepare<[string], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all('x')
  expect(plan.map((step) => step.detail).join()).toContain(index)
})

test('an existing library is backed up once, before the first of several steps', () => {
  const { db } = emptyLibrary()
  const newest = version(db)
  const seen: unknown[] = []
  const again: Migration = { version: 9995, sql: 'CREATE TABLE another (id INTEGER) STRICT;' }
  const applied = migrate(db, (from) => seen.push([from, version(db)]), [...migrations, NEXT, again])
  expect(applied).toEqual([9990, 9995])
  expect(seen).toEqual([[newest, newest]])
})

test('no step is taken when the backup fails', () => {
  const { db } = emptyLibrary()
  const before = [version(db), schema(db)]
  expect(() => migrate(db, noBackup, [...migrations, NEXT])).toThrow('nothing to back up')
  expect([version(db), schema(db)]).toEqual(before)
})

test('a failing step leaves version and schema as the step before left them', () => {
  const { db } = emptyLibrary()
  migrate(db, () => {}, [...migrations, NEXT])
  const before = schema(db)
  expect(() => migrate(db, () => {}, [...migrations, NEXT, BROKEN])).toThrow('nowhere')
  expect(version(db)).toBe(9990)
  expect(schema(db)).toEqual(before)
})

test('a library from a newer Earmark is refused before anything is done to it', () => {
  const { db } = emptyLibrary()
  migrate(db, () => {}, [...migrations, NEXT])
  expect(() => migrate(db, noBackup)).toThrow(
    expect.objectContaining({ name: 'Problem', code: 'store-too-new', message: expect.stringContaining('9990') })
  )
  expect(version(db)).toBe(9990)
})

/** A library as the first release left it, with one bookmark in it. */
function oldLibrary(): string {
  const file = join(tempFolder(), 'library.sqlite')
  const db = openWriteConnection(file)
  migrate(db, noBackup, [library])
  db.exec(`INSERT INTO bookmarks (public_id, type, visibility, title, description, content, created_at, updated_at)
    VALUES ('a', 'text', 'private', 'Old', '', '', 1, 1)`)
  db.close()
  return file
}

test('an old library is brought up to date and keeps what it holds; a whole backup lies beside it', () => {
  const file = oldLibrary()
  const db = openLibraryFile(file)
  onTestFinished(() => {
    db.close()
  })
  expect(version(db)).toBe(migrations.at(-1)?.version)
  expect(countBookmarks(db, PROFILE)).toBe(1)

  const folder = join(dirname(file), 'backups')
  expect(readdirSync(folder)).toEqual(['before-migration-10.sqlite'])
  const backup = new Sqlite(join(folder, 'before-migration-10.sqlite'), { readonly: true })
  onTestFinished(() => {
    backup.close()
  })
  expect(backup.pragma('user_version', { simple: true })).toBe(10)
  expect(backup.pragma('quick_check', { simple: true })).toBe('ok')
  expect(backup.prepare('SELECT title FROM bookmarks').pluck().all()).toEqual(['Old'])
})

test('a backup is itself a library that can be opened', () => {
  const file = oldLibrary()
  openLibraryFile(file).close()
  const db = openLibraryFile(join(dirname(file), 'backups', 'before-migration-10.sqlite'))
  onTestFinished(() => {
    db.close()
  })
  expect(countBookmarks(db, PROFILE)).toBe(1)
})

test('a library that is up to date is not backed up by opening it', () => {
  const { file, saveBookmarks } = emptyLibrary()
  saveBookmarks(PRIVATE, [link('https://a.example/')])
  openLibraryFile(file).close()
  expect(existsSync(join(dirname(file), 'backups'))).toBe(false)
})
