import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportLibrary } from '../../src-main/actions/imports/export-library.ts'
import type { Service } from '../../src-main/service.ts'
import { link, PRIVATE, testPorts } from '../actions/ports.ts'
import { callApi, callTool, makeKey, postImport, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

async function json<T>(response: Promise<Response> | Response): Promise<T> {
  return (await (await response).json()) as T
}

/** A service with a page, a backup of that, and a page more. */
async function backedUp() {
  const data = tempFolder()
  const service = await testService({ data })
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  const { name, at } = await json<{ name: string; at: string }>(callApi(service, 'POST', '/backups'))
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://b.example/' })
  return { data, service, name, at, restore: () => callApi(service, 'POST', `/backups/${name}/restore`) }
}

async function total(service: Service): Promise<number> {
  return (await json<{ total: number }>(callApi(service, 'GET', '/bookmarks'))).total
}

describe('restoring through the running service', () => {
  test('the backup replaces the library, which is listed as a backup, and the service goes on', async () => {
    const { data, service, at, restore } = await backedUp()
    expect(await total(service)).toBe(2)
    const report = await json(restore())
    const kept = expect.stringContaining(join(data, 'backups', 'before-restore-'))
    expect(report).toEqual({ bookmarks: 1, from: at, kept, keptAsBackup: true })
    expect(readdirSync(data).filter((file) => file.startsWith('replaced'))).toEqual([])
    expect(await total(service)).toBe(1)
    await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://c.example/' })
    expect(await total(service)).toBe(2)
  })

  test('a restore is undone by restoring the backup from before it; the newest two of these stay', async () => {
    const { service, restore } = await backedUp()
    const beforeRestore = async () => {
      const all = await json<{ name: string }[]>(callApi(service, 'GET', '/backups'))
      return all.map(({ name }) => name).filter((name) => name.startsWith('before-restore-'))
    }
    await restore()
    const [first] = await beforeRestore()
    await callApi(service, 'POST', `/backups/${first}/restore`)
    expect(await total(service)).toBe(2)
    await restore()
    expect(await total(service)).toBe(1)
    const left = await beforeRestore()
    expect(left).toHaveLength(2)
    expect(left).not.toContain(first)
  })

  test('calls made meanwhile wait and are answered by what is there then', async () => {
    const { service, restore } = await backedUp()
    const [response, ...totals] = await Promise.all([restore(), ...Array.from({ length: 20 }, () => total(service))])
    expect(response.status).toBe(200)
    for (const count of totals) expect([1, 2]).toContain(count)
    expect(await total(service)).toBe(1)
  })

  test('keys that were revoked since stay revoked, and those made since stop working', async () => {
    const data = tempFolder()
    const service = await testService({ data })
    const [kept, revoked] = [await makeKey(service, { name: 'kept' }), await makeKey(service, { name: 'revoked' })]
    const { name } = await json<{ name: string }>(callApi(service, 'POST', '/backups'))
    const later = await makeKey(service, { name: 'later' })
    const keys = await json<{ id: string; name: string }[]>(callApi(service, 'GET', '/keys'))
    const id = keys.find((key) => key.name === 'revoked')?.id
    await callApi(service, 'DELETE', `/keys/${id}`)
    await callTool(service, later, 'bookmarks.search', {})
    await callApi(service, 'POST', `/backups/${name}/restore`)
    const statuses = []
    for (const key of [kept, revoked, later])
      statuses.push((await callTool(service, key, 'bookmarks.search', {})).status)
    expect(statuses).toEqual([200, 401, 401])
  })

  test('the session that asked goes on, and the others end', async () => {
    const { service, name } = await backedUp()
    const { port } = await service.listen(0)
    const [mine, other] = [await service.beginSession(), await service.beginSession()]
    const call = (session: string, method: string, path: string) =>
      fetch(`http://127.0.0.1:${port}/api${path}`, {
        method,
        headers: { 'x-earmark-session': session, origin: `http://127.0.0.1:${port}` }
      })
    const restored = call(mine, 'POST', `/backups/${name}/restore`)
    let over = false
    const watching = restored.finally(() => {
      over = true
    })
    const meanwhile: number[] = []
    while (!over) meanwhile.push((await call(mine, 'GET', '/bookmarks')).status)
    expect((await watching).status).toBe(200)
    expect(new Set([...meanwhile, (await call(mine, 'GET', '/bookmarks')).status])).toEqual(new Set([200]))
    expect((await call(other, 'GET', '/bookmarks')).status).toBe(401)
  })

  test('a backup that is damaged, or gone, is refused, and the library goes on as it was', async () => {
    const { data, service, name, restore } = await backedUp()
    writeFileSync(join(data, 'backups', name), 'Dear diary')
    const refused = await restore()
    expect(await json(refused)).toMatchObject({ error: { code: 'not-a-library' } })
    for (const other of ['nothing.sqlite', '..%2Flibrary.sqlite']) {
      expect((await callApi(service, 'POST', `/backups/${other}/restore`)).status).toBe(404)
    }
    expect(await total(service)).toBe(2)
    expect(readdirSync(data).filter((file) => file.startsWith('replaced'))).toEqual([])
  })

  test('one at a time: a second one is refused, and the first goes on', async () => {
    const { service, restore } = await backedUp()
    const [first, second] = await Promise.all([restore(), restore()])
    expect([first.status, second.status]).toEqual([200, 409])
    expect(await total(service)).toBe(1)
  })

  test('an import made after it never has the number of one made before', async () => {
    const { service, restore } = await backedUp()
    const importOf = async (page: string) => {
      async function* lines() {
        yield new TextEncoder().encode(`https://${page}.example/\n`)
      }
      return (await json<{ undo: number }>(postImport(service, lines(), page))).undo
    }
    const before = await importOf('before')
    expect((await restore()).status).toBe(200)
    expect(await importOf('after')).not.toBe(before)
    expect((await callApi(service, 'POST', `/imports/${before}/undo`)).status).toBe(404)
  })

  test('calls of keys that the backup does not know are not written down, and all others are', async () => {
    const data = tempFolder()
    const service = await testService({ data })
    const kept = await makeKey(service, { name: 'kept' })
    const { name } = await json<{ name: string }>(callApi(service, 'POST', '/backups'))
    const later = await makeKey(service, { name: 'later' })
    const [restored] = await Promise.all([
      callApi(service, 'POST', `/backups/${name}/restore`),
      ...Array.from({ length: 20 }, () => callTool(service, later, 'bookmarks.search', {}))
    ])
    expect(restored.status).toBe(200)
    await callTool(service, kept, 'bookmarks.search', {})
    await service.close()
    const [key] = await json<object[]>(callApi(await testService({ data }), 'GET', '/keys'))
    expect(key).toMatchObject({ name: 'kept', lastUsedAt: expect.any(String) })
  })

  test('an import under way refuses it, and all else that changes what the import stands on', async () => {
    const { service, restore } = await backedUp()
    async function* stalling() {
      yield new TextEncoder().encode('https://a.example/\n')
      await new Promise(() => {})
    }
    const answer = postImport(service, stalling(), 'mine')
    await expect.poll(async () => (await callApi(service, 'GET', '/imports/running/mine')).status).toBe(200)
    const { id } = await json<{ id: string }>(callApi(service, 'POST', '/organizations', { name: 'Client' }))
    const taken = { error: { code: 'taken', message: expect.stringContaining('An import is running.') } }
    expect(await json(restore())).toMatchObject(taken)
    expect(await json(callApi(service, 'POST', '/imports/1/undo'))).toMatchObject(taken)
    expect(await json(callApi(service, 'DELETE', `/organizations/${id}?bookmarks=profile`))).toMatchObject(taken)
    await callApi(service, 'POST', '/imports/running/mine/cancel')
    await answer
    expect((await restore()).status).toBe(200)
  })
})

test('an export that a restore comes in between breaks off instead of mixing two libraries', async () => {
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

test('the status says when the last backup was made', async () => {
  const { service, at } = await backedUp()
  expect(await json(callApi(service, 'GET', '/status'))).toMatchObject({ lastBackupAt: at })
})
