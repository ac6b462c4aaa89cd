import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hashSecret } from '../../../src-main/actions/keys/credentials.ts'
import { createKey, readKeySecret, revokeKey, rotateKey } from '../../../src-main/actions/keys/keys.ts'
import type { KeyRequest } from '../../../src-main/contract/key.ts'
import type { Keychain } from '../../../src-main/contract/ports.ts'
import { isWellFormedKey } from '../../../src-main/core/key-format.ts'
import { identifyKey } from '../../../src-main/server/identify.ts'
import { callApi, callTool, noKeychain, testService } from '../../support/service.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { quickPorts, START, testPorts } from '../ports.ts'

const PLAIN: KeyRequest = { name: 'editor', readOnly: false, keyFile: false }
const DAY_MS = 86_400_000

describe('a new key', () => {
  test('is well formed, returned in full and identified by its secret', async () => {
    const ports = quickPorts()
    const { id, key, prefix } = await createKey(ports, PLAIN)
    expect(isWellFormedKey(key)).toBe(true)
    expect(key.startsWith(prefix)).toBe(true)
    expect(prefix).toHaveLength(10)
    expect(await identifyKey(ports, key)).toMatchObject({ owner: null, readOnly: false })
    expect(await ports.library.listKeys()).toMatchObject([{ id, name: 'editor', prefix, createdAt: START }])
    const second = await createKey(ports, PLAIN)
    expect([second.key, second.id]).not.toContain(key)
    expect(second.id).not.toBe(id)
  })

  test('is stored in the library as its hash only', async () => {
    const data = tempFolder()
    const ports = await testPorts({ data })
    const { key } = await createKey(ports, PLAIN)
    const bytes = Buffer.concat(['library.sqlite', 'library.sqlite-wal'].map((name) => readFileSync(join(data, name))))
    expect(bytes.includes(key)).toBe(false)
    expect(bytes.includes(key.slice(10))).toBe(false)
    expect(bytes.includes(Buffer.from(hashSecret(key)))).toBe(true)
  })

  test('for an organization, named by id or by name in any case, acts as that organization', async () => {
    const ports = quickPorts()
    const { id, rowId } = await ports.library.createOrganization('Client', START)
    for (const organization of [id, 'Client', ' client ']) {
      const { key } = await createKey(ports, { ...PLAIN, organization })
      expect(await identifyKey(ports, key)).toMatchObject({ owner: rowId })
    }
    expect(await ports.library.listKeys()).toMatchObject(Array(3).fill({ organization: { id, name: 'Client' } }))
  })

  test('for an organization that does not exist is not created', async () => {
    const ports = quickPorts()
    await expect(createKey(ports, { ...PLAIN, organization: 'Nobody' })).rejects.toMatchObject({ code: 'not-found' })
    expect(await ports.library.listKeys()).toEqual([])
  })

  test('may be read-only and may expire', async () => {
    const ports = quickPorts()
    const { key } = await createKey(ports, { ...PLAIN, readOnly: true, expires: 3 })
    expect(await identifyKey(ports, key)).toMatchObject({ readOnly: true })
    expect(await ports.library.listKeys()).toMatchObject([{ readOnly: true, expiresAt: START + 3 * DAY_MS }])
  })
})

