import { describe, expect, test } from 'vitest'
import {
  beginSession,
  createOneTimeTokens,
  hashSecret,
  identifySession,
  LOGIN_MS
} from '../../../src-main/actions/keys/credentials.ts'
import { createUseRecorder } from '../../../src-main/actions/keys/record-use.ts'
import { quickPorts, START } from '../ports.ts'

const DAY_MS = 86_400_000

describe('a session', () => {
  test('is identified by its own 256-bit secret and no other', async () => {
    const ports = quickPorts()
    const [first, second] = [await beginSession(ports), await beginSession(ports)]
    expect(Buffer.from(first, 'base64url')).toHaveLength(32)
    expect(await identifySession(ports, first)).toEqual(hashSecret(first))
    expect(await identifySession(ports, second)).toEqual(hashSecret(second))
    for (const secret of ['', 'unknown', 'A'.repeat(43)]) expect(await identifySession(ports, secret)).toBeUndefined()
  })

  test('ends with its own logout', async () => {
    const ports = quickPorts()
    const [ended, other] = [await beginSession(ports), await beginSession(ports)]
    await ports.library.endSession(hashSecret(ended))
    expect(await identifySession(ports, ended)).toBeUndefined()
    expect(await identifySession(ports, other)).toBeDefined()
  })

  test.each([
    ['30 days without use', [], 30 * DAY_MS],
    ['30 days after its last use', [29 * DAY_MS], 59 * DAY_MS],
    ['90 days of use', [29, 58, 87].map((day) => day * DAY_MS), 90 * DAY_MS]
  ])('ends after %s', async (_, uses, end) => {
    const ports = quickPorts()
    const secret = await beginSession(ports)
    for (const time of uses) await use(ports, secret, START + time)
    ports.clock.time = START + end - 1
    expect(await identifySession(ports, secret)).toBeDefined()
    ports.clock.time = START + end
    expect(await identifySession(ports, secret)).toBeUndefined()
  })

  test('is deleted from the library after its end', async () => {
    const ports = quickPorts()
    const [old, used] = [await beginSession(ports), await beginSession(ports)]
    await use(ports, used, START + 29 * DAY_MS)
    await use(ports, used, START + 31 * DAY_MS)
    expect(await ports.library.findSession(hashSecret(old))).toBeUndefined()
    expect(await ports.library.findSession(hashSecret(used))).toBeDefined()
  })
})

describe('a one-time token', () => {
  test('is redeemed once, whatever other tokens are created, redeemed or guessed', () => {
    const tokens = createOneTimeTokens(Date.now, LOGIN_MS)
    const [first, second] = [tokens.mint(), tokens.mint()]
    expect(first).toMatch(/^[\w-]{43}$/)
    for (const guess of ['', 'unknown', 'A'.repeat(43), first.slice(0, -1)]) expect(tokens.redeem(guess)).toBe(false)
    expect(createOneTimeTokens(Date.now, LOGIN_MS).redeem(first)).toBe(false)
    expect([tokens.redeem(first), tokens.redeem(first), tokens.redeem(second)]).toEqual([true, false, true])
  })

  test('expires after ten minutes, although a later one is created', () => {
    const clock = { time: START }
    const tokens = createOneTimeTokens(() => clock.time, LOGIN_MS)
    const [early, late] = [tokens.mint(), tokens.mint()]
    clock.time = START + LOGIN_MS - 1
    tokens.mint()
    expect(tokens.redeem(early)).toBe(true)
    clock.time = START + 10 * 60_000
    expect(tokens.redeem(late)).toBe(false)
  })
})

/** Uses the session at a time and writes that down, as the service does once a second. */
async function use(ports: ReturnType<typeof quickPorts>, secret: string, time: number): Promise<void> {
  ports.clock.time = time
  const recorder = createUseRecorder(ports, () => {})
  recorder.session(hashSecret(secret))
  await recorder.close()
}
