import type { Sharp } from 'sharp'
import { loadSharp, PATIENCE_S, READING } from './load-sharp.ts'

/** Room a picture is shown in, in pixels. */
export interface Room {
  width: number
  height: number
}

/** As wide as a card on a sharp screen. */
export const PREVIEW: Room = { width: 640, height: 480 }

/** As wide as a text's column on a sharp screen. */
export const IN_TEXT: Room = { width: 1280, height: 4000 }

/** A copy of a picture that fits into the room, as WebP; `null` when it is none, or too much of one. */
export async function shrinkPicture(bytes: Uint8Array, { width, height }: Room): Promise<Uint8Array | null> {
  try {
    const picture = isIcon(bytes) ? await iconPicture(bytes) : (await loadSharp())(bytes, READING)
    const shrunk = await picture
      .rotate()
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 78 })
      .timeout({ seconds: PATIENCE_S })
      .toBuffer()
    return new Uint8Array(shrunk)
  } catch {
    return null
  }
}

/** A Windows icon, as `/favicon.ico` often is: several pictures, of which the best is unpacked and no other. */
async function iconPicture(bytes: Uint8Array): Promise<Sharp> {
  const { default: decodeIcon } = await import('decode-ico')
  const sharp = await loadSharp()
  const [picture] = decodeIcon(bestOfIcon(bytes))
  if (!picture) throw new Error('an icon without pictures')
  if (picture.type === 'png') return sharp(picture.data, READING)
  const { width, height, data } = picture
  return sharp(new Uint8Array(data), { raw: { width, height, channels: 4 } })
}

/** Icons have a handful of pictures; one that names thousands is not looked through. */
const MOST_IN_ICON = 64

/** Pixels: an icon's picture that is as wide loses nothing where it is shown. */
const WIDE_ENOUGH = 64

/**
 * An icon with one of its pictures: the smallest that is wide enough, else the largest.
 *
 * @throws Error where there is none that an icon can hold; a bitmap's own header may claim a size of gigabytes
 */
function bestOfIcon(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = Array.from({ length: Math.min(view.getUint16(4, true), MOST_IN_ICON) }, (_, index) => {
    const at = 6 + 16 * index
    return {
      at,
      width: view.getUint8(at) || 256,
      size: view.getUint32(at + 8, true),
      start: view.getUint32(at + 12, true)
    }
  })
  const [best] = entries.sort((a, b) => rankOf(a.width) - rankOf(b.width))
  if (!best) throw new Error('an icon without pictures')
  const isBitmap = view.getUint32(best.start, true) === BITMAP_HEADER
  // Under the picture of a bitmap lies its mask, of the same height.
  if (isBitmap && (view.getInt32(best.start + 4, true) > 256 || view.getInt32(best.start + 8, true) > 512)) {
    throw new Error('an icon larger than icons are')
  }
  const picture = bytes.subarray(best.start, best.start + best.size)
  const icon = new Uint8Array(22 + picture.length)
  icon.set([0, 0, 1, 0, 1, 0])
  icon.set(bytes.subarray(best.at, best.at + 12), 6)
  new DataView(icon.buffer).setUint32(18, 22, true)
  icon.set(picture, 22)
  return icon
}

/** Length of a bitmap's header, in bytes; the bitmap begins with it. */
const BITMAP_HEADER = 40

function rankOf(width: number): number {
  return width >= WIDE_ENOUGH ? width : 1000 - width
}

/** 0, 1 and a number of pictures, two bytes each. */
function isIcon([a, b, c, d]: Uint8Array): boolean {
  return a === 0 && b === 0 && c === 1 && d === 0
}
