import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { Problem } from '../../src-main/contract/problem.ts'
import { openLibrary } from '../../src-main/store/open-library.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { link, PRIVATE } from './library.ts'

const PAGE = 4096

/** Writes over the page that a table or an index begins with. */
function spoil(folder: string, name: string): void {
  const file = join(folder, 'library.sqlite')
  const db = new Sqlite(file, { readonly: true })
  const root = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name) as number
  db.close()
  const bytes = readFileSync(file)
  bytes.fill(0xff, (root - 1) * PAGE, root * PAGE)
  writeFileSync(file, bytes)
}

async function libraryOfOne(): Promise<string> {
  const folder = tempFolder()
  const library = await openLibrary(folder, { inPlace: true })
  await library.saveBookmarks(PRIVATE, [link('https://a.example/')])
  await library.close()
  // Left as a killed process leaves it: it is opened before it is looked through.
  writeFileSync(join(folder, 'library.seen'), '{"state":"open"}')
  return folder
}

/** As the log has it: a problem is told to whoever it concerns. */
function unlessProblem(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}

test('once damage is known nothing is saved, because a restore would lose it', async () => {
  const folder = await libraryOfOne()
  spoil(folder, 'bookmarks_by_content')
  const library = await openLibrary(folder, { inPlace: true })
  const refused = { code: 'library-damaged', message: expect.stringContaining('saves nothing more') }
  await expect(library.saveBookmarks(PRIVATE, [link('https://b.example/')])).rejects.toMatchObject(refused)
  expect(await library.isDamaged()).toBe(true)
  await expect(library.writeSettings({ theme: 'dark' })).rejects.toMatchObject(refused)
  await expect(library.backUp('daily-2026-01-01.sqlite')).rejects.toMatchObject(refused)
  expect(await library.listBookmarks({ order: 'newest', page: 1, limit: 5 })).toMatchObject({ total: 1 })
  // Who restores a backup in the dashboard logs in first.
  await library.createSession(new Uint8Array(32), 1)
  await library.close()
})

test('a damaged page that a read meets is told as such everywhere, and marks the library', async () => {
  const folder = await libraryOfOne()
  const service = await testService({ data: folder })
  const key = await makeKey(service)
  await service.close()
  writeFileSync(join(folder, 'library.seen'), '{"state":"open"}')
  spoil(folder, 'bookmarks')
  const again = await testService({ data: folder, onBug: unlessProblem })
  const damaged = { error: { code: 'library-damaged' } }
  expect(await (await callApi(again, 'GET', '/bookmarks')).json()).toMatchObject(damaged)
  expect(await callTool(again, key, 'bookmarks.search', {})).toMatchObject({ isError: true, payload: damaged })
  expect(await callTool(again, key, 'bookmarks.insert', { urls: 'https://c.example/' })).toMatchObject({
    isError: true,
    payload: damaged
  })
  expect(JSON.parse(readFileSync(join(folder, 'library.seen'), 'utf8'))).toEqual({ state: 'damaged' })
})

test('a page that says whose a key is cannot be read: that is told too', async () => {
  const folder = await libraryOfOne()
  const service = await testService({ data: folder })
  const key = await makeKey(service)
  await service.close()
  writeFileSync(join(folder, 'library.seen'), '{"state":"open"}')
  spoil(folder, 'api_keys')
  const again = await testService({ data: folder, onBug: unlessProblem })
  expect(await callTool(again, key, 'bookmarks.search', {})).toMatchObject({
    status: 503,
    payload: { code: 'library-damaged' }
  })
})
