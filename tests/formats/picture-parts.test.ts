import { expect, test } from 'vitest'
import { type PicturePart, pictureParts } from '../../src-main/formats/earmark-jsonl.ts'
import { hashOf } from '../support/pictures.ts'

/** A text as the parts of a picture, each so long. */
function parts(text: string, length: number): PicturePart[] {
  const bytes = new TextEncoder().encode(text)
  const count = Math.ceil(bytes.length / length)
  return Array.from({ length: count }, (_, at) => ({
    hash: hashOf(bytes),
    type: 'image/png',
    part: at + 1,
    parts: count,
    data: Buffer.from(bytes.subarray(at * length, (at + 1) * length)).toString('base64')
  }))
}

/** What comes of parts, one a line, and of the end behind them: texts, and reasons why there is none. */
function read(all: PicturePart[]): [line: number | undefined, what: string | undefined][] {
  const reader = pictureParts()
  const items = [...all.flatMap((part, at) => reader.add(part, at + 1)), ...reader.end(all.length + 1)]
  return items.map((item) => {
    if ('bytes' in item) return [item.line, new TextDecoder().decode(item.bytes)]
    return [item.line, 'fault' in item ? item.fault : undefined]
  })
}

const INCOMPLETE = expect.stringContaining('lacks')

test('consecutive parts form a picture', () => {
  expect(read([...parts('pixels', 2), ...parts('others', 6)])).toEqual([
    [3, 'pixels'],
    [4, 'others']
  ])
})

test('a picture without its first, a middle or its last part is dropped without affecting others', () => {
  const [one, two, three] = parts('pixels', 2) as [PicturePart, PicturePart, PicturePart]
  const next = parts('others', 6)
  expect(read([two, three, ...next])).toEqual([
    [2, INCOMPLETE],
    [3, 'others']
  ])
  expect(read([one, three, ...next])).toEqual([
    [2, INCOMPLETE],
    [3, 'others']
  ])
  expect(read([one, two, ...next])).toEqual([
    [3, INCOMPLETE],
    [3, 'others']
  ])
  expect(read([one, two])).toEqual([[3, INCOMPLETE]])
  expect(read([one, { ...two, parts: 4 }, three])).toEqual([[3, INCOMPLETE]])
})

test('a picture with another hash is dropped', () => {
  const [one] = parts('pixels', 6) as [PicturePart]
  expect(read([{ ...one, data: Buffer.from('PIXELS').toString('base64') }])).toEqual([
    [1, expect.stringContaining('changed or damaged')]
  ])
})

test('an oversized picture takes bounded memory', () => {
  expect(read(parts('x'.repeat(10 * 1024 * 1024 + 1), 1024 * 1024))).toEqual([[11, expect.stringContaining('10 MB')]])
})
