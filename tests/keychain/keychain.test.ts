import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Keychain } from '../../src-main/contract/ports.ts'
import { startNodeProcess } from '../../src-main/host/own-program.ts'
import { openKeychain } from '../../src-main/keychain/keychain.ts'
import { leaveDesktop, openKeyring } from '../support/keyring.ts'
import { callApi, callTool, testService } from '../support/service.ts'
import { hasKeyring } from '../support/tools.ts'

/** The timeout of a keychain operation in Earmark, in ms. */
const TIMEOUT_MS = 1500

// On macOS and Windows these tests would write into the developer's own keychain.
describe.runIf(hasKeyring())('the keychain', () => {
  test('stores, replaces and removes secrets by account', async () => {
    await openKeyring()
    const keychain = testKeychain()
    await keychain.store('api-key:one', 'first')
    await Promise.all([keychain.store('api-key:one', 'second'), keychain.store('api-key:two', 'other')])
    expect(await keychain.read('api-key:one')).toBe('second')
    await keychain.remove('api-key:one')
    expect(await keychain.read('api-key:one')).toBeUndefined()
    expect(await keychain.read('api-key:two')).toBe('other')
    await expect(keychain.remove('api-key:unknown')).resolves.toBeUndefined()
  })

  test('has the secret of a key until the key is revoked', async () => {
    await openKeyring()
    const keychain = openKeychain(startNodeProcess)
    const service = await testService({ keychain })
    const created = await createKey(service)
    expect(created.keychain).toBe('stored')
    expect(await (await callApi(service, 'GET', '/keys')).json()).toMatchObject([{ keychain: 'stored' }])
    expect(await keychain.read(`api-key:${created.id}`)).toBe(created.key)
    await callApi(service, 'DELETE', `/keys/${created.id}`)
    expect(await keychain.read(`api-key:${created.id}`)).toBeUndefined()
  })

  test('gets no secret as an argument or environment variable of a process', async () => {
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

describe.runIf(process.platform === 'linux')('a key is shown once', () => {
  test('without a D-Bus session', async () => {
    leaveDesktop()
    await expectShownOnce()
  })

  test('with a D-Bus address that nothing listens at', async () => {
    const home = leaveDesktop()
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${home}/nobody`)
    await expectShownOnce()
  })

  test('and can be revoked', async () => {
    leaveDesktop()
    const service = await testService({ keychain: openKeychain(startNodeProcess) })
    const created = await createKey(service)
    expect((await callApi(service, 'DELETE', `/keys/${created.id}`)).status).toBe(204)
    expect(await works(service, created.key)).toBe(false)
  })

  describe.runIf(hasKeyring())('with a keyring', () => {
    test('without a collection', async () => {
      await openKeyring({ collection: false })
      await expectShownOnce()
    })

    test('that is locked', async () => {
      const keyring = await openKeyring()
      await keyring.lock()
      await expectShownOnce()
    })

    test('whose daemon does not answer', async () => {
      const keyring = await openKeyring()
      keyring.freeze()
      const service = await testService({ keychain: openKeychain(startNodeProcess) })
      const created = await createKey(service)
      expect(created.keychain).toBe('shown-once')
      expect(await works(service, created.key)).toBe(true)
    })
  })
})

describe.runIf(hasKeyring())('a daemon that does not answer', () => {
  test('does not block this process, and the child is killed after the timeout', async () => {
    const keyring = await openKeyring()
    keyring.freeze()
    const keychain = testKeychain()
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    const begun = performance.now()
    expect(await keychain.store('api-key:one', 'secret')).toBe(false)
    const took = performance.now() - begun
    delay.disable()
    expect(took).toBeGreaterThanOrEqual(TIMEOUT_MS - 5)
    // The child has to start first, which takes long on a busy machine.
    expect(took).toBeLessThan(TIMEOUT_MS + 10_000)
    expect(delay.max / 1e6).toBeLessThan(500)
    await vi.waitFor(() => expect(childrenAlive()).toEqual([]))
  })

  test('reads as undefined', async () => {
    const keyring = await openKeyring()
    const keychain = testKeychain(300)
    keyring.freeze()
    expect(await keychain.read('api-key:one')).toBeUndefined()
  })

  test('leaves no child after the keychain closes', async () => {
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
function testKeychain(timeoutMs?: number): Keychain {
  const keychain = openKeychain(startNodeProcess, timeoutMs)
  onTestFinished(() => keychain.close())
  return keychain
}

type CreatedKey = { id: string; key: string; keychain: string }

async function createKey(service: Awaited<ReturnType<typeof testService>>): Promise<CreatedKey> {
  const response = await callApi(service, 'POST', '/keys', { name: 'editor' })
  expect(response.status).toBe(201)
  return (await response.json()) as CreatedKey
}

async function works(service: Awaited<ReturnType<typeof testService>>, key: string): Promise<boolean> {
  return (await callTool(service, key, 'bookmarks.search', {})).status === 200
}

/** Creates a key, which is shown once, before the timeout. */
async function expectShownOnce(): Promise<void> {
  const service = await testService({ keychain: openKeychain(startNodeProcess, 30_000) })
  const begun = performance.now()
  const created = await createKey(service)
  expect(created.keychain).toBe('shown-once')
  expect(performance.now() - begun).toBeLessThan(TIMEOUT_MS)
  expect(await works(service, created.key)).toBe(true)
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
      return false // it ended meanwhile
    }
  })
}

function childrenRunning(): string[] {
  const children = childrenAlive()
  expect(children).not.toEqual([])
  return children
}
