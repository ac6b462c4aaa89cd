import { hash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openLibraryFile } from '../../src-main/database/library-file.ts'
import { restoreLibraryFile, setAside } from '../../src-main/database/restore.ts'
import { openLibrary } from '../../src-main/store/open-library.ts'
import { overwriteBytes } from '../store/damaged-file.ts'
import { emptyLibrary, link, PRIVATE, startedLibrary } from '../store/library.ts'
import { tempFolder } from '../support/temp-folder.ts'

const NOW = Date.UTC(2026, 0, 2)

/** A hash of every row of the tables with the owner's data. */
function rowsOf(file: string): string {
  const db = openLibraryFile(file)
  try {
    const tables = ['bookmarks', 'tags', 'bookmark_tags', 'organizations', 'api_keys', 'settings']
    const rows = tables.map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all())
    return hash('sha256', JSON.stringify(rows))
  } finally {
    db.close()
  }
}

/** An open library, and a backup of it from before its last bookmark. */
async function openWithLog(): Promise<{ file: string; backup: string }> {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [link('https://a.example/1', { tags: ['red'] }), link('https://a.example/2')])
  const backup = join(tempFolder(), 'backup.sqlite')
  await library.db.backup(backup)
  library.saveBookmarks(PRIVATE, [link('https://a.example/3')])
  return { file: library.file, backup }
}

