import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportLibrary } from '../../src-main/actions/imports/export-library.ts'
import { link, PRIVATE, testPorts } from '../actions/ports.ts'
import { callTool, makeKey, postImport, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { apiOf } from './api.ts'

/** A service with a page, a backup of that, and another page. */
async function backedUp() {
  const data = tempFolder()
  const service = await testService({ data })
  const api = apiOf(service)
  await api('POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  const { name, at } = (await api('POST', '/backups')).body
  await api('POST', '/bookmarks', { type: 'link', url: 'https://b.example/' })
  return {
    data,
    service,
    api,
    name: name as string,
    at: at as string,
    total: async () => (await api('GET', '/bookmarks')).body.total,
    restore: () => api('POST', `/backups/${name}/restore`)
  }
}

describe('restoring through the running service', () => {
  test('replaces the library, keeps the old one as a backup, and the service goes on', async () => {
    const { data, api, at, total, restore } = await backedUp()
    expect(await total()).toBe(2)
    const kept = expect.stringContaining(join(data, 'backups', 'before-restore-'))
    expect((await restore()).body).toEqual({ bookmarks: 1, from: at, kept, keptAsBackup: true })
    expect(readdirSync(data).filter((file) => file.startsWith('replaced'))).toEqual([])
    expect(await total()).toBe(1)
    await api('POST', '/bookmarks', { type: 'link', url: 'https://c.example/' })
    expect(await total()).toBe(2)
  })

  test('is undone by restoring the backup from before it; the newest two of these stay', async () => {
    const { api, total, restore } = await backedUp()
    const beforeRestore = async () => {
      const names = (await api('GET', '/backups')).body.map(({ name }: { name: string }) => name)
      return names.filter((name: string) => name.startsWith('before-restore-'))
    }
    await restore()
    const [first] = await beforeRestore()
    await api('POST', `/backups/${first}/restore`)
    expect(await total()).toBe(2)
    await restore()
    expect(await total()).toBe(1)
    const names = await beforeRestore()
    expect(names).toHaveLength(2)
    expect(names).not.toContain(first)
  })

  test('delays other calls, and refuses a second restore meanwhile', async () => {
    const { total, restore } = await backedUp()
    const [first, second, ...totals] = await Promise.all([restore(), restore(), ...Array.from({ length: 20 }, total)])
    expect([first.status, second.status]).toEqual([200, 409])
    for (const count of totals) expect([1, 2]).toContain(count)
    expect(await total()).toBe(1)
  })

  test('keeps revoked keys revoked, and ends keys created since', async () => {
    const service = await testService()
    const api = apiOf(service)
    const [kept, revoked] = [await makeKey(service, { name: 'kept' }), await makeKey(service, { name: 'revoked' })]
    const { name } = (await api('POST', '/backups')).body
    const later = await makeKey(service, { name: 'later' })
    const keys: { id: string; name: string }[] = (await api('GET', '/keys')).body
    await api('DELETE', `/keys/${keys.find((key) => key.name === 'revoked')?.id}`)
    await callTool(service, later, 'bookmarks.search', {})
    await api('POST', `/backups/${name}/restore`)
    const statuses = []
    for (const key of [kept, revoked, later]) {
      statuses.push((await callTool(service, key, 'bookmarks.search', {})).status)
    }
    expect(statuses).toEqual([200, 401, 401])
  })

  test('keeps the session that asked for it, and ends the others', async () => {
    const { service, name } = await backedUp()
    const { port } = await service.listen(0)
    const [mine, other] = [await service.beginSession(), await service.beginSession()]
    const call = (session: string, method: string, path: string) =>
      fetch(`http://127.0.0.1:${port}/api${path}`, {
        method,
        headers: { 'x-earmark-session': session, origin: `http://127.0.0.1:${port}` }
      })
    let isOver = false
    const restored = call(mine, 'POST', `/backups/${name}/restore`).finally(() => {
      isOver = true
    })
    const statuses: number[] = []
    while (!isOver) statuses.push((await call(mine, 'GET', '/bookmarks')).status)
    expect((await restored).status).toBe(200)
    expect(new Set([...statuses, (await call(mine, 'GET', '/bookmarks')).status])).toEqual(new Set([200]))
    expect((await call(other, 'GET', '/bookmarks')).status).toBe(401)
  })

  test('refuses a damaged and an unknown backup, and changes nothing', async () => {
    const { data, api, name, total, restore } = await backedUp()
    writeFileSync(join(data, 'backups', name), 'Dear diary')
    expect((await restore()).body).toMatchObject({ error: { code: 'not-a-library' } })
    for (const other of ['nothing.sqlite', '..%2Flibrary.sqlite']) {
      expect((await api('POST', `/backups/${other}/restore`)).status).toBe(404)
    }
    expect(await total()).toBe(2)
    expect(readdirSync(data).filter((file) => file.startsWith('replaced'))).toEqual([])
  })

  test('gives later imports other numbers than those before it', async () => {
    const { service, api, restore } = await backedUp()
    const importPage = async (page: string) => {
      async function* lines() {
        yield new TextEncoder().encode(`https://${page}.example/\n`)
      }
      return ((await (await postImport(service, lines(), page)).json()) as { undo: number }).undo
    }
    const before = await importPage('before')
    expect((await restore()).status).toBe(200)
    expect(await importPage('after')).not.toBe(before)
    expect((await api('POST', `/imports/${before}/undo`)).status).toBe(404)
  })

  test('drops calls of keys that the backup does not have, and stores all others', async () => {
    const data = tempFolder()
    const service = await testService({ data })
    const api = apiOf(service)
    const kept = await makeKey(service, { name: 'kept' })
    const { name } = (await api('POST', '/backups')).body
    const later = await makeKey(service, { name: 'later' })
    const [restored] = await Promise.all([
      api('POST', `/backups/${name}/restore`),
      ...Array.from({ length: 20 }, () => callTool(service, later, 'bookmarks.search', {}))
    ])
    expect(restored.status).toBe(200)
    await callTool(service, kept, 'bookmarks.search', {})
    await service.close()
    const [key] = (await apiOf(await testService({ data }))('GET', '/keys')).body
    expect(key).toMatchObject({ name: 'kept', lastUsedAt: expect.any(String) })
  })

  test('is refused during an import, like all changes that the import depends on', async () => {
    const { service, api, restore } = await backedUp()
    async function* stalling() {
      yield new TextEncoder().encode('https://a.example/\n')
      await new Promise(() => {})
    }
    const answer = postImport(service, stalling(), 'mine')
    await expect.poll(async () => (await api('GET', '/imports/running/mine')).status).toBe(200)
    const { id } = (await api('POST', '/organizations', { name: 'Client' })).body
    const taken = { body: { error: { code: 'taken', message: expect.stringContaining('An import is running.') } } }
    expect(await restore()).toMatchObject(taken)
    expect(await api('POST', '/imports/1/undo')).toMatchObject(taken)
    expect(await api('DELETE', `/organizations/${id}?bookmarks=profile`)).toMatchObject(taken)
    await api('POST', '/imports/running/mine/cancel')
    await answer
    expect((await restore()).status).toBe(200)
  })
})

test('an export is aborted by a restore, so that it does not mix two libraries', async () => {
  const ports = await testPorts()
  const drafts = Array.from({ length: 3000 }, (_, index) => link(`https://a.example/${index}`))
  await ports.library.saveBookmarks(PRIVATE, drafts)
  const { name } = await ports.library.backUp('manual-1.sqlite')
  const pieces = exportLibrary(ports, 'jsonl', {})
  await pieces.next()
  expect((await pieces.next()).value).toContain('https://a.example/')
  await ports.library.restoreBackup(name, ports.now())
  await expect(pieces.next()).rejects.toMatchObject({ code: 'taken' })
})

test('the status has the time of the last backup', async () => {
  const { api, at } = await backedUp()
  expect((await api('GET', '/status')).body).toMatchObject({ lastBackupAt: at })
})
