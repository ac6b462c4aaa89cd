import { expect, test } from 'vitest'
import { emptyLibrary } from '../library.ts'

const hash = (byte: number) => new Uint8Array(32).fill(byte)
const NEVER = { createdAt: 0, seenAt: 0, calledAt: 0 }

test('a session is found until it is ended, and ending one leaves the others', () => {
  const { createSession, findSession, endSession } = emptyLibrary()
  createSession(hash(1), 1000)
  createSession(hash(2), 2000)
  expect(findSession(hash(1))).toEqual({ createdAt: 1000, seenAt: 1000 })
  endSession(hash(1))
  expect(findSession(hash(1))).toBeUndefined()
  expect(findSession(hash(2))).toMatchObject({ createdAt: 2000, seenAt: 2000 })
})

test('ending a session that does not exist is no trouble', () => {
  const { endSession, findSession } = emptyLibrary()
  endSession(hash(9))
  expect(findSession(hash(9))).toBeUndefined()
})

test('use moves the time a session was last seen, forward only', () => {
  const { createSession, recordUse, findSession } = emptyLibrary()
  createSession(hash(1), 1000)
  recordUse([{ kind: 'session', hash: hash(1), at: 5000 }], NEVER)
  recordUse([{ kind: 'session', hash: hash(1), at: 4000 }], NEVER)
  expect(findSession(hash(1))).toMatchObject({ createdAt: 1000, seenAt: 5000 })
})

test('sessions that began too long ago or were not seen for too long are forgotten', () => {
  const { createSession, recordUse, findSession } = emptyLibrary()
  for (const [byte, at] of [
    [1, 1000],
    [2, 2000],
    [3, 3000]
  ] as const) {
    createSession(hash(byte), at)
  }
  recordUse([{ kind: 'session', hash: hash(1), at: 9000 }], { ...NEVER, createdAt: 1500 })
  expect([1, 2, 3].map((byte) => findSession(hash(byte)) !== undefined)).toEqual([false, true, true])
  recordUse([{ kind: 'session', hash: hash(3), at: 9000 }], { ...NEVER, seenAt: 8000 })
  expect([1, 2, 3].map((byte) => findSession(hash(byte)) !== undefined)).toEqual([false, false, true])
})

test('a session of a secret that is no SHA-256 is refused', () => {
  expect(() => emptyLibrary().createSession(new Uint8Array(20), 1)).toThrow('CHECK')
})