/** The files of a library in another folder, as a killed process leaves them. */
function abandoned(file: string): string {
  const copy = join(tempFolder(), 'library.sqlite')
  for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${copy}${end}`)
  return copy
}

test('a restore replaces the library row for row, and keeps the old one with its log as a backup', async () => {
  const { file, backup } = await openWithLog()
  const copy = abandoned(file)
  expect(statSync(`${copy}-wal`).size).toBeGreaterThan(0)
  const [before, expected] = [rowsOf(abandoned(file)), rowsOf(backup)]
  const report = await restoreLibraryFile(copy, backup, NOW)
  expect(report).toEqual({
    from: expect.any(Number),
    bookmarks: 2,
    kept: join(dirname(copy), 'backups', 'before-restore-2026-01-02T00-00-00-000Z.sqlite'),
    keptAsBackup: true
  })
  expect(rowsOf(copy)).toBe(expected)
  expect(rowsOf(report.kept ?? '')).toBe(before)
})

test('the session that requested a restore keeps the name of its browser', async () => {
  const { file, backup } = await openWithLog()
  const copy = abandoned(file)
  const [mine, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const old = openLibraryFile(copy)
  const add = old.prepare('INSERT INTO sessions (hash, created_at, seen_at, client) VALUES (?, 1, 1, ?)')
  add.run(mine, 'Firefox, Linux')
  add.run(other, 'Chrome, Windows')
  old.close()
  await restoreLibraryFile(copy, backup, NOW, mine)
  const db = openLibraryFile(copy)
  expect(db.prepare('SELECT hash, client FROM sessions').all()).toEqual([{ hash: mine, client: 'Firefox, Linux' }])
  db.close()
})

test('an interrupted restore leaves the library and a backup of it', async () => {
  const { file, backup } = await openWithLog()
  const copy = abandoned(file)
  // In the place of the folder for the old library.
  writeFileSync(join(dirname(copy), 'replaced-2026-01-02T00-00-00-000Z'), '')
  await expect(restoreLibraryFile(copy, backup, NOW)).rejects.toThrow('EEXIST')
  const [made = ''] = readdirSync(join(dirname(copy), 'backups'))
  expect(made).toMatch(/^before-restore-/)
  expect(rowsOf(join(dirname(copy), 'backups', made))).toBe(rowsOf(copy))
})

test('the files of a replaced damaged library are kept in a folder', async () => {
  const { backup } = await openWithLog()
  const file = join(tempFolder(), 'library.sqlite')
  writeFileSync(file, 'Dear diary')
  const { kept, keptAsBackup } = await restoreLibraryFile(file, backup, NOW)
  expect(keptAsBackup).toBe(false)
  expect(readFileSync(join(kept ?? '', 'library.sqlite'), 'utf8')).toBe('Dear diary')
})

test('an interrupted replacement of a library with a log leaves no library rather than one without its log', async () => {
  const { file } = await openWithLog()
  const copy = abandoned(file)
  expect(() => setAside(copy, NOW, `${copy}.missing`)).toThrow('ENOENT')
  expect(existsSync(copy)).toBe(false)
  writeFileSync(join(dirname(copy), 'library.seen'), '{"state":"open"}')
  await expect(openLibrary(dirname(copy))).rejects.toMatchObject({ code: 'library-missing' })
})

test('an interrupted replacement of a closed library leaves it unchanged', async () => {
  const { backup } = await openWithLog()
  const before = readFileSync(backup)
  expect(() => setAside(backup, NOW, `${backup}.missing`)).toThrow('ENOENT')
  expect(readFileSync(backup)).toEqual(before)
})

test('a missing library is restored from a copy made by hand, with the rows of its log', async () => {
  const { file } = await openWithLog()
  const copy = abandoned(file)
  const target = join(tempFolder(), 'library.sqlite')
  expect(await restoreLibraryFile(target, copy, NOW)).toMatchObject({ bookmarks: 3, kept: null })
  expect(rowsOf(target)).toBe(rowsOf(copy))
})

const REFUSED: [what: string, code: string, make: (backup: string) => void][] = [
  ['that is damaged', 'library-damaged', (backup) => overwriteBytes(backup, 4096 * 3, 40_000)],
  ['that is a text', 'not-a-library', (backup) => writeFileSync(backup, 'Dear diary')],
  ['that is empty', 'not-a-library', (backup) => writeFileSync(backup, '')],
  ['of another program', 'not-a-library', (backup) => sql(backup, 'PRAGMA application_id = 7')],
  ['of an early Earmark', 'store-too-old', (backup) => sql(backup, 'PRAGMA user_version = 270')],
  ['of a newer Earmark', 'store-too-new', (backup) => sql(backup, 'PRAGMA user_version = 9990')],
  ['that is not there', 'not-found', (backup) => renameSync(backup, `${backup}.away`)]
]

test.each(REFUSED)('a backup %s is refused, and the library is left unchanged', async (_, code, damage) => {
  const { file, backup } = await openWithLog()
  damage(backup)
  const copy = abandoned(file)
  const files = () => ['', '-wal'].map((end) => readFileSync(`${copy}${end}`).toString('base64'))
  const before = files()
  await expect(restoreLibraryFile(copy, backup, NOW)).rejects.toMatchObject({ name: 'Problem', code })
  expect(files()).toEqual(before)
  expect(readdirSync(dirname(copy)).filter((name) => name.startsWith('replaced'))).toEqual([])
})

function sql(file: string, text: string): void {
  const db = new Sqlite(file)
  db.exec(text)
  db.close()
}

test('a backup made during writes is whole and has all that was saved before', async () => {
  const folder = tempFolder()
  const library = await startedLibrary(folder)
  const save = (from: number) =>
    library.saveBookmarks(
      PRIVATE,
      Array.from({ length: 200 }, (_, index) => link(`https://a.example/${from + index}`))
    )
  for (let from = 0; from < 2000; from += 200) await save(from)
  const [made] = await Promise.all([library.backUp('one.sqlite'), ...[2000, 2200, 2400].map(save)])
  expect(readdirSync(join(folder, 'backups'))).toEqual(['one.sqlite'])
  expect(await library.listBackups()).toEqual([made])
  const target = join(tempFolder(), 'library.sqlite')
  const { bookmarks } = await restoreLibraryFile(target, made.path, NOW)
  expect(bookmarks).toBeGreaterThanOrEqual(2000)
})

test('a backup that cannot be written leaves nothing behind', async () => {
  const folder = tempFolder()
  const library = await startedLibrary(folder)
  writeFileSync(join(folder, 'backups'), 'in the way')
  await expect(library.backUp('one.sqlite')).rejects.toThrow()
  expect(existsSync(join(folder, 'backups', 'one.sqlite'))).toBe(false)
  await library.saveBookmarks(PRIVATE, [link('https://a.example/')])
})
