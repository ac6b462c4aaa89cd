import { expect, onTestFinished, test } from 'vitest'
import { createUseRecorder } from '../../../src-main/actions/keys/record-use.ts'
import type { CallRecord } from '../../../src-main/contract/call.ts'
import { quickPorts, START } from '../ports.ts'

const HOUR_MS = 3_600_000

/** A recorder on a library with two keys, and the calls it wrote. */
async function recorder() {
  const ports = quickPorts()
  const key = { name: 'x', prefix: 'emk_', owner: null, readOnly: true, expiresAt: null, tags: [], createdAt: START }
  const keys = [1, 2].map((byte) => ports.library.createKey({ ...key, hash: new Uint8Array(32).fill(byte) }))
  const [first, other] = (await Promise.all(keys)).map(({ rowId }) => rowId)
  const written: CallRecord[] = []
  const { recordUse } = ports.library
  ports.library.recordUse = async (use, expired) => {
    written.push(...use.flatMap((record) => (record.kind === 'call' ? record.call : [])))
    return recordUse(use, expired)
  }
  const use = createUseRecorder(
    ports,
    (error) => {
      throw error
    },
    5
  )
  onTestFinished(() => use.close())
  let named = 0
  const refuse = (keyId = first ?? 0, times = 1) => {
    for (let at = 0; at < times; at++) {
      named += 1
      use.call({ ...answered(keyId), tool: `no tool ${named}`, results: 0, refused: `Unknown tool: ${named}` })
    }
  }
  const answered = (keyId = first ?? 0): CallRecord => ({
    keyId,
    client: 'agent/1',
    at: ports.now(),
    tool: 'bookmarks.search',
    results: 2,
    bytes: 10
  })
  const rowsBy = async (atLeast: number) => {
    await expect.poll(() => written.length).toBeGreaterThanOrEqual(atLeast)
    return written
  }
  return { use, ports, clock: ports.clock, written, rowsBy, refuse, answered, other: other ?? 0 }
}

test('the first 1,000 refused calls of a key each day get rows of their own, the others share one row an hour', async () => {
  const { refuse, rowsBy, written, clock, other } = await recorder()
  refuse(undefined, 6000)
  refuse(other)
  expect(await rowsBy(1002)).toHaveLength(1002)
  expect(written[999]).toMatchObject({ tool: 'no tool 1000' })
  expect(written.find(({ keyId }) => keyId === other)).toMatchObject({ tool: 'no tool 6001' })
  expect(written.at(-1)).toMatchObject({ tool: '5,000 more calls', client: 'agent/1', refused: 'Unknown tool: 6000' })
  // The next shared row is written after an hour.
  for (let round = 0; round < 5; round++) {
    refuse(undefined, 100)
    refuse(other)
    await rowsBy(1003 + round)
  }
  expect(written).toHaveLength(1007)
  clock.time += HOUR_MS
  expect((await rowsBy(1008)).at(-1)).toMatchObject({ tool: '500 more calls' })
})

test('the next day’s refused calls get rows of their own again', async () => {
  const { refuse, rowsBy, clock } = await recorder()
  refuse(undefined, 1001)
  await rowsBy(1001)
  clock.time += 24 * HOUR_MS
  refuse()
  expect((await rowsBy(1002)).at(-1)).toMatchObject({ tool: 'no tool 1002' })
})

test('answered calls beyond 20,000 a day share a row with their total results and bytes', async () => {
  const { use, refuse, rowsBy, answered } = await recorder()
  for (let at = 0; at < 20_003; at++) use.call(answered())
  use.answer(7, 100)
  refuse()
  const written = await rowsBy(20_002)
  expect(written.at(-1)).toMatchObject({ tool: '3 more calls', results: 6, bytes: 30 })
  expect(written.at(-1)?.refused).toBeUndefined()
  expect(written.at(-2)).toMatchObject({ tool: 'no tool 1' })
})

test('closing writes the shared row of calls that are not yet listed', async () => {
  const { use, refuse, rowsBy } = await recorder()
  refuse(undefined, 1001)
  await rowsBy(1001)
  refuse(undefined, 3)
  await use.close()
  expect((await rowsBy(1002)).at(-1)).toMatchObject({ tool: '3 more calls' })
})

test('uses before a restore are not written into the restored library', async () => {
  const { use, ports, answered, written, rowsBy } = await recorder()
  let generation = 0
  ports.library.generation = () => generation
  use.call(answered())
  generation = 1
  use.call({ ...answered(), tool: 'after' })
  expect(await rowsBy(1)).toMatchObject([{ tool: 'after' }])
  // A write that begins before the restore waits for it.
  const { readClock } = ports.library
  ports.library.readClock = async () => {
    generation = 2
    return readClock()
  }
  use.call({ ...answered(), tool: 'before' })
  await use.flush()
  expect(written.map(({ tool }) => tool)).toEqual(['after'])
})

test('closing waits for the write in progress', async () => {
  const ports = quickPorts()
  const writing = Promise.withResolvers<void>()
  const library = { ...ports.library, recordUse: () => writing.promise }
  const recorder = createUseRecorder({ ...ports, library }, () => {})
  recorder.key(1, null)
  void recorder.flush()
  let closed = false
  const closing = recorder.close().then(() => {
    closed = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(closed).toBe(false)
  writing.resolve()
  await closing
})
