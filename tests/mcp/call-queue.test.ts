import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Caller } from '../../src-main/contract/caller.ts'
import { createQueues } from '../../src-main/mcp/call-queue.ts'

const MINE: Caller = { owner: null, readOnly: false, keyId: 1 }
const OTHER: Caller = { ...MINE, keyId: 2 }
const WAITING = { signal: new AbortController().signal }
const BUSY = { name: 'Problem', code: 'too-many' }

function within(owner: number): Caller {
  return { owner, readOnly: false, keyId: 10 + owner }
}

/** Calls that run until `end`, and the names of those that have begun. */
function heldCalls(maxWaitMs?: number) {
  const inQueue = createQueues(maxWaitMs)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const call = (name: string, caller = MINE, request = WAITING) =>
    inQueue(caller, request, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  return { call, begun, end: () => ends.shift()?.() }
}

test('a call that fails blocks no other', async () => {
  const inQueue = createQueues()
  const failed = inQueue(within(1), WAITING, () => Promise.reject(new Error('planted')))
  const next = inQueue(within(1), WAITING, async () => 'answered')
  await expect(failed).rejects.toThrow('planted')
  expect(await next).toBe('answered')
})

test.for<[string, Caller, Caller, Caller]>([
  ['a key', MINE, MINE, OTHER],
  ['an organization with two keys', within(1), { ...within(1), keyId: 99 }, within(2)]
])('%s runs two calls at once, in order, and another caller’s call begins at once', async ([, key, sibling, other]) => {
  const { call, begun, end } = heldCalls()
  const names = Array.from({ length: 20 }, (_, index) => `mine ${index}`)
  const answers = Promise.all(names.map((name, index) => call(name, index % 2 === 0 ? key : sibling)))
  const others = call('other', other)
  expect(begun).toEqual([...names.slice(0, 2), 'other'])
  for (let count = 0; count < 21; count++) {
    end()
    await nextTick()
  }
  expect(begun).toEqual([...names.slice(0, 2), 'other', ...names.slice(2)])
  expect([await answers, await others]).toEqual([names, 'other'])
})

test('an aborted call never begins and takes no slot', async () => {
  const { call, begun, end } = heldCalls()
  const gone = new AbortController()
  const first = Array.from({ length: 2 }, () => call('first'))
  const dropped = [call('dropped', MINE, gone), call('dropped', MINE, gone)]
  const last = call('last')
  gone.abort()
  dropped.push(call('dropped', MINE, gone))
  for (const call of dropped) await expect(call).rejects.toMatchObject(BUSY)
  for (let count = 0; count < 3; count++) {
    end()
    await nextTick()
  }
  expect(await Promise.all([...first, last])).toEqual([...Array(2).fill('first'), 'last'])
  expect(begun).not.toContain('dropped')
})

test('a call that waits too long is refused, and the next call takes its slot', async () => {
  const { call, begun, end } = heldCalls(5)
  const running = Array.from({ length: 2 }, () => call('running'))
  await expect(call('late')).rejects.toMatchObject(BUSY)
  end()
  await nextTick()
  void call('next')
  expect(begun.slice(2)).toEqual(['next'])
  for (let count = 0; count < 2; count++) end()
  await Promise.all(running)
})

test('a caller with 256 waiting calls is refused more', async () => {
  const { call, end } = heldCalls()
  const all = Array.from({ length: 2 + 256 }, () => call('mine'))
  await expect(call('mine')).rejects.toMatchObject(BUSY)
  for (let count = 0; count < all.length; count++) {
    end()
    await nextTick()
  }
  await Promise.all(all)
})
