import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { openWriteConnection, type WriteConnection } from '../../src-main/database/connection.ts'
import { checkLibraryFile, openLibraryFile } from '../../src-main/database/library-file.ts'
import type { Migration } from '../../src-main/database/migrations.ts'
import { migrate } from '../../src-main/database/migrations.ts'
import { SCHEMA_VERSION } from '../../src-main/database/schema.ts'
import { indexFaults } from '../../src-main/search/sql/search-index.ts'
import {
  emptyLibrary,
  libraryOf300,
  link,
  openedLibrary,
  PRIVATE,
  settle,
  titles,
  undoneWith
} from '../store/library.ts'
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

/** After every change in the library of schema 300. */
const LATER = 1790010000000

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

/** The tables of a library with their columns in order, and its indexes and triggers without their layout. */
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
      ? db.prepare('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?) ORDER BY cid').all(name)
      : sql?.replace(/--[^\n]*/g, '').replace(/\s+/g, ' ')
  ])
}

test('links of schema 300 are due as before, and a check whose links were still being selected ends as cancelled', () => {
  const file = libraryOf300()
  const before = new Sqlite(file)
  before.exec(`
    UPDATE bookmarks SET details_due = NULL, updated_at = 1000, unindexed = NULL;
    DELETE FROM page_details; DELETE FROM link_checks;
    INSERT INTO link_checks (bookmark_id, state, checked_at) VALUES (4, 'ok', 2000), (8, 'failing', 3000);
    INSERT INTO links_to_check (bookmark_id, due, round) VALUES (8, 4000, NULL), (10, 5000, 1)`)
  const links = before
    .prepare('SELECT count(*) FROM bookmarks WHERE page_key IS NOT NULL AND deleted_at IS NULL')
    .pluck()
  const count = links.get()
  before.close()
  const { db, linkCheck } = openedLibrary(file)
  expect(linkCheck()).toMatchObject({ cancelled: true, endedAt: expect.any(Number) })
  const due = db.prepare('SELECT due_at, count(*) FROM links_due WHERE requested = 0 GROUP BY due_at').raw().all()
  const month = 2_592_000_000
  expect(due).toEqual([
    [4000, 1],
    [1000 + month, Number(count) - 2],
    [2000 + month, 1]
  ])
})

test('a running check of schema 300 continues with its links', () => {
  const file = libraryOf300()
  const before = new Sqlite(file)
  before.exec(`UPDATE link_rounds SET choice = NULL, total = 3, checked = 1;
    INSERT INTO links_to_check (bookmark_id, due, round) VALUES (10, 5000, 1), (12, 6000, 1)`)
  before.close()
  const { dueLink, linkCheck, findBookmark } = openedLibrary(file)
  expect(linkCheck()).toMatchObject({ endedAt: null, total: 3, checked: 1 })
  expect(findBookmark(dueLink(5000, [], true)?.id ?? '')).toMatchObject({ type: 'link' })
  expect(dueLink(4999, [], true)).toBeUndefined()
})

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
  expect(checkLibraryFile(file)).toBe(kept[0]?.filter((row) => Object(row).deleted_at === null).length)
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
  while (library.rekeyBatch());
  expect(library.findDuplicates(1, 10)).toMatchObject({ settled: true })
})

test('imports of schema 300 stay listed and can be undone', () => {
  const library = openedLibrary(libraryOf300())
  const { db } = library
  expect(library.listImports()).toEqual([
    { id: 17, at: 1790009372000, imported: 2, undoneAt: null, joined: 0, file: null },
    { id: 16, at: 1790009312000, imported: 4, undoneAt: null, joined: 0, file: null },
    { id: 4, at: 1790002760000, imported: 2, undoneAt: null, joined: 0, file: null },
    { id: 3, at: 1790001500000, imported: 1, undoneAt: null, joined: 0, file: null },
    { id: 2, at: 1790001020000, imported: 1, undoneAt: null, joined: 0, file: null },
    { id: 1, at: 1790000600000, imported: 2, undoneAt: null, joined: 0, file: null }
  ])
  const inTrash = 'SELECT id, deleted_at, description FROM bookmarks WHERE id IN (59, 60, 65, 66) ORDER BY id'
  expect(library.undo({ import: 17 }, LATER)).toEqual({ undone: 2, kept: 0 })
  // These came from the trash, and return to it.
  expect(library.undo({ import: 16 }, LATER)).toEqual({ undone: 4, kept: 0 })
  expect(db.prepare(inTrash).raw().all()).toEqual([
    [59, LATER, 'a description'],
    [60, LATER, ''],
    [65, LATER, expect.any(String)],
    [66, LATER, expect.any(String)]
  ])
  expect(library.undo({ import: 5 }, LATER)).toBeUndefined()
  expect(library.beginImport(LATER)).toBe(18)
})

test('an import of schema 300 is undone although a rule moved one of its bookmarks to an organization since', () => {
  const library = openedLibrary(libraryOf300())
  library.db.exec("UPDATE bookmarks SET visibility = 'organization', organization_id = 1 WHERE id = 59")
  expect(library.undo({ import: 16 }, LATER)).toEqual({ undone: 4, kept: 0 })
  const placeOf = library.db.prepare('SELECT visibility, organization_id FROM bookmarks WHERE id = ?').raw()
  expect(placeOf.get(59)).toEqual(['public', null])
})

