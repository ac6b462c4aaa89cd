import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeFrame, MAX_FRAME_BYTES, readFrames } from '../../src-main/cli/commands/bridges.ts'
import { runs } from '../support/runs.ts'

/** The messages in pieces of bytes, and the problem that ends reading. */
async function readFrom(pieces: Uint8Array[]): Promise<{ texts: string[]; fault?: unknown }> {
  const texts: string[] = []
  try {
    for await (const text of readFrames(piecewise(pieces))) texts.push(text)
    return { texts }
  } catch (fault) {
    return { texts, fault }
  }
}

async function* piecewise(pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

function cutAt(bytes: Buffer, places: number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

test('messages are read as they were written, whatever pieces arrive', { timeout: 120_000 }, async () => {
  const messages = fc.array(fc.record({ text: fc.string({ unit: 'binary' }), number: fc.nat() }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(messages, fc.array(fc.nat(), { maxLength: 12 }), async (sent, places) => {
      const { texts, fault } = await readFrom(cutAt(Buffer.concat(sent.map(encodeFrame)), places))
      expect([texts, fault]).toEqual([sent.map((message) => JSON.stringify(message)), undefined])
    }),
    { numRuns: runs(200, 20_000) }
  )
})

test('garbage after a message is read as messages or refused as too large', {
  timeout: 120_000
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 64, size: 'max' }), async (garbage) => {
      const { texts, fault } = await readFrom([encodeFrame({ a: 1 }), garbage])
      expect(texts[0]).toBe('{"a":1}')
      if (fault !== undefined) expect(fault).toMatchObject({ code: 'too-large' })
    }),
    { numRuns: runs(500, 50_000) }
  )
})

test('a frame of the maximum size is read; a larger one is refused before its bytes arrive', async () => {
  const largest = encodeFrame({ text: 'x'.repeat(MAX_FRAME_BYTES - '{"text":""}'.length) })
  expect((await readFrom([largest, encodeFrame({})])).texts.map((text) => text.length)).toEqual([MAX_FRAME_BYTES, 2])
  const head = Buffer.alloc(4)
  head.writeUInt32LE(MAX_FRAME_BYTES + 1)
  expect(await readFrom([encodeFrame({}), head])).toMatchObject({ texts: ['{}'], fault: { code: 'too-large' } })
})
