import { expect, onTestFinished, test } from 'vitest'
import { createUseRecorder } from '../../../src-main/actions/keys/record-use.ts'
import type { CallRecord } from '../../../src-main/contract/call.ts'
import { quickPorts, START } from '../ports.ts'

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
  return { use, ports, written, rowsBy, answered, other: other ?? 0 }
}

test('a key keeps its newest 5,000 calls that saved nothing, and every call that saved something', async () => {
  const { use, ports, answered, other } = await recorder()
  const saving = { ...answered(), tool: 'bookmarks.insert', results: 1 }
  use.call(saving)
  use.call({ ...answered(other), tool: 'other key' })
  for (let count = 0; count < 5_010; count++) use.call({ ...answered(), tool: `call ${count}` })
  await use.flush()
  const listed = await listAll(ports, answered().keyId)
  expect(listed).toHaveLength(5001)
  expect(listed.at(-2)).toBe('call 10')
  expect(listed.at(-1)).toBe('bookmarks.insert')
  expect(await listAll(ports, other)).toEqual(['other key'])
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

/** The tools of all calls in a key's ledger, newest first. */
async function listAll({ library }: Awaited<ReturnType<typeof recorder>>['ports'], rowId: number): Promise<string[]> {
  const key = (await library.listKeys()).find((listed) => listed.rowId === rowId)
  return (await library.listCalls(key?.id ?? '', Number.MAX_SAFE_INTEGER, 10_000)).map(({ tool }) => tool)
}
