import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { bookmarkFiles } from '../../src-main/host/bookmark-files.ts'
import type { Service, ServiceOptions } from '../../src-main/service.ts'
import { callApi, callTool, makeKey, postImport, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { apiOf } from './api.ts'

/** A service with a page, a backup of that, and another page. */
async function backedUp(options: Partial<ServiceOptions> = {}) {
  const data = tempFolder()
  const service = await testService({ ...options, data })
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

function linksIn(file: string): unknown[] {
  const db = new Sqlite(file, { readonly: true })
  try {
    return db.prepare('SELECT url FROM bookmarks').pluck().all()
  } finally {
    db.close()
  }
}

/** A request that saves a page, whose last byte is sent on request. */
function slowSave(service: Service) {
  const rest = Promise.withResolvers<void>()
  const json = new TextEncoder().encode(JSON.stringify({ type: 'link', url: 'https://slow.example/' }))
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(json.slice(0, -1))
      await rest.promise
      controller.enqueue(json.slice(-1))
      controller.close()
    }
  })
  const headers = { authorization: `Bearer ${service.commandToken}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  return { answer: service.fetch(new Request('http://127.0.0.1/api/bookmarks', init)), end: rest.resolve }
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

  test('answers requests in progress first, also a second restore, which it refuses', async () => {
    const { total, restore } = await backedUp()
    const [first, second, ...totals] = await Promise.all([restore(), restore(), ...Array.from({ length: 20 }, total)])
    expect([first.status, second.status]).toEqual([200, 409])
    expect(new Set(totals)).toEqual(new Set([2]))
    expect(await total()).toBe(1)
  })

  test('refuses new requests meanwhile, and loses nothing that a request in progress saves', async () => {
    const { service, api, total, restore } = await backedUp()
    const saving = slowSave(service)
    const restored = restore()
    await expect.poll(async () => (await api('GET', '/bookmarks')).status).toBe(503)
    const refused = await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://c.example/' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    const message = expect.stringContaining('Try again in a few seconds')
    expect(await refused.json()).toEqual({ error: { code: 'taken', message } })
    // Every new connection of the command line asks for it.
    expect((await callApi(service, 'GET', '/proof?nonce=a')).status).toBe(200)
    const session = service.beginSession()
    saving.end()
    expect((await saving.answer).status).toBe(201)
    const { status, body } = await restored
    expect([status, await total()]).toEqual([200, 1])
    expect(await service.hasSession(await session)).toBe(true)
    await api('POST', `/backups/${basename(body.kept)}/restore`)
    expect(await total()).toBe(3)
  })

  test('loses no link that agents save meanwhile', async () => {
    const { data, service, api } = await backedUp({ inPlace: false })
    const key = await makeKey(service)
    const { name } = (await api('POST', '/backups')).body
    const acknowledged: string[] = []
    const failed: unknown[] = []
    let isOver = false
    const agents = Array.from({ length: 4 }, async (_, agent) => {
      for (let page = 0; !isOver; page += 1) {
        const url = `https://agent-${agent}.example/${page}`
        const answer = await callTool(service, key, 'bookmarks.insert', { urls: url })
        if (answer.status === 503) await wait(10)
        else if (answer.status === 200 && !answer.isError) acknowledged.push(url)
        else failed.push(answer)
      }
    })
    try {
      for (let round = 1; round <= 2; round += 1) {
        await expect.poll(() => acknowledged.length).toBeGreaterThan(round * 20)
        expect((await api('POST', `/backups/${name}/restore`)).status).toBe(200)
      }
    } finally {
      isOver = true
      await Promise.all(agents)
    }
    expect(failed).toEqual([])
    await service.close()
    const made = readdirSync(join(data, 'backups')).filter((name) => name.startsWith('before-restore-'))
    const libraries = ['library.sqlite', ...made.map((name) => join('backups', name))]
    const kept = libraries.flatMap((name) => linksIn(join(data, name)))
    expect(acknowledged.filter((url) => !kept.includes(url))).toEqual([])
  })

  test('fails if a request takes longer than five seconds, and everything goes on', async () => {
    const { service, total, restore } = await backedUp()
    const saving = slowSave(service)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const restored = restore()
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(5000)
    const message = expect.stringContaining('still at work')
    expect(await restored).toMatchObject({ status: 409, body: { error: { code: 'taken', message } } })
    vi.useRealTimers()
    expect(await total()).toBe(2)
    saving.end()
    expect((await saving.answer).status).toBe(201)
    expect(await total()).toBe(3)
    expect((await restore()).status).toBe(200)
    expect(await total()).toBe(1)
  })

  test('ends an export, so that its file does not mix two libraries', async () => {
    const { service, restore } = await backedUp()
    async function* lines() {
      for (let page = 0; page < 3000; page++) yield new TextEncoder().encode(`https://a.example/${page}\n`)
    }
    await postImport(service, lines(), 'many')
    const { body } = await callApi(service, 'GET', '/exports?format=jsonl')
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    expect((await reader.read()).value).toBeDefined()
    expect((await restore()).status).toBe(200)
    const readAll = async () => {
      while (!(await reader.read()).done);
    }
    await expect(readAll()).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('keeps login links and the work in the background', async () => {
    const { data, service, api, total, restore } = await backedUp({ files: bookmarkFiles })
    const { port } = await service.listen(0)
    const file = join(data, 'urls.txt')
    writeFileSync(file, 'https://watched.example/\n')
    expect((await api('POST', '/watched-files', { file })).status).toBe(200)
    const { name } = (await api('POST', '/backups')).body
    await api('POST', '/bookmarks', { type: 'link', url: 'https://c.example/' })
    const token = new URL(service.loginLink()).hash.slice(1)
    await restore()
    expect(await total()).toBe(1)
    writeFileSync(file, 'https://watched.example/\nhttps://later.example/\n')
    await api('POST', `/backups/${name}/restore`)
    await expect.poll(total).toBe(4)
    const origin = `http://127.0.0.1:${port}`
    const init = {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ token })
    }
    expect((await fetch(`${origin}/api/session`, init)).status).toBe(200)
  })

  test('is finished before the service closes', async () => {
    const { data, service, api, restore } = await backedUp()
    const saving = slowSave(service)
    const restored = restore()
    await expect.poll(async () => (await api('GET', '/bookmarks')).status).toBe(503)
    const closed = service.close()
    saving.end()
    expect((await restored).status).toBe(200)
    await closed
    expect((await apiOf(await testService({ data }))('GET', '/bookmarks')).body).toMatchObject({ total: 1 })
  })

  test('opens the old library again if the library cannot be replaced', async () => {
    const bugs: unknown[] = []
    const { data, api, total, restore } = await backedUp({ onBug: (bug) => bugs.push(bug) })
    mkdirSync(join(data, 'library.sqlite.restored'))
    expect(await restore()).toMatchObject({ status: 500, body: { error: { code: 'internal' } } })
    expect(bugs).toHaveLength(1)
    await api('POST', '/bookmarks', { type: 'link', url: 'https://c.example/' })
    expect(await total()).toBe(3)
  })

  test('reports a library that cannot be opened again with each answer', async () => {
    const { data, service, api, restore } = await backedUp({ onBug: () => {} })
    mkdirSync(join(data, 'library.sqlite.restored'))
    for (const end of ['', '-wal', '-shm']) rmSync(join(data, `library.sqlite${end}`), { force: true })
    const missing = { error: { code: 'library-missing' } }
    expect(await restore()).toMatchObject({ status: 500, body: missing })
    expect(await api('GET', '/bookmarks')).toMatchObject({ status: 503, body: missing })
    await service.close()
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
    for (const status of statuses) expect([200, 503]).toContain(status)
    expect((await call(mine, 'GET', '/bookmarks')).status).toBe(200)
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

test('the status has the time of the last backup', async () => {
  const { api, at } = await backedUp()
  expect((await api('GET', '/status')).body).toMatchObject({ lastBackupAt: at })
})
