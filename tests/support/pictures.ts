import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { NewPicture } from '../../src-main/contract/picture.ts'

type Format = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif'

/** A plain picture. */
export async function picture(background: string, format: Format = 'png', size = 24): Promise<Uint8Array<ArrayBuffer>> {
  const { data } = await sharp({ create: { width: size, height: size, channels: 3, background } })
    .toFormat(format)
    .toBuffer({ resolveWithObject: true })
  return new Uint8Array(data)
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A stored picture with any bytes: the library does not decode them. */
export function kept(text: string): NewPicture {
  const bytes = new TextEncoder().encode(text)
  const preview = new TextEncoder().encode(`small ${text}`)
  return { hash: hashOf(bytes), type: 'image/png', width: 2, height: 3, bytes, preview }
}
