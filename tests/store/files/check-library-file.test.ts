import { copyFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkLibraryFile } from '../../../src-main/store/files/check-library-file.ts'
import { openLibraryFile } from '../../../src-main/store/files/open-library-file.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { directCalls, link, PRIVATE } from '../library.ts'

/** A library of one bookmark that nobody has open. */
function closedLibrary(): string {
  const file = join(tempFolder(), 'library.sqlite')
  const db = openLibraryFile(file)
  directCalls(db).saveBookmarks(PRIVATE, [link('https://a.example/1')])
  db.close()
  return file
}

test('looking through a library leaves nothing beside it and no trace in it', () => {
  const file = closedLibrary()
  const { mtimeMs, size } = statSync(file)
  expect(checkLibraryFile(file)).toBe(1)
  expect(readdirSync(dirname(file))).toEqual(['library.sqlite'])
  expect(statSync(file)).toMatchObject({ mtimeMs, size })
})

test('a service that starts while its library is looked through keeps its log', () => {
  const file = closedLibrary()
  const { pragma } = Sqlite.prototype
  const during = vi.spyOn(Sqlite.prototype, 'pragma').mockImplementation(function (this: Sqlite.Database, ...args) {
    during.mockRestore()
    const db = openLibraryFile(file)
    onTestFinished(() => {
      db.close()
    })
    directCalls(db).saveBookmarks(PRIVATE, [link('https://a.example/2')])
    return pragma.apply(this, args)
  })
  checkLibraryFile(file)
  const copy = join(tempFolder(), 'library.sqlite')
  for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${copy}${end}`)
  expect(checkLibraryFile(copy)).toBe(2)
})
