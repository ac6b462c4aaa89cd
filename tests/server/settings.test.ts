import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bookmarkFiles } from '../../src-main/host/bookmark-files.ts'
import { freePort } from '../support/http.ts'
import { testHost, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { apiOf, refusal } from './api.ts'

const DEFAULTS = {
  theme: 'system',
  language: 'system',
  defaultVisibility: 'private',
  fetchDetails: true,
  port: null,
  backupFolder: null,
  markdownFolder: null,
  readFirst: false,
  copyLimit: 2,
  watchedFiles: [],
  pins: []
}

test('settings have defaults and are changed one by one', async () => {
  const api = apiOf(await testService())
  expect((await api('GET', '/settings')).body).toEqual(DEFAULTS)
  const changed = await api('PATCH', '/settings', { theme: 'dark', port: 20_800 })
  expect(changed.body).toEqual({ ...DEFAULTS, theme: 'dark', port: 20_800 })
  await api('PATCH', '/settings', { port: null })
  expect((await api('GET', '/settings')).body).toEqual({ ...DEFAULTS, theme: 'dark' })
})

test.for([
  [{ theme: 'sepia' }, 'theme'],
  [{ language: 'tlh' }, 'language'],
  [{ defaultVisibility: 'organization' }, 'defaultVisibility'],
  [{ fetchDetails: 'yes' }, 'fetchDetails'],
  [{ port: 80 }, '1024'],
  [{ port: 65_536 }, '65535'],
  [{ port: 6000 }, 'Browsers refuse'],
  [{ port: 20_800.5 }, 'whole'],
  [{ port: '20800' }, 'port'],
  [{ colorOfTheMoon: 'pale' }, 'colorOfTheMoon']
] as const)('the change %j is refused and names the fault', async ([change, fault]) => {
  const api = apiOf(await testService())
  expect(await api('PATCH', '/settings', change)).toMatchObject(refusal(400, 'invalid', fault))
  expect((await api('GET', '/settings')).body).toEqual(DEFAULTS)
})

test('the service listens on port 20727 until another is set', async () => {
  const other = createServer().listen(20_727, '127.0.0.1')
  onTestFinished(() => void other.close())
  // If the port is taken already, that is as good.
  await Promise.race([once(other, 'listening'), once(other, 'error')]).catch(() => {})
  const service = await testService()
  await expect(service.listen()).rejects.toMatchObject({ code: 'port-taken' })
  const port = await freePort()
  await apiOf(service)('PATCH', '/settings', { port })
  expect((await service.listen()).port).toBe(port)
})

test('the status has the data folder, the size of the library and the start of the service', async () => {
  const started = Date.UTC(2026, 5, 1)
  const api = apiOf(await testService({ now: () => started }))
  const before = (await api('GET', '/status')).body
  expect(before).toMatchObject({
    dataFolder: expect.stringContaining('earmark'),
    lastBackupAt: null,
    startedAt: new Date(started).toISOString()
  })
  expect(before.librarySize).toBeGreaterThan(10_000)
  await api('POST', '/organizations', { name: 'Acme' })
  expect((await api('GET', '/status')).body.librarySize).toBeGreaterThan(before.librarySize)
})

test('the status reports whether the service can fetch pages at all', async () => {
  for (const [options, fetches] of [
    [{}, false],
    [{ web: 'internet' as const }, true]
  ] as const) {
    expect((await apiOf(await testService(options))('GET', '/status')).body).toMatchObject({ fetches })
  }
})

test('a file is watched, listed and no longer watched', async () => {
  const files = { ...bookmarkFiles, ofBrowsers: async () => [{ browser: 'Chromium', file: '/browser/Bookmarks' }] }
  const api = apiOf(await testService({ files }))
  const file = join(tempFolder(), 'urls.txt')
  writeFileSync(file, 'https://a.example/\n')
  const watched = { file, imported: 1, problem: null, lastAt: expect.stringMatching(/^\d{4}-/) }
  expect(await api('POST', '/watched-files', { file })).toEqual({ status: 200, body: watched })
  expect((await api('GET', '/watched-files')).body).toEqual({ files: [watched], found: ['/browser/Bookmarks'] })
  expect((await api('DELETE', `/watched-files?file=${encodeURIComponent(file)}`)).status).toBe(204)
  expect((await api('GET', '/watched-files')).body).toMatchObject({ files: [] })
})

test('a service without access to files watches none', async () => {
  const api = apiOf(await testService())
  expect((await api('GET', '/watched-files')).body).toEqual({ files: [], found: [] })
  expect((await api('POST', '/watched-files', { file: '/x' })).status).toBe(400)
})

test('the report has version, system, counts and last errors, and nothing of the bookmarks', async () => {
  const lastErrors = () => [{ at: '2026-11-27T12:00:00.000Z', name: 'TypeError ERR_X', stack: ['save file.js:1:2'] }]
  const data = tempFolder()
  const api = apiOf(await testService({ data, surroundings: { ...testHost.surroundings, lastErrors } }))
  await api('POST', '/bookmarks', { type: 'link', url: 'https://secret.example/', title: 'My title', tags: ['mine'] })
  await api('POST', '/organizations', { name: 'Acme' })
  await api('POST', '/keys', { name: 'cursor' })
  const { report } = (await api('GET', '/status/report')).body
  expect(report).toContain(`Earmark ${testHost.version}`)
  expect(report).toContain(`Node ${process.versions.node}`)
  expect(report).toContain('Bookmarks: 1 (links 1, images 0, colors 0, texts 0), in the trash 0')
  expect(report).toContain('Keys: 1, organizations: 1, watched files: 0')
  expect(report).toContain('2026-11-27T12:00:00.000Z TypeError ERR_X\n  at save file.js:1:2')
  for (const secret of ['secret.example', 'My title', 'mine', 'Acme', 'cursor', 'emk_', data]) {
    expect(report).not.toContain(secret)
  }
})
