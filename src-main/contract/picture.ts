import { z } from 'zod'
import type { Bookmark } from './bookmark.ts'

export const PictureType = z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])
export type PictureType = z.infer<typeof PictureType>

/** The type and size of a picture, in pixels as it is shown. */
interface PictureShape {
  type: PictureType
  width: number
  height: number
}

/** A picture that is kept itself, because it has no address, by the SHA-256 of its bytes in hexadecimal digits. */
export interface KeptPicture extends PictureShape {
  hash: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Facts read from a picture's bytes: its type and size, and a small copy as WebP. */
export interface PictureLook extends PictureShape {
  preview: Uint8Array
}

/** A picture about to be kept. */
export type NewPicture = KeptPicture & PictureLook

/** Why bytes are no picture that can be kept: another format, too many pixels, or damaged. */
export type PictureFault = 'format' | 'pixels' | 'damaged'

/** A color that makes up part of a picture, in OKLab; `share` is how much of it, up to 1. */
export interface DominantColor {
  l: number
  a: number
  b: number
  share: number
}

/** Facts about an image's picture. */
export interface PictureFacts {
  /** The picture itself, where it is kept; `size` in bytes. */
  original: (PictureShape & { size: number }) | null
  /** Most of the picture first. Empty until they were looked for. */
  colors: DominantColor[]
}

/** An image whose colors are to be looked for, and the name of its small copy. */
export interface UncoloredPicture {
  id: string
  preview: string
}

/** A color or an image among the owner's, and how different it looks: 0 is the same. */
export interface SimilarColor {
  distance: number
  bookmark: Bookmark
}
