import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { checkLibraryFile, openLibraryFile } from '../../src-main/database/library-file.ts'
import { startThread } from '../../src-main/store/threads.ts'
import { overwriteBytes } from '../store/damaged-file.ts'
import { directCalls, link, openedLibrary, PRIVATE } from '../store/library.ts'
import { tempFolder } from '../support/temp-folder.ts'

function newFile(): string {
  return join(tempFolder(), 'library.sqlite')
}

function count(file: string): number {
  return openedLibrary(file).countBookmarks(PROFILE)
}

/** A closed library with a number of bookmarks. */
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

/** A closed SQLite file with what SQL puts into it. */
function sqliteFile(sql: string, file = newFile()): string {
  const db = new Sqlite(file)
  db.exec(sql)
  db.close()
  return file
}

test('a missing library is created, without leftovers', () => {
  const file = newFile()
  openLibraryFile(file).close()
  expect(readdirSync(dirname(file))).toEqual(['library.sqlite'])
  expect(count(file)).toBe(0)
})

test('saved bookmarks are there after the library is closed and opened', () => {
  expect(count(savedLibrary(3))).toBe(3)
})

test('a start that was interrupted while it created the library does not disturb the next one', () => {
  const file = newFile()
  writeFileSync(`${file}.new`, 'half a file')
  writeFileSync(`${file}.new-wal`, 'half a log')
  expect(count(file)).toBe(0)
  expect(existsSync(`${file}.new`)).toBe(false)
})

test('a missing library with a log is reported as damage, not as a first start', () => {
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
  ['a library of an early Earmark', 'store-too-old', () => sqliteFile('PRAGMA user_version = 270', savedLibrary(3))],
  ['a library of a newer Earmark', 'store-too-new', () => sqliteFile('PRAGMA user_version = 9990', savedLibrary(3))]
]

function written(text: string): string {
  const file = newFile()
  writeFileSync(file, text)
  return file
}

test.for(REFUSED)('%s is refused as %s and left unchanged', ([, code, make]) => {
  const file = make()
  const before = readFileSync(file)
  expect(() => openLibraryFile(file)).toThrow(expect.objectContaining({ name: 'Problem', code }))
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(readdirSync(dirname(file)).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['library.sqlite'])
})

test('a newer version in the log is refused, and both files are left unchanged', () => {
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

test('a folder in place of the library is refused and left alone', () => {
  const file = newFile()
  mkdirSync(file)
  expect(() => openLibraryFile(file)).toThrow(expect.objectContaining({ code: 'not-a-library' }))
  expect(readdirSync(dirname(file))).toEqual(['library.sqlite'])
})

test.for([
  ['cut off after its first page', (file: string) => truncateSync(file, 4096)],
  ['cut off in the middle', (file: string) => truncateSync(file, statSync(file).size / 2)],
  ['with its first page overwritten behind the header', (file: string) => overwriteBytes(file, 100, 3996)]
] as const)('a library %s is reported as damaged, never opened as an empty one', async ([, damage]) => {
  const file = savedLibrary(200)
  damage(file)
  await expect(startThread('writing', file)).rejects.toMatchObject({ name: 'Problem', code: 'library-damaged' })
})

test('checking a library leaves no file beside it and does not change it', () => {
  const file = savedLibrary(1)
  const { mtimeMs, size } = statSync(file)
  expect(checkLibraryFile(file)).toBe(1)
  expect(readdirSync(dirname(file))).toEqual(['library.sqlite'])
  expect(statSync(file)).toMatchObject({ mtimeMs, size })
})

test('a service that starts during a check keeps its log', () => {
  const file = savedLibrary(1)
  const { pragma } = Sqlite.prototype
  const during = vi.spyOn(Sqlite.prototype, 'pragma').mockImplementation(function (this: Sqlite.Database, ...args) {
    during.mockRestore()
    const db = openLibraryFile(file)
    onTestFinished(() => void db.close())
    directCalls(db).saveBookmarks(PRIVATE, [link('https://b.example/')])
    return pragma.apply(this, args)
  })
  checkLibraryFile(file)
  const copy = join(tempFolder(), 'library.sqlite')
  for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${copy}${end}`)
  expect(checkLibraryFile(copy)).toBe(2)
})
