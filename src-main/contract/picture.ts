import { z } from 'zod'
import type { Bookmark } from './bookmark.ts'

export const PictureType = z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])
export type PictureType = z.infer<typeof PictureType>

/** Width and height in pixels, as the picture is shown. */
interface PictureShape {
  type: PictureType
  width: number
  height: number
}

/** An original: a picture that the library stores because it has no address. */
export interface OriginalPicture extends PictureShape {
  /** SHA-256 of the bytes, in hexadecimal digits. */
  hash: string
  bytes: Uint8Array<ArrayBuffer>
}

export interface PictureLook extends PictureShape {
  /** A small copy, as WebP. */
  preview: Uint8Array
}

/** A picture about to be stored as an original. */
export type NewPicture = OriginalPicture & PictureLook

/** Why a picture cannot be stored: another format, too many pixels, or damaged. */
export type PictureFault = 'format' | 'pixels' | 'damaged'

/** A color of a picture, in OKLab; `share` is its part of the picture, up to 1. */
export interface DominantColor {
  l: number
  a: number
  b: number
  share: number
}

/** Colors and shape of an image, computed in the background after it was saved. */
export interface PictureColors {
  colors: DominantColor[]
  /** Width divided by height; `null` if the picture cannot be read. */
  ratio: number | null
}

export interface PictureFacts {
  /** The original, if it is stored; `size` is in bytes. */
  original: (PictureShape & { size: number }) | null
  /** Largest share first. Empty until they have been computed. */
  colors: DominantColor[]
}

/** A color or an image of the owner’s, with its distance to another color: 0 is the same. */
export interface SimilarColor {
  distance: number
  bookmark: Bookmark
}
