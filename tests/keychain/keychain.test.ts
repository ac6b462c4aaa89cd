import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Keychain } from '../../src-main/contract/ports.ts'
import { startNodeProcess } from '../../src-main/host/child-process.ts'
import { openKeychain } from '../../src-main/keychain/keychain.ts'
import { leaveDesktop, openKeyring } from '../support/keyring.ts'
import { callApi, callTool, testService } from '../support/service.ts'
import { hasKeyring } from '../support/tools.ts'

/** How long the product waits for a keychain, in milliseconds. */
const PATIENCE_MS = 1500

// On macOS and Windows these would write into the developer's own keychain.
describe.runIf(hasKeyring())('the keychain', () => {
  test('gives back what was stored, and after removal knows nothing of it', async () => {
    await openKeyring()
    const keychain = testKeychain()
    expect(await keychain.store('api-key:one', 'emk_secret')).toBe(true)
    expect(await keychain.read('api-key:one')).toBe('emk_secret')
    await keychain.remove('api-key:one')
    expect(await keychain.read('api-key:one')).toBeUndefined()
  })

  test('stores a secret again under the same account', async () => {
    await openKeyring()
    const keychain = testKeychain()
    await keychain.store('api-key:one', 'first')
    expect(await keychain.store('api-key:one', 'second')).toBe(true)
    expect(await keychain.read('api-key:one')).toBe('second')
  })

  test('keeps accounts apart', async () => {
    await openKeyring()
    const keychain = testKeychain()
    await Promise.all([keychain.store('api-key:one', 'first'), keychain.store('api-key:two', 'second')])
    await keychain.remove('api-key:one')
    expect(await keychain.read('api-key:two')).toBe('second')
  })

  test('takes the removal of what it never held without complaint', async () => {
    await openKeyring()
    const keychain = testKeychain()
    await expect(keychain.remove('api-key:never')).resolves.toBeUndefined()
  })

  test('holds the secret of a new key, and loses it when the key is revoked', async () => {
    await openKeyring()
    const keychain = openKeychain(startNodeProcess)
    const service = await testService({ keychain })
    const made = await createKey(service)
    expect(made.keychain).toBe('stored')
    expect(await keychain.read(`api-key:${made.id}`)).toBe(made.key)
    await callApi(service, 'DELETE', `/keys/${made.id}`)
    expect(await keychain.read(`api-key:${made.id}`)).toBeUndefined()
  })

  test('of a key that was stored says so in the list of keys', async () => {
    await openKeyring()
    const service = await testService({ keychain: openKeychain(startNodeProcess) })
    await createKey(service)
    expect(await (await callApi(service, 'GET', '/keys')).json()).toMatchObject([{ keychain: 'stored' }])
  })

  test('never gets the secret as an argument of a process', async () => {
    const keyring = await openKeyring()
    keyring.freeze()
    const keychain = testKeychain()
    const done = keychain.store('api-key:one', 'emk_visible')
    const [pid] = await vi.waitFor(childrenRunning)
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('emk_visible')
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('emk_visible')
    await done
  })
})

describe.runIf(process.platform === 'linux')('without a keychain a key is made all the same and shown once:', () => {
  test('no D-Bus session', async () => {
    leaveDesktop()
    await expectShownOnce()
  })

  test('a D-Bus address where nobody listens', async () => {
    const home = leaveDesktop()
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${home}/nobody`)
    await expectShownOnce()
  })

  test('revoking such a key works too', async () => {
    leaveDesktop()
    const service = await testService({ keychain: openKeychain(startNodeProcess) })
    const made = await createKey(service)
    expect((await callApi(service, 'DELETE', `/keys/${made.id}`)).status).toBe(204)
    expect(await works(service, made.key)).toBe(false)
  })

  describe.runIf(hasKeyring())('where there is a keyring', () => {
    test('a keyring that has no collection', async () => {
      await openKeyring({ collection: false })
      await expectShownOnce()
    })

    test('a locked keyring', async () => {
      const keyring = await openKeyring()
      await keyring.lock()
      await expectShownOnce()
    })

    test('a keyring daemon that answers nobody', async () => {
      const keyring = await openKeyring()
      keyring.freeze()
      const service = await testService({ keychain: openKeychain(startNodeProcess) })
      const made = await createKey(service)
      expect(made.keychain).toBe('shown-once')
      expect(await works(service, made.key)).toBe(true)
    })
  })
})

describe.runIf(hasKeyring())('a daemon that answers nobody', () => {
  test('does not hold up this process, and its child is killed after the patience', async () => {
    const keyring = await openKeyring()
    keyring.freeze()
    const keychain = testKeychain()
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    const begun = performance.now()
    expect(await keychain.store('api-key:one', 'secret')).toBe(false)
    const took = performance.now() - begun
    delay.disable()
    expect(took).toBeGreaterThanOrEqual(PATIENCE_MS - 5)
    // Its process has to start first, which takes long on a busy machine.
    expect(took).toBeLessThan(PATIENCE_MS + 10_000)
    expect(delay.max / 1e6).toBeLessThan(500)
    await vi.waitFor(() => expect(childrenAlive()).toEqual([]))
  })

  test('reads as unknown', async () => {
    const keyring = await openKeyring()
    const keychain = testKeychain(300)
    keyring.freeze()
    expect(await keychain.read('api-key:one')).toBeUndefined()
  })

  test('leaves no child behind when the keychain is closed meanwhile', async () => {
    const keyring = await openKeyring()
    keyring.freeze()
    const keychain = openKeychain(startNodeProcess, 60_000)
    const stored = keychain.store('api-key:one', 'secret')
    await vi.waitFor(childrenRunning)
    await keychain.close()
    expect(await stored).toBe(false)
    await vi.waitFor(() => expect(childrenAlive()).toEqual([]))
  })
})

/** The real keychain, closed after the test. */
function testKeychain(patience?: number): Keychain {
  const keychain = openKeychain(startNodeProcess, patience)
  onTestFinished(() => keychain.close())
  return keychain
}

type Made = { id: string; key: string; keychain: string }

async function createKey(service: Awaited<ReturnType<typeof testService>>): Promise<Made> {
  const response = await callApi(service, 'POST', '/keys', { name: 'editor' })
  expect(response.status).toBe(201)
  return (await response.json()) as Made
}

async function works(service: Awaited<ReturnType<typeof testService>>, key: string): Promise<boolean> {
  return (await callTool(service, key, 'bookmarks.search', {})).status === 200
}

/** Makes a key and expects an honest answer well before the patience runs out. */
async function expectShownOnce(): Promise<void> {
  const service = await testService({ keychain: openKeychain(startNodeProcess, 30_000) })
  const begun = performance.now()
  const made = await createKey(service)
  expect(made.keychain).toBe('shown-once')
  expect(performance.now() - begun).toBeLessThan(PATIENCE_MS)
  expect(await works(service, made.key)).toBe(true)
  await vi.waitFor(() => expect(childrenAlive()).toEqual([]))
}

/** The keychain's child processes of this process, zombies aside. */
function childrenAlive(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return state !== 'Z' && Number(parent) === process.pid && command.includes('keychain-child')
    } catch {
      return false // it ended while we looked
    }
  })
}

function childrenRunning(): string[] {
  const children = childrenAlive()
  expect(children).not.toEqual([])
  return children
}
