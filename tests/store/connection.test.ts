import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { APPLICATION_ID, asProblem, openReadConnection, openWriteConnection } from '../../src-main/store/connection.ts'
import { migrations } from '../../src-main/store/files/migrations/all.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { emptyLibrary, link, PRIVATE } from './library.ts'

test.for([
  ['journal_mode', 'wal'],
  ['synchronous', 2],
  ['foreign_keys', 1],
  ['trusted_schema', 0],
  ['cell_size_check', 1],
  ['busy_timeout', 0],
  ['journal_size_limit', 67108864],
  ['application_id', APPLICATION_ID],
  ['user_version', migrations.at(-1)?.version],
  ['encoding', 'UTF-8']
] as const)('the writing connection has %s = %s', ([name, value]) => {
  expect(emptyLibrary().db.pragma(name, { simple: true })).toBe(value)
})

test('the application id spells EMRK in the file', () => {
  expect(APPLICATION_ID.toString(16)).toBe(Buffer.from('EMRK').toString('hex'))
})

test('a reading connection can read and not write', () => {
  const { file } = emptyLibrary()
  const db = openReadConnection(file)
  onTestFinished(() => {
    db.close()
  })
  expect(db.pragma('query_only', { simple: true })).toBe(1)
  expect(db.pragma('trusted_schema', { simple: true })).toBe(0)
  expect(db.prepare('SELECT count(*) AS count FROM bookmarks').get()).toEqual({ count: 0 })
  expect(() => db.prepare("INSERT INTO settings VALUES ('a', '1')").run()).toThrow(/readonly/)
})

test('a second writing connection is refused at once instead of waiting', () => {
  const { file, db } = emptyLibrary()
  const other = openWriteConnection(file)
  onTestFinished(() => {
    other.close()
  })
  db.transaction(() => {
    db.prepare("INSERT INTO settings VALUES ('a', '1')").run()
    expect(() => other.prepare("INSERT INTO settings VALUES ('b', '1')").run()).toThrow(/locked/)
  })()
})

test('a library that is not there cannot be opened for reading', () => {
  const file = join(tempFolder(), 'library.sqlite')
  expect(() => openReadConnection(file)).toThrow(expect.objectContaining({ code: 'data-folder-unusable' }))
})

test('a file that is no database is named as such', () => {
  const file = join(tempFolder(), 'library.sqlite')
  writeFileSync(file, 'Dear diary, '.repeat(1000))
  expect(() => openWriteConnection(file)).toThrow(expect.objectContaining({ code: 'not-a-library' }))
})

test.for([
  ['SQLITE_NOTADB', 'not-a-library'],
  ['SQLITE_CORRUPT', 'library-damaged'],
  ['SQLITE_CORRUPT_INDEX', 'library-damaged'],
  ['SQLITE_CORRUPT_VTAB', 'library-damaged'],
  ['SQLITE_FULL', 'disk-full'],
  ['SQLITE_IOERR_WRITE', 'disk-full'],
  ['SQLITE_READONLY', 'data-folder-unusable'],
  ['SQLITE_READONLY_DIRECTORY', 'data-folder-unusable'],
  ['SQLITE_CANTOPEN', 'data-folder-unusable']
])("SQLite's %s is the problem %s, told without SQL", ([code = '', problem]) => {
  const error = asProblem(new Sqlite.SqliteError('SELECT secret FROM /home/me', code))
  expect(error).toMatchObject({ name: 'Problem', code: problem })
  expect((error as Error).message).not.toMatch(/SELECT|home/)
})

test.for(['SQLITE_CONSTRAINT_CHECK', 'SQLITE_ERROR', 'SQLITE_MISUSE'])("SQLite's %s stays the bug it is", (code) => {
  const error = new Sqlite.SqliteError('no such column', code)
  expect(asProblem(error)).toBe(error)
})

test('a full disk is a problem; reading goes on, nothing is half saved, and saving works again with space', () => {
  const { db, saveBookmarks, countBookmarks } = emptyLibrary()
  saveBookmarks(PRIVATE, [link('https://a.example/before')])
  const pages = db.pragma('page_count', { simple: true }) as number
  db.pragma(`max_page_count = ${pages}`)
  const many = Array.from({ length: 500 }, (_, index) =>
    link(`https://a.example/${index}`, { description: 'words '.repeat(300) })
  )
  expect(problemOf(() => saveBookmarks(PRIVATE, many))).toMatchObject({ code: 'disk-full' })
  expect(countBookmarks({ owner: null, readOnly: false })).toBe(1)

  db.pragma('max_page_count = 1000000')
  expect(saveBookmarks(PRIVATE, many).every((one) => one.status === 'saved')).toBe(true)
  expect(countBookmarks({ owner: null, readOnly: false })).toBe(501)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
})

function problemOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return asProblem(error)
  }
}
