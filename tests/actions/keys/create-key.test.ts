import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hashSecret, identifyKey } from '../../../src-main/actions/keys/identify-key.ts'
import { createKey, revokeKey } from '../../../src-main/actions/keys/keys.ts'
import type { KeyRequest } from '../../../src-main/contract/key.ts'
import type { Keychain } from '../../../src-main/contract/ports.ts'
import { isWellFormedKey } from '../../../src-main/core/key-format.ts'
import { callApi, noKeychain, testService } from '../../support/service.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { quickPorts, START, testPorts } from '../ports.ts'

const PLAIN: KeyRequest = { name: 'editor', readOnly: false, keyFile: false }
const DAY_MS = 86_400_000

describe('a new key', () => {
  test('is well formed, shown in full, and known by it', async () => {
    const ports = quickPorts()
    const { id, key, prefix } = await createKey(ports, PLAIN)
    expect(isWellFormedKey(key)).toBe(true)
    expect(key.startsWith(prefix)).toBe(true)
    expect(prefix).toHaveLength(10)
    expect(await identifyKey(ports, key)).toMatchObject({ owner: null, readOnly: false })
    expect(await ports.library.listKeys()).toMatchObject([{ id, name: 'editor', prefix, createdAt: START }])
  })

  test('is unlike the one before', async () => {
    const ports = quickPorts()
    const [first, second] = [await createKey(ports, PLAIN), await createKey(ports, PLAIN)]
    expect(first.key).not.toBe(second.key)
    expect(first.id).not.toBe(second.id)
  })

  test('leaves only its hash in the library’s files', async () => {
    const data = tempFolder()
    const ports = await testPorts({ data })
    const { key } = await createKey(ports, PLAIN)
    const bytes = Buffer.concat(['library.sqlite', 'library.sqlite-wal'].map((name) => readFileSync(join(data, name))))
    expect(bytes.includes(key)).toBe(false)
    expect(bytes.includes(key.slice(10))).toBe(false)
    expect(bytes.includes(Buffer.from(hashSecret(key)))).toBe(true)
  })

  test('of an organization, by its id or by its name in any case, acts as that organization', async () => {
    const ports = quickPorts()
    const { id, rowId } = await ports.library.createOrganization('Client', START)
    for (const organization of [id, 'Client', ' client ']) {
      const { key } = await createKey(ports, { ...PLAIN, organization })
      expect(await identifyKey(ports, key)).toMatchObject({ owner: rowId })
    }
    expect(await ports.library.listKeys()).toMatchObject(Array(3).fill({ organization: { id, name: 'Client' } }))
  })

  test('of an organization that does not exist is not made', async () => {
    const ports = quickPorts()
    await expect(createKey(ports, { ...PLAIN, organization: 'Nobody' })).rejects.toMatchObject({ code: 'not-found' })
    expect(await ports.library.listKeys()).toEqual([])
  })

  test('may be read-only and may end', async () => {
    const ports = quickPorts()
    const { key } = await createKey(ports, { ...PLAIN, readOnly: true, expires: 3 })
    expect(await identifyKey(ports, key)).toMatchObject({ readOnly: true })
    expect(await ports.library.listKeys()).toMatchObject([{ readOnly: true, expiresAt: START + 3 * DAY_MS }])
  })
})

describe('where the secret went:', () => {
  test('stored, where the keychain holds it', async () => {
    const { held, keychain } = memoryKeychain()
    const ports = quickPorts({ keychain })
    const made = await createKey(ports, PLAIN)
    expect(made.keychain).toBe('stored')
    expect([...held.values()]).toEqual([made.key])
    expect(await ports.library.listKeys()).toMatchObject([{ keychain: 'stored' }])
  })

  test('shown once, where there is no keychain', async () => {
    const ports = quickPorts()
    const made = await createKey(ports, PLAIN)
    expect(made).toMatchObject({ keychain: 'shown-once' })
    expect(made).not.toHaveProperty('file')
    expect(await ports.library.listKeys()).toMatchObject([{ keychain: 'shown-once' }])
  })

  test('in a file for the owner’s account alone, where that was asked for, and then not in the keychain', async () => {
    const { held, keychain } = memoryKeychain()
    const ports = quickPorts({ keychain })
    const made = await createKey(ports, { ...PLAIN, keyFile: true })
    expect(made.keychain).toBe('file')
    expect(readFileSync(made.file ?? '', 'utf8').trim()).toBe(made.key)
    expect(statSync(made.file ?? '').mode & 0o777).toBe(0o600)
    expect(held.size).toBe(0)
    expect(await ports.library.listKeys()).toMatchObject([{ keychain: 'file' }])
  })

  test('nowhere, where the file cannot be written: then there is no living key either', async () => {
    const data = tempFolder()
    const ports = await testPorts({ data })
    writeFileSync(join(data, 'keys'), 'in the way of the folder')
    await expect(createKey(ports, { ...PLAIN, keyFile: true })).rejects.toThrow()
    const living = (await ports.library.listKeys()).filter(({ revokedAt }) => revokedAt === null)
    expect(living).toEqual([])
  })

  test('away, once the key is revoked', async () => {
    const { held, keychain } = memoryKeychain()
    const ports = quickPorts({ keychain })
    const stored = await createKey(ports, PLAIN)
    const filed = await createKey(ports, { ...PLAIN, keyFile: true })
    await revokeKey(ports, stored.id)
    await revokeKey(ports, filed.id)
    expect(held.size).toBe(0)
    expect(() => statSync(filed.file ?? '')).toThrow('ENOENT')
  })
})

describe('revoking', () => {
  test('a key ends it and keeps it in the list', async () => {
    const ports = quickPorts()
    const { id, key } = await createKey(ports, PLAIN)
    ports.clock.time += 1000
    await revokeKey(ports, id)
    expect(await identifyKey(ports, key)).toBeUndefined()
    expect(await ports.library.listKeys()).toMatchObject([{ id, revokedAt: START + 1000 }])
  })

  test('twice keeps the first time', async () => {
    const ports = quickPorts()
    const { id } = await createKey(ports, PLAIN)
    await revokeKey(ports, id)
    ports.clock.time += 1000
    await revokeKey(ports, id)
    expect(await ports.library.listKeys()).toMatchObject([{ revokedAt: START }])
  })

  test('what does not exist is not found', async () => {
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
  ])('the request %j is refused, naming the fault, and makes no key', async (request, fault) => {
    const service = await testService()
    const response = await callApi(service, 'POST', '/keys', request)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid', message: expect.stringMatching(fault) } })
    expect(await (await callApi(service, 'GET', '/keys')).json()).toEqual([])
  })

  test('the list of keys holds neither secrets nor hashes nor row ids', async () => {
    const service = await testService()
    const made = (await (await callApi(service, 'POST', '/keys', { name: 'x' })).json()) as { key: string }
    const text = await (await callApi(service, 'GET', '/keys')).text()
    expect(text).not.toContain(made.key)
    expect(text).not.toMatch(/hash|rowId|"owner"/)
    expect(JSON.parse(text)).toMatchObject([{ name: 'x', state: 'active', keychain: 'shown-once' }])
  })
})

/** Stands in at the keychain's port: one that works. */
function memoryKeychain(): { held: Map<string, string>; keychain: Keychain } {
  const held = new Map<string, string>()
  const keychain: Keychain = {
    ...noKeychain,
    async store(account, secret) {
      held.set(account, secret)
      return true
    },
    read: async (account) => held.get(account),
    remove: async (account) => void held.delete(account)
  }
  return { held, keychain }
}
