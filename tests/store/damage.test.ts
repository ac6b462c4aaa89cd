import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Problem } from '../../src-main/contract/problem.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { overwritePage } from './damaged-file.ts'
import { link, PRIVATE, startedLibrary } from './library.ts'

/** A closed library with one bookmark and a key. */
async function libraryOfOne() {
  const folder = tempFolder()
  const service = await testService({ data: folder })
  const key = await makeKey(service)
  await callTool(service, key, 'bookmarks.insert', { urls: 'https://a.example/' })
  await service.close()
  return { folder, key }
}

/** Damages a table or an index of a library whose process was killed: it is opened before it is checked. */
function damage(folder: string, name: string): void {
  overwritePage(join(folder, 'library.sqlite'), name, 0xff)
  writeFileSync(join(folder, 'library.seen'), '{"state":"open"}')
}

/** Problems are logged too; other errors fail the test. */
function unlessProblem(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}

test('a library with known damage refuses writes, which a restore would lose', async () => {
  const { folder } = await libraryOfOne()
  damage(folder, 'bookmarks_by_content')
  const library = await startedLibrary(folder, { inPlace: true })
  const refused = { code: 'library-damaged', message: expect.stringContaining('saves nothing more') }
  await expect(library.saveBookmarks(PRIVATE, [link('https://b.example/')])).rejects.toMatchObject(refused)
  expect(await library.isDamaged()).toBe(true)
  await expect(library.writeSettings({ theme: 'dark' })).rejects.toMatchObject(refused)
  await expect(library.backUp('daily-2026-01-01.sqlite')).rejects.toMatchObject(refused)
  expect(await library.listBookmarks({ order: 'newest', page: 1, limit: 5 })).toMatchObject({ total: 1 })
  // The owner logs in to restore a backup in the dashboard.
  await library.createSession(new Uint8Array(32), 1)
})

test('a damaged library can still be read after a damaged backup was refused', async () => {
  const { folder } = await libraryOfOne()
  damage(folder, 'bookmarks_by_content')
  const service = await testService({ data: folder, onBug: unlessProblem })
  expect((await callApi(service, 'PATCH', '/settings', { theme: 'dark' })).status).toBe(500)
  mkdirSync(join(folder, 'backups'))
  writeFileSync(join(folder, 'backups', 'manual-1.sqlite'), 'Dear diary')
  expect((await callApi(service, 'POST', '/backups/manual-1.sqlite/restore')).status).toBe(500)
  expect(await (await callApi(service, 'GET', '/bookmarks')).json()).toMatchObject({ total: 1 })
})

test('damage found by a read is reported by every interface, and noted for the next start', async () => {
  const { folder, key } = await libraryOfOne()
  damage(folder, 'bookmarks')
  const service = await testService({ data: folder, onBug: unlessProblem })
  const damaged = { error: { code: 'library-damaged' } }
  expect(await (await callApi(service, 'GET', '/bookmarks')).json()).toMatchObject(damaged)
  for (const [tool, args] of [
    ['bookmarks.search', {}],
    ['bookmarks.insert', { urls: 'https://c.example/' }]
  ] as const) {
    expect(await callTool(service, key, tool, args)).toMatchObject({ isError: true, payload: damaged })
  }
  expect(JSON.parse(readFileSync(join(folder, 'library.seen'), 'utf8'))).toEqual({ state: 'damaged' })
})

test('damage that hides the owner of a key is reported too', async () => {
  const { folder, key } = await libraryOfOne()
  damage(folder, 'api_keys')
  const service = await testService({ data: folder, onBug: unlessProblem })
  const refused = { status: 503, payload: { code: 'library-damaged' } }
  expect(await callTool(service, key, 'bookmarks.search', {})).toMatchObject(refused)
})
