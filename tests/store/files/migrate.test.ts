import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { openWriteConnection, type WriteConnection } from '../../../src-main/store/connection.ts'
import { migrate } from '../../../src-main/store/files/migrate.ts'
import type { Migration } from '../../../src-main/store/files/migration.ts'
import { migrations } from '../../../src-main/store/files/migrations/all.ts'
import { openLibraryFile } from '../../../src-main/store/files/open-library-file.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { emptyLibrary, link, olderLibrary, openedLibrary, PRIVATE } from '../library.ts'

const NEXT: Migration = { version: 9990, sql: 'CREATE TABLE planted (id INTEGER PRIMARY KEY) STRICT;' }
const AFTER_NEXT: Migration = { version: 9995, sql: 'CREATE TABLE another (id INTEGER) STRICT;' }
const BROKEN: Migration = { version: 9991, sql: 'CREATE TABLE half (id INTEGER); INSERT INTO nowhere VALUES (1);' }
const NEWEST = migrations.at(-1)?.version

function version(db: WriteConnection): unknown {
  return db.pragma('user_version', { simple: true })
}

function schema(db: WriteConnection): unknown[] {
  return db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
}

const noBackup = () => {
  throw new Error('there is nothing to back up')
}

test('an empty file gets every migration, without a backup', () => {
  const db = openWriteConnection(join(tempFolder(), 'library.sqlite'))
  onTestFinished(() => void db.close())
  expect(migrate(db, noBackup)).toEqual(migrations.map(({ version }) => version))
  expect(version(db)).toBe(NEWEST)
  expect(migrate(db, noBackup)).toEqual([])
})

test('an existing library is backed up once, before the first of several migrations', () => {
  const { db } = emptyLibrary()
  const backups: unknown[] = []
  const applied = migrate(db, (from) => backups.push([from, version(db)]), [...migrations, NEXT, AFTER_NEXT])
  expect(applied).toEqual([9990, 9995])
  expect(backups).toEqual([[NEWEST, NEWEST]])
})

test('a library is not migrated if the backup fails', () => {
  const { db } = emptyLibrary()
  const before = [version(db), schema(db)]
  expect(() => migrate(db, noBackup, [...migrations, NEXT])).toThrow('nothing to back up')
  expect([version(db), schema(db)]).toEqual(before)
})

test('a failed migration leaves the version and schema of the one before', () => {
  const { db } = emptyLibrary()
  migrate(db, () => {}, [...migrations, NEXT])
  const before = schema(db)
  expect(() => migrate(db, () => {}, [...migrations, NEXT, BROKEN])).toThrow('nowhere')
  expect(version(db)).toBe(9990)
  expect(schema(db)).toEqual(before)
})

test('a library of a newer Earmark is refused unchanged', () => {
  const { db } = emptyLibrary()
  migrate(db, () => {}, [...migrations, NEXT])
  expect(() => migrate(db, noBackup)).toThrow(
    expect.objectContaining({ name: 'Problem', code: 'store-too-new', message: expect.stringContaining('9990') })
  )
  expect(version(db)).toBe(9990)
})

test('a library of the first version is migrated with its bookmarks, and its backup can be opened', () => {
  const file = olderLibrary(
    10,
    `INSERT INTO bookmarks (public_id, type, visibility, title, description, content, created_at, updated_at)
       VALUES ('a', 'text', 'private', 'Old', '', '', 1, 1)`
  )
  const library = openedLibrary(file)
  expect(version(library.db)).toBe(NEWEST)
  expect(library.countBookmarks(PROFILE)).toBe(1)

  const folder = join(dirname(file), 'backups')
  expect(readdirSync(folder)).toEqual(['before-migration-10.sqlite'])
  const backup = new Sqlite(join(folder, 'before-migration-10.sqlite'), { readonly: true })
  expect(backup.pragma('user_version', { simple: true })).toBe(10)
  expect(backup.pragma('quick_check', { simple: true })).toBe('ok')
  backup.close()
  expect(openedLibrary(join(folder, 'before-migration-10.sqlite')).countBookmarks(PROFILE)).toBe(1)
})

test('opening a current library makes no backup', () => {
  const { file, saveBookmarks } = emptyLibrary()
  saveBookmarks(PRIVATE, [link('https://a.example/')])
  openLibraryFile(file).close()
  expect(existsSync(join(dirname(file), 'backups'))).toBe(false)
})
