import type { Metadata } from 'sharp'
import type { PictureLook, PictureType } from '../contract/picture.ts'
import type { Pictures } from '../contract/ports.ts'
import { dominantColors } from '../core/dominant-colors.ts'
import { loadSharp, MOST_PIXELS, PATIENCE_S, READING } from './load-sharp.ts'
import { PREVIEW, shrinkPicture } from './shrink-picture.ts'

/** A picture this small has all its colors, in pixels. */
const SAMPLE = { width: 48, height: 48, fit: 'inside', kernel: 'nearest' } as const

/** Says what pictures are. What they are called does not count, only what they begin with. */
export const pictures: Pictures = {
  async inspect(bytes) {
    const facts = await read(bytes)
    const type = facts && typeOf(facts)
    if (!facts || !type) return { fault: 'format' }
    const { width, height } = facts.autoOrient
    if (width * height > MOST_PIXELS) return { fault: 'pixels' }
    const preview = await shrinkPicture(bytes, PREVIEW)
    return preview ? ({ type, width, height, preview } satisfies PictureLook) : { fault: 'damaged' }
  },

  async colorsOf(picture) {
    try {
      const sharp = await loadSharp()
      const sample = sharp(picture, READING).resize(SAMPLE).toColourspace('srgb').ensureAlpha().raw()
      return dominantColors(new Uint8Array(await sample.timeout({ seconds: PATIENCE_S }).toBuffer()))
    } catch {
      return []
    }
  }
}

/** Reads the picture's header; nothing is unpacked. */
async function read(bytes: Uint8Array): Promise<Metadata | undefined> {
  try {
    const sharp = await loadSharp()
    return await sharp(bytes, { ...READING, limitInputPixels: false }).metadata()
  } catch {
    return undefined
  }
}

/** SVG is not among them: it is a program rather than a picture. */
function typeOf({ format, compression }: Metadata): PictureType | undefined {
  if (format === 'heif') return compression === 'av1' ? 'image/avif' : undefined
  return TYPES[format]
}

const TYPES: Partial<Record<string, PictureType>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif'
}
