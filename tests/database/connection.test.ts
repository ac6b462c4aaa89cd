import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { asProblem, openReadConnection, openWriteConnection } from '../../src-main/database/connection.ts'
import { readRows, readTuples } from '../../src-main/database/sql.ts'
import { emptyLibrary, link, PRIVATE } from '../store/library.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a write is durable, and the file is checked and limited', () => {
  const { db } = emptyLibrary()
  const names = [
    'journal_mode',
    'synchronous',
    'foreign_keys',
    'trusted_schema',
    'cell_size_check',
    'journal_size_limit'
  ]
  expect(names.map((name) => db.pragma(name, { simple: true }))).toEqual(['wal', 2, 1, 0, 1, 67108864])
})

test('a reading connection can read and not write', () => {
  const { file } = emptyLibrary()
  const db = openReadConnection(file)
  onTestFinished(() => void db.close())
  expect(db.pragma('trusted_schema', { simple: true })).toBe(0)
  expect(db.prepare('SELECT count(*) FROM bookmarks').pluck().get()).toBe(0)
  expect(() => db.prepare("INSERT INTO settings VALUES ('a', '1')").run()).toThrow(/readonly/)
})

test('a second writing connection is refused at once instead of waiting', () => {
  const { file, db } = emptyLibrary()
  const other = openWriteConnection(file)
  onTestFinished(() => void other.close())
  db.transaction(() => {
    db.prepare("INSERT INTO settings VALUES ('a', '1')").run()
    expect(() => other.prepare("INSERT INTO settings VALUES ('b', '1')").run()).toThrow(/locked/)
  })()
})

test('a missing library cannot be opened to read, and a file that is no database not at all', () => {
  const file = join(tempFolder(), 'library.sqlite')
  expect(() => openReadConnection(file)).toThrow(expect.objectContaining({ code: 'data-folder-unusable' }))
  writeFileSync(file, 'Dear diary, '.repeat(1000))
  expect(() => openWriteConnection(file)).toThrow(expect.objectContaining({ code: 'not-a-library' }))
})

test('values in an SQL template are bound and never part of the statement', () => {
  const { db } = emptyLibrary()
  const read = (text: string) => readTuples(db)`SELECT ${text}, ${1} WHERE ${text} <> ${"'; --"}`
  expect([read("o'neill"), read('?'), read("'; --")]).toEqual([[["o'neill", 1]], [['?', 1]], []])
})

function problemOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return asProblem(error)
  }
}

test('a missing table is reported as damage', () => {
  const error = problemOf(() => readRows(emptyLibrary().db, 'SELECT * FROM no_table'))
  expect(error).toMatchObject({ name: 'Problem', code: 'library-damaged' })
})

test.for([
  ['SQLITE_NOTADB', 'not-a-library'],
  ['SQLITE_CORRUPT', 'library-damaged'],
  ['SQLITE_CORRUPT_VTAB', 'library-damaged'],
  ['SQLITE_FULL', 'disk-full'],
  ['SQLITE_IOERR_WRITE', 'disk-full'],
  ['SQLITE_READONLY', 'data-folder-unusable'],
  ['SQLITE_READONLY_DIRECTORY', 'data-folder-unusable'],
  ['SQLITE_CANTOPEN', 'data-folder-unusable']
])("SQLite's %s is reported as the Problem %s, without SQL", ([code = '', problem]) => {
  const error = asProblem(new Sqlite.SqliteError('SELECT secret FROM /home/me', code))
  expect(error).toMatchObject({ name: 'Problem', code: problem })
  expect((error as Error).message).not.toMatch(/SELECT|home/)
})

test.for(['SQLITE_CONSTRAINT_CHECK', 'SQLITE_ERROR', 'SQLITE_MISUSE'])("SQLite's %s stays a bug", (code) => {
  const error = new Sqlite.SqliteError('no such column', code)
  expect(asProblem(error)).toBe(error)
})

test('a full disk is a Problem: reads continue, no batch is saved in part, and saving works again with space', () => {
  const { db, saveBookmarks, countBookmarks } = emptyLibrary()
  saveBookmarks(PRIVATE, [link('https://a.example/before')])
  const pages = db.pragma('page_count', { simple: true }) as number
  db.pragma(`max_page_count = ${pages}`)
  const many = Array.from({ length: 500 }, (_, index) =>
    link(`https://a.example/${index}`, { description: 'words '.repeat(300) })
  )
  expect(problemOf(() => saveBookmarks(PRIVATE, many))).toMatchObject({ code: 'disk-full' })
  expect(countBookmarks(PROFILE)).toBe(1)

  db.pragma('max_page_count = 1000000')
  expect(saveBookmarks(PRIVATE, many).every(({ status }) => status === 'saved')).toBe(true)
  expect(countBookmarks(PROFILE)).toBe(501)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
})
