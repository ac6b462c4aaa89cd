import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { WriteConnection } from '../../../src-main/store/connection.ts'
import { openLibraryFile } from '../../../src-main/store/files/open-library-file.ts'
import { countBookmarks } from '../../../src-main/store/search/searches.ts'
import { startThread } from '../../../src-main/store/worker/client.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { directCalls, link, PRIVATE } from '../library.ts'

function newFile(): string {
  return join(tempFolder(), 'library.sqlite')
}

function open(file: string): WriteConnection {
  const db = openLibraryFile(file)
  onTestFinished(() => {
    db.close()
  })
  return db
}

/** A closed library with so many bookmarks. */
function savedLibrary(count: number): string {
  const file = newFile()
  const db = openLibraryFile(file)
  directCalls(db).saveBookmarks(
    PRIVATE,
    Array.from({ length: count }, (_, index) => link(`https://a.example/${index}`, { title: `Page ${index}` }))
  )
  db.close()
  return file
}

/** A closed SQLite file after this SQL. */
function sqliteFile(sql: string, file = newFile()): string {
  const db = new Sqlite(file)
  db.exec(sql)
  db.close()
  return file
}

test('where there is no library a whole new one is made, and nothing is left over', () => {
  const file = newFile()
  openLibraryFile(file).close()
  expect(readdirSync(dirname(file))).toEqual(['library.sqlite'])
  expect(countBookmarks(open(file), PROFILE)).toBe(0)
})

test('what is saved is there after closing and opening', () => {
  expect(countBookmarks(open(savedLibrary(3)), PROFILE)).toBe(3)
})

test('a start that was cut short while making the library does not spoil the next', () => {
  const file = newFile()
  writeFileSync(`${file}.new`, 'half a file')
  writeFileSync(`${file}.new-wal`, 'half a log')
  expect(countBookmarks(open(file), PROFILE)).toBe(0)
  expect(existsSync(`${file}.new`)).toBe(false)
})

test('a library that is gone while its log is still there is damage, not a first start', () => {
  const file = newFile()
  const db = openLibraryFile(file)
  directCalls(db).saveBookmarks(PRIVATE, [link('https://a.example/')])
  const other = newFile()
  copyFileSync(`${file}-wal`, `${other}-wal`)
  db.close()
  const log = readFileSync(`${other}-wal`)
  expect(() => openLibraryFile(other)).toThrow(expect.objectContaining({ code: 'library-damaged' }))
  expect(readFileSync(`${other}-wal`).equals(log)).toBe(true)
})

const REFUSED: [what: string, code: string, make: () => string][] = [
  ['an empty file', 'library-damaged', () => written('')],
  ['a text', 'not-a-library', () => written('Dear diary')],
  ['a long text', 'not-a-library', () => written('Dear diary, '.repeat(10_000))],
  ['zeros', 'not-a-library', () => written('\0'.repeat(8192))],
  ['a bare SQLite header', 'not-a-library', () => written('SQLite format 3\0')],
  ['a database of another program', 'not-a-library', () => sqliteFile('PRAGMA application_id = 7; CREATE TABLE a (b)')],
  ['a database without an owner', 'not-a-library', () => sqliteFile('CREATE TABLE bookmarks (id)')],
  ['a library of a newer Earmark', 'store-too-new', () => sqliteFile('PRAGMA user_version = 9990', savedLibrary(3))]
]

function written(text: string): string {
  const file = newFile()
  writeFileSync(file, text)
  return file
}

test.for(REFUSED)('%s is refused as %s, and not a byte of it is changed', ([, code, make]) => {
  const file = make()
  const before = readFileSync(file)
  expect(() => openLibraryFile(file)).toThrow(expect.objectContaining({ name: 'Problem', code }))
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(readdirSync(dirname(file)).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['library.sqlite'])
})

test('a library of a newer Earmark is refused by what its log says, and neither is changed', () => {
  const file = newFile()
  const db = openLibraryFile(file)
  db.pragma('user_version = 9990')
  const other = newFile()
  for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${other}${end}`)
  db.close()
  const before = ['', '-wal'].map((end) => readFileSync(`${other}${end}`).toString('base64'))
  expect(() => openLibraryFile(other)).toThrow(expect.objectContaining({ code: 'store-too-new' }))
  expect(['', '-wal'].map((end) => readFileSync(`${other}${end}`).toString('base64'))).toEqual(before)
})

test('a folder in the place of the library is refused and left alone', () => {
  const file = newFile()
  mkdirSync(file)
  expect(() => openLibraryFile(file)).toThrow(expect.objectContaining({ code: 'not-a-library' }))
  expect(readdirSync(dirname(file))).toEqual(['library.sqlite'])
})

test.for([
  ['cut off after its first page', (file: string) => truncateSync(file, 4096)],
  ['cut off in the middle', (file: string) => truncateSync(file, statSync(file).size / 2)],
  ['with its first page overwritten behind the header', (file: string) => overwrite(file, 100, 3996)]
] as const)('a library %s is reported as damaged, never opened as an empty one', async ([, damage]) => {
  const file = savedLibrary(200)
  damage(file)
  await expect(startThread('writing', file)).rejects.toMatchObject({ name: 'Problem', code: 'library-damaged' })
})

function overwrite(file: string, from: number, length: number): void {
  const bytes = readFileSync(file)
  bytes.fill(0xa5, from, from + length)
  writeFileSync(file, bytes)
}

test('a library can be moved and opened elsewhere', () => {
  const file = savedLibrary(3)
  const other = newFile()
  renameSync(file, other)
  expect(countBookmarks(open(other), PROFILE)).toBe(3)
})
