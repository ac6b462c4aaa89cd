import type { Sharp } from 'sharp'

/** Room a picture is shown in, in pixels. */
export interface Room {
  width: number
  height: number
}

/** Larger pictures are not unpacked. */
const MOST_PIXELS = 40_000_000

/** How long one may take, in seconds. */
const PATIENCE_S = 5

/** Formats of pictures on pages; libvips knows many more, of which nobody needs the risk. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`)

/** A copy of a picture that fits into the room, as WebP; `null` when it is none, or too much of one. */
export async function shrinkPicture(bytes: Uint8Array, { width, height }: Room): Promise<Uint8Array | null> {
  try {
    const picture = isIcon(bytes) ? await iconPicture(bytes) : (await sharpOnce())(bytes, OPTIONS)
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

const OPTIONS = { limitInputPixels: MOST_PIXELS, sequentialRead: true, animated: false }

type MakeSharp = typeof import('sharp')['default']

let loaded: Promise<MakeSharp> | undefined

/** Loaded with the first picture: most runs of the program see none. */
function sharpOnce(): Promise<MakeSharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: LOADERS })
    sharp.concurrency(1)
    sharp.cache(false)
    return sharp
  })
  return loaded
}

/** A Windows icon, as `/favicon.ico` often is: several pictures, of which the largest is taken. */
async function iconPicture(bytes: Uint8Array): Promise<Sharp> {
  const { default: decodeIcon } = await import('decode-ico')
  const sharp = await sharpOnce()
  const [largest] = decodeIcon(bytes).sort((a, b) => b.width - a.width)
  if (!largest) throw new Error('an icon without pictures')
  if (largest.type === 'png') return sharp(largest.data, OPTIONS)
  const { width, height, data } = largest
  return sharp(new Uint8Array(data), { raw: { width, height, channels: 4 } })
}

/** 0, 1 and a number of pictures, two bytes each. */
function isIcon([a, b, c, d]: Uint8Array): boolean {
  return a === 0 && b === 0 && c === 1 && d === 0
}
