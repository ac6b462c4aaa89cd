import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Caller } from '../../src-main/contract/caller.ts'
import { createTurns } from '../../src-main/mcp/turns.ts'

const MINE: Caller = { owner: null, readOnly: false, keyId: 1 }
const OTHER: Caller = { ...MINE, keyId: 2 }
const WAITING = { signal: new AbortController().signal }
const BUSY = { name: 'Problem', code: 'too-many' }

function within(owner: number): Caller {
  return { owner, readOnly: false, keyId: 10 + owner }
}

/** Calls that run until `end`, and the names of those that have begun. */
function heldCalls(maxWaitMs?: number) {
  const inTurn = createTurns(maxWaitMs)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const call = (name: string, caller = MINE, request = WAITING) =>
    inTurn(caller, request, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  return { call, begun, end: () => ends.shift()?.() }
}

test('calls of one organization run one after the other, in parallel to those of another', async () => {
  const inTurn = createTurns()
  const running = { 1: 0, 2: 0 }
  let maximum = 0
  let isParallel = false
  const call = (organization: 1 | 2) =>
    inTurn(within(organization), WAITING, async () => {
      running[organization] += 1
      maximum = Math.max(maximum, running[organization])
      isParallel ||= running[1] > 0 && running[2] > 0
      await wait(3)
      running[organization] -= 1
    })
  const begun = performance.now()
  await Promise.all([call(1), call(1), call(1), call(2)])
  expect({ maximum, isParallel }).toEqual({ maximum: 1, isParallel: true })
  expect(performance.now() - begun).toBeGreaterThanOrEqual(3 * 16)
})

test('a call that fails blocks no other', async () => {
  const inTurn = createTurns()
  const failed = inTurn(within(1), WAITING, () => Promise.reject(new Error('planted')))
  const next = inTurn(within(1), WAITING, async () => 'answered')
  await expect(failed).rejects.toThrow('planted')
  expect(await next).toBe('answered')
})

test('a key runs eight calls at once, in order, and another key’s call begins at once', async () => {
  const { call, begun, end } = heldCalls()
  const names = Array.from({ length: 20 }, (_, index) => `mine ${index}`)
  const answers = Promise.all(names.map((name) => call(name)))
  const others = call('other', OTHER)
  expect(begun).toEqual([...names.slice(0, 8), 'other'])
  for (let at = 0; at < 21; at++) {
    end()
    await nextTurn()
  }
  expect(begun).toEqual([...names.slice(0, 8), 'other', ...names.slice(8)])
  expect([await answers, await others]).toEqual([names, 'other'])
})

test('an aborted call never begins and takes no turn', async () => {
  const { call, begun, end } = heldCalls()
  const gone = new AbortController()
  const first = Array.from({ length: 8 }, () => call('first'))
  const dropped = [call('dropped', MINE, gone), call('dropped', MINE, gone)]
  const last = call('last')
  gone.abort()
  dropped.push(call('dropped', MINE, gone))
  for (const call of dropped) await expect(call).rejects.toMatchObject(BUSY)
  for (let at = 0; at < 9; at++) {
    end()
    await nextTurn()
  }
  expect(await Promise.all([...first, last])).toEqual([...Array(8).fill('first'), 'last'])
  expect(begun).not.toContain('dropped')
})

test('a call that waits too long is refused, and the next call takes its turn', async () => {
  const { call, begun, end } = heldCalls(5)
  const running = Array.from({ length: 8 }, () => call('running'))
  await expect(call('late')).rejects.toMatchObject(BUSY)
  end()
  await nextTurn()
  void call('next')
  expect(begun.slice(8)).toEqual(['next'])
  for (let at = 0; at < 8; at++) end()
  await Promise.all(running)
})

test('a caller with 256 waiting calls is refused more', async () => {
  const { call, end } = heldCalls()
  const all = Array.from({ length: 8 + 256 }, () => call('mine'))
  await expect(call('mine')).rejects.toMatchObject(BUSY)
  for (let at = 0; at < all.length; at++) {
    end()
    await nextTurn()
  }
  await Promise.all(all)
})