describe('the secret of a key', () => {
  test('is stored in the keychain', async () => {
    const { secrets, keychain } = memoryKeychain()
    const ports = quickPorts({ keychain })
    const created = await createKey(ports, PLAIN)
    expect(created.keychain).toBe('stored')
    expect([...secrets.values()]).toEqual([created.key])
    expect(await ports.library.listKeys()).toMatchObject([{ keychain: 'stored' }])
  })

  test('is shown once if there is no keychain', async () => {
    const ports = quickPorts()
    const created = await createKey(ports, PLAIN)
    expect(created).toMatchObject({ keychain: 'shown-once' })
    expect(created).not.toHaveProperty('file')
    expect(await ports.library.listKeys()).toMatchObject([{ keychain: 'shown-once' }])
  })

  test('is stored in a file for the owner’s account instead of the keychain if that is requested', async () => {
    const { secrets, keychain } = memoryKeychain()
    const ports = quickPorts({ keychain })
    const created = await createKey(ports, { ...PLAIN, keyFile: true })
    expect(created.keychain).toBe('file')
    expect(readFileSync(created.file ?? '', 'utf8').trim()).toBe(created.key)
    expect(statSync(created.file ?? '').mode & 0o777).toBe(0o600)
    expect(secrets.size).toBe(0)
    expect(await ports.library.listKeys()).toMatchObject([{ keychain: 'file' }])
  })

  test('belongs to no active key if its file cannot be written', async () => {
    const data = tempFolder()
    const ports = await testPorts({ data })
    writeFileSync(join(data, 'keys'), 'in the way of the folder')
    await expect(createKey(ports, { ...PLAIN, keyFile: true })).rejects.toThrow()
    const active = (await ports.library.listKeys()).filter(({ revokedAt }) => revokedAt === null)
    expect(active).toEqual([])
  })

  test('is deleted when the key is revoked', async () => {
    const { secrets, keychain } = memoryKeychain()
    const ports = quickPorts({ keychain })
    const stored = await createKey(ports, PLAIN)
    const filed = await createKey(ports, { ...PLAIN, keyFile: true })
    await revokeKey(ports, stored.id)
    await revokeKey(ports, filed.id)
    expect(secrets.size).toBe(0)
    expect(() => statSync(filed.file ?? '')).toThrow('ENOENT')
  })
})

describe('revoking', () => {
  test('ends a key, which stays in the list', async () => {
    const ports = quickPorts()
    const { id, key } = await createKey(ports, PLAIN)
    ports.clock.time += 1000
    await revokeKey(ports, id)
    expect(await identifyKey(ports, key)).toBeUndefined()
    expect(await ports.library.listKeys()).toMatchObject([{ id, revokedAt: START + 1000 }])
  })

  test('twice keeps the first time of revocation', async () => {
    const ports = quickPorts()
    const { id } = await createKey(ports, PLAIN)
    await revokeKey(ports, id)
    ports.clock.time += 1000
    await revokeKey(ports, id)
    expect(await ports.library.listKeys()).toMatchObject([{ revokedAt: START }])
  })

  test('an unknown key is a not-found problem', async () => {
    const ports = quickPorts()
    await expect(revokeKey(ports, 'nobody')).rejects.toMatchObject({ code: 'not-found' })
  })

  test('an id that is a path touches no file outside the keys’ folder', async () => {
    const data = tempFolder()
    const ports = await testPorts({ data })
    writeFileSync(join(data, 'other.key'), 'keep')
    await expect(revokeKey(ports, '../other')).rejects.toMatchObject({ code: 'not-found' })
    expect(readFileSync(join(data, 'other.key'), 'utf8')).toBe('keep')
  })
})