test('calls of schema 300 stay listed with their bookmarks and can be undone', () => {
  const library = openedLibrary(libraryOf300())
  const calls = library.listCalls('KLfAZQzqBTmLzXd3', Number.MAX_SAFE_INTEGER, 100)
  expect(calls).toHaveLength(26)
  expect(calls.filter(({ savedLeft, undoneAt }) => savedLeft > 0 || undoneAt !== null)).toMatchObject([
    { id: 26, undoneAt: null, undoable: 1, savedLeft: 1 },
    { id: 18, undoneAt: null, undoable: 0, savedLeft: 1 },
    { id: 10, savedLeft: 1 },
    { id: 8, savedLeft: 1 },
    { id: 7, savedLeft: 1 },
    { id: 6, savedLeft: 1 },
    { id: 5, savedLeft: 1 },
    { id: 1, undoneAt: 1790001320000, undoable: 0, savedLeft: 0 }
  ])
  expect(library.undo({ call: 26 }, LATER)).toEqual({ undone: 1, kept: 0 })
  expect(library.undo({ call: 1 }, LATER)).toBeUndefined()
})

test('changes of schema 300 can be undone and redone', () => {
  const library = openedLibrary(libraryOf300())
  const tags = () => library.listTags().map(({ name }) => name)
  const before = tags()
  // The newest step renamed a tag with its nested tag, and the step before it merged tags of 20 bookmarks.
  const undone = undoneWith(library.undoBatch, { step: 32 }, LATER)
  expect(tags()).not.toEqual(before)
  expect(undoneWith(library.undoBatch, { step: undone?.redo ?? 0 }, LATER)?.report).toEqual(undone?.report)
  expect(tags()).toEqual(before)
  expect(library.undo({ step: 30 }, LATER)?.undone).toBeGreaterThan(0)
  expect(library.undo({ step: -26 }, LATER)).toEqual({ undone: 1, kept: 0 })
})

test('texts of schema 330 become Markdown, and the pages of documents stay', () => {
  const file = libraryOf300()
  openLibraryFile(file).close()
  const before = new Sqlite(file)
  const text = '## Head\n\nA link, 1 * 2\n\nitem\n\nmore\n\nx\ty\n\n  a\n\n  b\n\nSaid'
  const at = (words: string) => ({ from: text.indexOf(words), to: text.indexOf(words) + words.length })
  const layout = {
    blocks: [
      { ...at('## Head'), kind: 'heading', level: 3 },
      { ...at('item'), kind: 'item', level: 1, number: 2 },
      { ...at('more'), kind: 'paragraph', level: 1 },
      { ...at('x\ty'), kind: 'row' },
      { ...at('  a\n\n  b'), kind: 'code' },
      { ...at('Said'), kind: 'paragraph', quoted: true }
    ],
    links: [{ ...at('link'), url: 'https://a.example/(x)' }],
    pictures: [{ at: text.length, url: 'https://a.example/p.png', alt: 'a [b]' }]
  }
  before.exec(`
    ALTER TABLE page_texts RENAME COLUMN markdown TO layout;
    DELETE FROM page_texts;
    UPDATE undo_bookmarks SET before = json_object('tabText', 'a *b*') WHERE (step_id, bookmark_id) = (SELECT step_id, bookmark_id FROM undo_bookmarks LIMIT 1);
    DROP TRIGGER page_moved;
    CREATE TRIGGER page_moved AFTER UPDATE OF url ON bookmarks BEGIN SELECT 1; END;
    DROP TABLE reading_places;
    DROP TABLE highlights;
    ALTER TABLE sync_log DROP COLUMN highlight;
    DROP TABLE page_copies;
    ALTER TABLE sessions ADD COLUMN tab_hash BLOB;
    DROP TRIGGER sync_rule_changed;
    ALTER TABLE rules DROP COLUMN copies;
    CREATE TRIGGER sync_rule_changed AFTER UPDATE OF query ON rules BEGIN SELECT 1; END;
    PRAGMA user_version = 330`)
  const insert = before.prepare('INSERT INTO page_texts (bookmark_id, text, from_tab, layout) VALUES (?, ?, ?, ?)')
  const ids = before.prepare('SELECT id FROM bookmarks ORDER BY id LIMIT 4').pluck().all()
  insert.run(ids[0], text, 0, JSON.stringify(layout))
  insert.run(ids[1], 'One.\n\nTwo.', 0, JSON.stringify({ blocks: [], links: [], pages: [6, 10] }))
  insert.run(ids[2], 'a plain file', 0, null)
  insert.run(ids[3], '## Mine\n\n<b> & *c*', 1, null)
  before.close()
  const { db, close } = openedLibrary(file)
  expect(db.prepare('SELECT text, markdown FROM page_texts ORDER BY bookmark_id').raw().all()).toEqual([
    [
      text,
      '### Head\n\nA [link](https://a.example/\\(x\\)), 1 \\* 2\n\n2. item\n\n   more\n\n| | |\n| - | - |\n| x | y |\n\n' +
        '````\n  a\n\n  b\n````\n\n> Said\n\n![a \\[b\\]](https://a.example/p.png)'
    ],
    ['One.\fTwo.\f', null],
    ['a plain file', null],
    ['## Mine\n\n<b> & *c*', '## Mine\n\n\\<b\\> \\& \\*c\\*']
  ])
  const before340 = db
    .prepare("SELECT before ->> '$.tabText' FROM undo_bookmarks WHERE before LIKE '%tabText%'")
    .pluck()
  expect(before340.all()).toEqual(['{"text":"a *b*","markdown":"a \\\\*b\\\\*"}'])
  close()
})
