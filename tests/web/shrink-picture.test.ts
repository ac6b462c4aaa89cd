import sharp from 'sharp'
import { expect, test } from 'vitest'
import { shrinkPicture } from '../../src-main/web/pictures.ts'

const ROOM = { width: 64, height: 64 }

/** Pixels of one color, as a bitmap in an icon has them; its header may claim another width. */
function bitmap(side: number, [red, green, blue]: number[], claimed = side): Buffer {
  const pixels = Buffer.from(Array.from({ length: side * side }, () => [blue, green, red, 255]).flat() as number[])
  const bytes = Buffer.alloc(40 + pixels.length)
  bytes.writeUInt32LE(40, 0)
  bytes.writeInt32LE(claimed, 4)
  bytes.writeInt32LE(claimed * 2, 8)
  bytes.writeUInt16LE(1, 12)
  bytes.writeUInt16LE(32, 14)
  pixels.copy(bytes, 40)
  return bytes
}

/** An icon file of these pictures, each named this often. */
function icon(pictures: { side: number; bytes: Buffer; times?: number }[]): Buffer {
  const count = pictures.reduce((sum, { times = 1 }) => sum + times, 0)
  const head = Buffer.alloc(6 + 16 * count)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(count, 4)
  let at = 6
  let start = head.length
  for (const { side, bytes, times = 1 } of pictures) {
    for (let index = 0; index < times; index++, at += 16) {
      head[at] = side % 256
      head[at + 1] = side % 256
      head.writeUInt32LE(bytes.length, at + 8)
      head.writeUInt32LE(start, at + 12)
    }
    start += bytes.length
  }
  return Buffer.concat([head, ...pictures.map(({ bytes }) => bytes)])
}

async function shrunk(bytes: Buffer): Promise<{ width: number; color: number[] } | null> {
  const picture = await shrinkPicture(bytes, ROOM, false)
  if (!picture) return null
  const { width } = await sharp(picture).metadata()
  const { channels } = await sharp(picture).stats()
  return { width, color: channels.slice(0, 3).map(({ mean }) => (mean > 128 ? 255 : 0)) }
}

test('the smallest icon that is wide enough is used, otherwise the largest', async () => {
  const red = { side: 16, bytes: bitmap(16, [255, 0, 0]) }
  const lime = { side: 32, bytes: bitmap(32, [0, 255, 0]) }
  const blue = { side: 128, bytes: bitmap(128, [0, 0, 255]) }
  const white = { side: 256, bytes: bitmap(256, [255, 255, 255]) }
  expect(await shrunk(icon([white, red, blue, lime]))).toEqual({ width: 64, color: [0, 0, 255] })
  expect(await shrunk(icon([red, lime]))).toEqual({ width: 32, color: [0, 255, 0] })
})

test('an icon with 65,535 entries for one picture decodes it once', async () => {
  const many = icon([{ side: 256, bytes: bitmap(256, [0, 0, 255]), times: 65_535 }])
  expect(await shrunk(many)).toEqual({ width: 64, color: [0, 0, 255] })
})

test('an icon whose entries exceed its bytes is refused', async () => {
  const cut = icon([{ side: 16, bytes: bitmap(16, [255, 0, 0]) }])
  cut.writeUInt32LE(0xffff_ffff, 14)
  cut.writeUInt32LE(0xffff_fff0, 18)
  const claims = [
    icon([{ side: 16, bytes: bitmap(16, [255, 0, 0], 30_000) }]),
    icon([]),
    cut,
    icon([{ side: 16, bytes: bitmap(16, [255, 0, 0]) }]).subarray(0, 12)
  ]
  for (const bytes of claims) expect(await shrinkPicture(bytes, ROOM, false)).toBeNull()
})
