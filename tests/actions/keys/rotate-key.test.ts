import { existsSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { identifyKey } from '../../../src-main/actions/keys/identify-key.ts'
import { createKey, readKeySecret, rotateKey } from '../../../src-main/actions/keys/keys.ts'
import { callApi, callTool, noKeychain, testService } from '../../support/service.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { quickPorts, START, testPorts } from '../ports.ts'

const PLAIN = { name: 'editor', readOnly: false, keyFile: false }
const DAY_MS = 86_400_000

test('a rotated key has the same name, owner, rights and end; the old one is refused from then on', async () => {
  const ports = quickPorts()
  const { rowId } = await ports.library.createOrganization('Acme', START)
  const old = await createKey(ports, { ...PLAIN, organization: 'Acme', readOnly: true, tags: ['agent'], expires: 30 })
  ports.clock.time += DAY_MS
  const made = await rotateKey(ports, old.id)
  expect(await identifyKey(ports, old.key)).toBeUndefined()
  expect(await identifyKey(ports, made.key)).toMatchObject({ owner: rowId, readOnly: true, tags: ['agent'] })
  expect(await ports.library.listKeys()).toMatchObject([
    { id: old.id, revokedAt: START + DAY_MS },
    { id: made.id, name: 'editor', createdAt: START + DAY_MS, expiresAt: START + 30 * DAY_MS, revokedAt: null }
  ])
})

test('the keychain holds the new secret and no longer the old one', async () => {
  const held = new Map<string, string>()
  const keychain = {
    ...noKeychain,
    store: async (account: string, secret: string) => held.set(account, secret).size > 0,
    read: async (account: string) => held.get(account),
    remove: async (account: string) => void held.delete(account)
  }
  const ports = quickPorts({ keychain })
  const old = await createKey(ports, PLAIN)
  const made = await rotateKey(ports, old.id)
  expect(made.keychain).toBe('stored')
  expect([...held.values()]).toEqual([made.key])
  expect(await readKeySecret(ports, made.id)).toBe(made.key)
})

test('a key whose secret lies in a file gets a new file in place of the old one', async () => {
  const ports = quickPorts()
  const old = await createKey(ports, { ...PLAIN, keyFile: true })
  const made = await rotateKey(ports, old.id)
  expect(made).toMatchObject({ keychain: 'file', file: expect.stringContaining(made.id) })
  expect(existsSync(old.file ?? '')).toBe(false)
  expect(await readKeySecret(ports, made.id)).toBe(made.key)
})

test('where the new file cannot be written the key works, and is honestly shown once', async () => {
  const data = tempFolder()
  const ports = await testPorts({ data })
  const old = await createKey(ports, { ...PLAIN, keyFile: true })
  await rm(join(data, 'keys'), { recursive: true })
  writeFileSync(join(data, 'keys'), 'in the way of the folder')
  const removing = { ...ports, keyFiles: { ...ports.keyFiles, remove: async () => {} } }
  const made = await rotateKey(removing, old.id)
  expect(made.keychain).toBe('shown-once')
  expect(await identifyKey(ports, made.key)).toBeDefined()
  await expect(readKeySecret(ports, made.id)).rejects.toMatchObject({ code: 'not-found' })
})

test('a revoked key, and one that never was, is not rotated', async () => {
  const ports = quickPorts()
  const old = await createKey(ports, PLAIN)
  await ports.library.revokeKey(old.id, START)
  await expect(rotateKey(ports, old.id)).rejects.toMatchObject({ code: 'not-found' })
  await expect(rotateKey(ports, 'nobody')).rejects.toMatchObject({ code: 'not-found' })
  expect(await ports.library.listKeys()).toHaveLength(1)
})

test('an expired key is not rotated, because the new one would have expired as well', async () => {
  const ports = quickPorts()
  const old = await createKey(ports, { ...PLAIN, expires: 1 })
  ports.clock.time += DAY_MS
  await expect(rotateKey(ports, old.id)).rejects.toMatchObject({ code: 'invalid' })
  expect(await ports.library.listKeys()).toMatchObject([{ revokedAt: null }])
})

test('over the API the old key is refused and the new one is let in', async () => {
  const service = await testService()
  const old = (await (await callApi(service, 'POST', '/keys', { name: 'x' })).json()) as { id: string; key: string }
  const response = await callApi(service, 'POST', `/keys/${old.id}/rotate`)
  expect(response.status).toBe(201)
  const { key } = (await response.json()) as { key: string }
  expect((await callTool(service, old.key, 'bookmarks.search', {})).status).toBe(401)
  expect((await callTool(service, key, 'bookmarks.search', {})).status).toBe(200)
  expect((await callApi(service, 'POST', `/keys/${old.id}/rotate`)).status).toBe(404)
})
