import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { oklabToHex } from '../../src-main/core/color.ts'
import { colorsOfPicture, inspectPicture } from '../../src-main/web/pictures.ts'
import { picture } from '../support/pictures.ts'

describe('inspecting a picture', () => {
  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('%s is recognized by its bytes', async (format) => {
    const look = await inspectPicture(await picture('tomato', format))
    expect(look).toMatchObject({ type: `image/${format}`, width: 24, height: 24 })
    const { preview } = look as { preview: Uint8Array }
    expect((await sharp(preview).metadata()).format).toBe('webp')
  })

  test('an animation yields its first frame', async () => {
    const frames = ['red', 'blue'].map((background) => ({ create: { width: 9, height: 7, channels: 3, background } }))
    const moving = await sharp(frames as never[], { join: { animated: true } })
      .gif()
      .toBuffer()
    expect((await sharp(moving).metadata()).pages).toBe(2)
    expect(await inspectPicture(moving)).toMatchObject({ type: 'image/gif', width: 9, height: 7 })
  })

  test('EXIF rotation swaps width and height', async () => {
    const turned = await sharp({ create: { width: 30, height: 10, channels: 3, background: 'red' } })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(await inspectPicture(turned)).toMatchObject({ width: 10, height: 30 })
  })

  test('a picture with too many pixels is refused unread', async () => {
    const bomb = Buffer.from(await picture('tomato'))
    bomb.writeUInt32BE(60_000, 16) // the width in its header, then the height and, behind them, their sum
    bomb.writeUInt32BE(60_000, 20)
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
    expect(await inspectPicture(bomb)).toEqual({ fault: 'pixels' })
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['a page', new TextEncoder().encode('<!doctype html><script>alert(1)</script>')],
    ['a drawing', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['an archive', new Uint8Array([80, 75, 3, 4, 20, 0, 0, 0])]
  ])('%s is none', async (_, bytes) => {
    expect(await inspectPicture(bytes)).toEqual({ fault: 'format' })
  })

  test('a truncated picture is damaged', async () => {
    const noise = await sharp(Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * 7919) % 251)), {
      raw: { width: 64, height: 64, channels: 3 }
    })
      .png()
      .toBuffer()
    expect(await inspectPicture(noise.subarray(0, noise.length / 2))).toEqual({ fault: 'damaged' })
  })
})

describe('the colors of a picture', () => {
  test('come from its regions', async () => {
    const half = Buffer.from(await picture('#2878dc', 'png', 32))
    const both = await sharp(await picture('#f0e060', 'png', 64))
      .composite([{ input: half, left: 0, top: 0 }])
      .webp({ lossless: true })
      .toBuffer()
    const { colors, ratio } = await colorsOfPicture(both)
    expect(ratio).toBe(1)
    expect(colors.map(({ share, ...place }) => [oklabToHex(place), Math.round(share * 4)])).toEqual([
      ['#f0e060', 3],
      ['#2878dc', 1]
    ])
  })

  test('are empty for bytes that are not a picture', async () => {
    expect(await colorsOfPicture(new TextEncoder().encode('words'))).toEqual({ colors: [], ratio: null })
  })
})
