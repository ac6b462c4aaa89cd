import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { openWriteConnection, type WriteConnection } from '../../src-main/database/connection.ts'
import { openLibraryFile } from '../../src-main/database/library-file.ts'
import { migrate } from '../../src-main/database/migrate.ts'
import type { Migration } from '../../src-main/database/migrations.ts'
import { SCHEMA_VERSION } from '../../src-main/database/schema.ts'
import { indexFaults } from '../../src-main/search/sql/index-faults.ts'
import { emptyLibrary, libraryOf300, link, openedLibrary, PRIVATE, settle, titles } from '../store/library.ts'
import { tempFolder } from '../support/temp-folder.ts'

const NEXT: Migration = { version: 9990, sql: 'CREATE TABLE planted (id INTEGER PRIMARY KEY) STRICT;' }
const AFTER_NEXT: Migration = { version: 9995, sql: 'CREATE TABLE another (id INTEGER) STRICT;' }
const BROKEN: Migration = { version: 9991, sql: 'CREATE TABLE half (id INTEGER); INSERT INTO nowhere VALUES (1);' }

function version(db: WriteConnection): unknown {
  return db.pragma('user_version', { simple: true })
}

function schema(db: WriteConnection): unknown[] {
  return db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
}

const noBackup = () => {
  throw new Error('there is nothing to back up')
}

test('an empty file gets the whole schema, without a backup', () => {
  const db = openWriteConnection(join(tempFolder(), 'library.sqlite'))
  onTestFinished(() => void db.close())
  expect(migrate(db, noBackup)).toEqual([SCHEMA_VERSION])
  expect(version(db)).toBe(SCHEMA_VERSION)
  expect(migrate(db, noBackup)).toEqual([])
})

test('an existing library is backed up once, before the first of several migrations', () => {
  const { db } = emptyLibrary()
  const backups: unknown[] = []
  const applied = migrate(db, (from) => backups.push([from, version(db)]), [NEXT, AFTER_NEXT])
  expect(applied).toEqual([9990, 9995])
  expect(backups).toEqual([[SCHEMA_VERSION, SCHEMA_VERSION]])
})

test('a library is not migrated if the backup fails', () => {
  const { db } = emptyLibrary()
  const before = [version(db), schema(db)]
  expect(() => migrate(db, noBackup, [NEXT])).toThrow('nothing to back up')
  expect([version(db), schema(db)]).toEqual(before)
})

test('a failed migration leaves the version and schema of the one before', () => {
  const { db } = emptyLibrary()
  migrate(db, () => {}, [NEXT])
  const before = schema(db)
  expect(() => migrate(db, () => {}, [NEXT, BROKEN])).toThrow('nowhere')
  expect(version(db)).toBe(9990)
  expect(schema(db)).toEqual(before)
})

test('a library of a newer Earmark is refused unchanged', () => {
  const { db } = emptyLibrary()
  migrate(db, () => {}, [NEXT])
  expect(() => migrate(db, noBackup)).toThrow(
    expect.objectContaining({ name: 'Problem', code: 'store-too-new', message: expect.stringContaining('9990') })
  )
  expect(version(db)).toBe(9990)
})

test('a library without a step to the current schema is refused unchanged', () => {
  const { file, db } = emptyLibrary()
  db.pragma('user_version = 270')
  const before = schema(db)
  expect(() => openLibraryFile(file)).toThrow(
    expect.objectContaining({ name: 'Problem', code: 'store-too-old', message: expect.stringContaining('270') })
  )
  expect([version(db), schema(db)]).toEqual([270, before])
  expect(existsSync(join(dirname(file), 'backups'))).toBe(false)
})

test('opening a current library makes no backup', () => {
  const { file, saveBookmarks } = emptyLibrary()
  saveBookmarks(PRIVATE, [link('https://a.example/')])
  openLibraryFile(file).close()
  expect(existsSync(join(dirname(file), 'backups'))).toBe(false)
})

/** What tables, indexes and triggers a library has: columns in any order, other texts without their layout. */
function shape(db: WriteConnection): unknown[] {
  const entries = db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all() as {
    type: string
    name: string
    sql: string | null
  }[]
  return entries.map(({ type, name, sql }) => [
    type,
    name,
    type === 'table'
      ? db.prepare('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?) ORDER BY name').all(name)
      : sql?.replace(/--[^\n]*/g, '').replace(/\s+/g, ' ')
  ])
}

test('a library of schema 300 gets the schema of a new one and keeps every bookmark', () => {
  const file = libraryOf300()
  const before = new Sqlite(file)
  const all = (db: Sqlite.Database) =>
    db
      .prepare('SELECT public_id, url, title, description, content, created_at, deleted_at FROM bookmarks ORDER BY id')
      .all()
  const tags = (db: Sqlite.Database) =>
    db.prepare('SELECT bookmark_id, name FROM bookmark_tags JOIN tags ON id = tag_id ORDER BY 1, 2').all()
  const kept = [all(before), tags(before)]
  before.close()
  const { db } = openedLibrary(file)
  expect(version(db)).toBe(SCHEMA_VERSION)
  expect(shape(db)).toEqual(shape(emptyLibrary().db))
  expect([all(db), tags(db)]).toEqual(kept)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.pragma('foreign_key_check')).toEqual([])
})

test('bookmarks of schema 300 that were not indexed, or with earlier tags, are indexed after the step', () => {
  const library = openedLibrary(libraryOf300())
  expect(indexFaults(library.db)).toEqual([])
  expect(library.isIndexing(PROFILE)).toBe(true)
  settle(library)
  expect(indexFaults(library.db)).toEqual([])
  expect(titles(library, { words: 'waiting' }).sort()).toEqual(['Waiting note', 'Waiting one'])
  expect(titles(library, { words: 'crab', tags: ['deux'] })).toEqual(['A crab of a call'])
  while (library.rekeySome());
  expect(library.findDuplicates(1, 10)).toMatchObject({ settled: true })
})