describe('rotating', () => {
  test('revokes the old key and creates one of the same name, owner, permissions and expiry', async () => {
    const ports = quickPorts()
    const { rowId } = await ports.library.createOrganization('Acme', START)
    const old = await createKey(ports, { ...PLAIN, organization: 'Acme', readOnly: true, tags: ['agent'], expires: 30 })
    ports.clock.time += DAY_MS
    const created = await rotateKey(ports, old.id)
    expect(await identifyKey(ports, old.key)).toBeUndefined()
    expect(await identifyKey(ports, created.key)).toMatchObject({ owner: rowId, readOnly: true, tags: ['agent'] })
    expect(await ports.library.listKeys()).toMatchObject([
      { id: old.id, revokedAt: START + DAY_MS },
      { id: created.id, name: 'editor', createdAt: START + DAY_MS, expiresAt: START + 30 * DAY_MS, revokedAt: null }
    ])
  })

  test('replaces the old secret in the keychain', async () => {
    const { secrets, keychain } = memoryKeychain()
    const ports = quickPorts({ keychain })
    const old = await createKey(ports, PLAIN)
    const created = await rotateKey(ports, old.id)
    expect(created.keychain).toBe('stored')
    expect([...secrets.values()]).toEqual([created.key])
    expect(await readKeySecret(ports, created.id)).toBe(created.key)
  })

  test('replaces the file of the old secret', async () => {
    const ports = quickPorts()
    const old = await createKey(ports, { ...PLAIN, keyFile: true })
    const created = await rotateKey(ports, old.id)
    expect(created).toMatchObject({ keychain: 'file', file: expect.stringContaining(created.id) })
    expect(existsSync(old.file ?? '')).toBe(false)
    expect(await readKeySecret(ports, created.id)).toBe(created.key)
  })

  test('shows the new key once if its file cannot be written', async () => {
    const data = tempFolder()
    const ports = await testPorts({ data })
    const old = await createKey(ports, { ...PLAIN, keyFile: true })
    await rm(join(data, 'keys'), { recursive: true })
    writeFileSync(join(data, 'keys'), 'in the way of the folder')
    const removing = { ...ports, keyFiles: { ...ports.keyFiles, remove: async () => {} } }
    const created = await rotateKey(removing, old.id)
    expect(created.keychain).toBe('shown-once')
    expect(await identifyKey(ports, created.key)).toBeDefined()
    await expect(readKeySecret(ports, created.id)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('a revoked or an unknown key is a not-found problem', async () => {
    const ports = quickPorts()
    const old = await createKey(ports, PLAIN)
    await ports.library.revokeKey(old.id, START)
    await expect(rotateKey(ports, old.id)).rejects.toMatchObject({ code: 'not-found' })
    await expect(rotateKey(ports, 'nobody')).rejects.toMatchObject({ code: 'not-found' })
    expect(await ports.library.listKeys()).toHaveLength(1)
  })

  test('an expired key is refused, because the new key would have expired too', async () => {
    const ports = quickPorts()
    const old = await createKey(ports, { ...PLAIN, expires: 1 })
    ports.clock.time += DAY_MS
    await expect(rotateKey(ports, old.id)).rejects.toMatchObject({ code: 'invalid' })
    expect(await ports.library.listKeys()).toMatchObject([{ revokedAt: null }])
  })
})

describe('over the API', () => {
  test.each([
    [{}, /name/],
    [{ name: '' }, /name/],
    [{ name: '   ' }, /name/],
    [{ name: 'x'.repeat(81) }, /name/],
    [{ name: 'x', expires: 0 }, /expires/],
    [{ name: 'x', expires: 1.5 }, /expires/],
    [{ name: 'x', expires: 3651 }, /expires/],
    [{ name: 'x', readOnly: 'yes' }, /readOnly/],
    [{ name: 'x', tags: ['1', '2', '3', '4', '5', '6'] }, /at most 5 tags/],
    [{ name: 'x', tags: ['y'.repeat(65)] }, /tags/],
    [{ name: 'x', organization: '' }, /organization/],
    [{ name: 'x', owner: 1 }, /owner/]
  ])('the request %j is refused with the name of the fault, and creates no key', async (request, fault) => {
    const service = await testService()
    const response = await callApi(service, 'POST', '/keys', request)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid', message: expect.stringMatching(fault) } })
    expect(await (await callApi(service, 'GET', '/keys')).json()).toEqual([])
  })

  test('rotating refuses the old key and allows the new key', async () => {
    const service = await testService()
    const old = (await (await callApi(service, 'POST', '/keys', { name: 'x' })).json()) as { id: string; key: string }
    const response = await callApi(service, 'POST', `/keys/${old.id}/rotate`)
    expect(response.status).toBe(201)
    const { key } = (await response.json()) as { key: string }
    expect((await callTool(service, old.key, 'bookmarks.search', {})).status).toBe(401)
    expect((await callTool(service, key, 'bookmarks.search', {})).status).toBe(200)
    expect((await callApi(service, 'POST', `/keys/${old.id}/rotate`)).status).toBe(404)
  })

  test('the list of keys holds neither secrets nor hashes nor row ids', async () => {
    const service = await testService()
    const created = (await (await callApi(service, 'POST', '/keys', { name: 'x' })).json()) as { key: string }
    const text = await (await callApi(service, 'GET', '/keys')).text()
    expect(text).not.toContain(created.key)
    expect(text).not.toMatch(/hash|rowId|"owner"/)
    expect(JSON.parse(text)).toMatchObject([{ name: 'x', state: 'active', keychain: 'shown-once' }])
  })
})

/** A keychain in memory. */
function memoryKeychain(): { secrets: Map<string, string>; keychain: Keychain } {
  const secrets = new Map<string, string>()
  const keychain: Keychain = {
    ...noKeychain,
    async store(account, secret) {
      secrets.set(account, secret)
      return true
    },
    read: async (account) => secrets.get(account),
    remove: async (account) => void secrets.delete(account)
  }
  return { secrets, keychain }
}
