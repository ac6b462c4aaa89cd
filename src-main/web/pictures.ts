/** Decodes pictures. Runs in the decoder’s process only, because untrusted bytes may crash libvips. */

import { createRequire } from 'node:module'
import { constants } from 'node:os'
import type { Metadata, Sharp, SharpConstructor } from 'sharp'
import type { PictureColors, PictureFault, PictureLook, PictureType } from '../contract/picture.ts'
import { dominantColors } from '../core/color.ts'
import { PREVIEW_ROOM, type Room } from './decoder.ts'

/** Maximum size of a picture, in pixels. Larger pictures are not decoded. */
const MAX_PIXELS = 40_000_000

const READING = { limitInputPixels: MAX_PIXELS, sequentialRead: true, animated: false }

/** Formats of pictures on pages. The many other loaders of libvips are blocked, because each is a needless risk. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`)

const SVG_LOADER = 'VipsForeignLoadSvgBuffer'

let loading: Promise<SharpConstructor> | undefined

function loadSharp() {
  loading ??= load()
  return loading
}

async function load() {
  bindToOwnGLib()
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

/**
 * Returns a copy that fits into the room, as WebP; `null` if the bytes are no picture, or the picture is too large.
 *
 * @param drawing whether the picture may be an SVG, which libvips must interpret like a program
 */
export async function shrinkPicture(
  bytes: Uint8Array,
  { width, height }: Room,
  drawing: boolean
): Promise<Uint8Array<ArrayBuffer> | null> {
  const sharp = await loadSharp()
  try {
    if (drawing) sharp.unblock({ operation: [SVG_LOADER] })
    else sharp.block({ operation: [SVG_LOADER] })
    const picture = isIcon(bytes) ? await readIcon(bytes) : sharp(bytes, READING)
    const shrunk = await picture
      .rotate()
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 78 })
      .toBuffer()
    return new Uint8Array(shrunk)
  } catch {
    return null
  }
}

/** Reads a picture’s type and size from its bytes alone, and makes a small copy. SVG is not supported. */
export async function inspectPicture(bytes: Uint8Array): Promise<PictureLook | { fault: PictureFault }> {
  const sharp = await loadSharp()
  sharp.block({ operation: [SVG_LOADER] })
  const facts = await readHeader(sharp, bytes)
  const type = facts && typeOf(facts)
  if (!facts || !type) return { fault: 'format' }
  const { width, height } = facts.autoOrient
  if (width * height > MAX_PIXELS) return { fault: 'pixels' }
  const preview = await shrinkPicture(bytes, PREVIEW_ROOM, false)
  return preview ? { type, width, height, preview } : { fault: 'damaged' }
}

async function readHeader(sharp: SharpConstructor, bytes: Uint8Array): Promise<Metadata | undefined> {
  try {
    return await sharp(bytes, { ...READING, limitInputPixels: false }).metadata()
  } catch {
    return undefined
  }
}

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

/** Size to which a picture is shrunk before its colors are counted, in pixels. It keeps all main colors. */
const SAMPLE = { width: 48, height: 48, fit: 'inside', kernel: 'nearest' } as const

/** Returns a picture's main colors and its width divided by its height. */
export async function colorsOfPicture(bytes: Uint8Array): Promise<PictureColors> {
  const sharp = await loadSharp()
  try {
    sharp.block({ operation: [SVG_LOADER] })
    const picture = sharp(bytes, READING)
    const { width, height } = (await picture.metadata()).autoOrient
    const sample = picture.resize(SAMPLE).toColourspace('srgb').ensureAlpha().raw()
    return { colors: dominantColors(new Uint8Array(await sample.toBuffer())), ratio: width / height }
  } catch {
    return { colors: [], ratio: null }
  }
}

/** Reads a Windows icon, often at `/favicon.ico`. It contains several pictures, of which only the best is decoded. */
async function readIcon(bytes: Uint8Array): Promise<Sharp> {
  const { default: decodeIcon } = await import('decode-ico')
  const sharp = await loadSharp()
  const [picture] = decodeIcon(bestOfIcon(bytes))
  if (!picture) throw new Error('an icon without pictures')
  if (picture.type === 'png') return sharp(picture.data, READING)
  const { width, height, data } = picture
  return sharp(new Uint8Array(data), { raw: { width, height, channels: 4 } })
}

/** Maximum number of an icon’s pictures. Further ones are not read. */
const MAX_ICON_PICTURES = 64

/** Maximum width at which icons are shown, in pixels. */
const ICON_WIDTH = 64

/**
 * Returns an icon with one of its pictures: the smallest that is wide enough, otherwise the largest.
 *
 * @throws Error if the icon has no picture, or a bitmap's header has a size that no icon has, maybe of gigabytes
 */
function bestOfIcon(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = Array.from({ length: Math.min(view.getUint16(4, true), MAX_ICON_PICTURES) }, (_, index) => {
    const offset = 6 + 16 * index
    return {
      offset,
      width: view.getUint8(offset) || 256,
      size: view.getUint32(offset + 8, true),
      start: view.getUint32(offset + 12, true)
    }
  })
  const [best] = entries.sort((a, b) => rankWidth(a.width) - rankWidth(b.width))
  if (!best) throw new Error('an icon without pictures')
  const isBitmap = view.getUint32(best.start, true) === BITMAP_HEADER
  // The height includes a mask of the same height.
  if (isBitmap && (view.getInt32(best.start + 4, true) > 256 || view.getInt32(best.start + 8, true) > 512)) {
    throw new Error('an icon larger than icons are')
  }
  const picture = bytes.subarray(best.start, best.start + best.size)
  const icon = new Uint8Array(22 + picture.length)
  icon.set([0, 0, 1, 0, 1, 0])
  icon.set(bytes.subarray(best.offset, best.offset + 12), 6)
  new DataView(icon.buffer).setUint32(18, 22, true)
  icon.set(picture, 22)
  return icon
}

/** Length of a bitmap’s header, in bytes, which is the bitmap’s first number. */
const BITMAP_HEADER = 40

function rankWidth(width: number): number {
  return width >= ICON_WIDTH ? width : 1000 - width
}

/** An icon file begins with 0, 1 and the number of its pictures, two bytes each, little-endian. */
function isIcon([a, b, c, d]: Uint8Array): boolean {
  return a === 0 && b === 0 && c === 1 && d === 0
}

/**
 * Loads sharp’s native part so that it calls the GLib inside its own libvips. Must run before sharp is imported.
 *
 * Electron’s executable is linked with the system’s GLib, and on Linux a symbol that both define is taken from there.
 * The two GLibs cannot use each other’s objects, which causes warnings, memory leaks or a crash (lovell/sharp#4522,
 * electron/electron#46323). RTLD_DEEPBIND prefers a library’s own dependencies. It must not be used for libvips itself,
 * which would then use `free` of the C library, but `malloc` of Electron (electron/electron#44291). libvips uses its
 * own GLib anyway, so libvips is loaded as usual, and only sharp’s binding to libvips is loaded with RTLD_DEEPBIND.
 */
function bindToOwnGLib(): void {
  const { RTLD_LAZY, RTLD_DEEPBIND } = constants.dlopen
  // Only glibc has RTLD_DEEPBIND, and only with glibc is there another GLib.
  if (process.platform !== 'linux' || RTLD_LAZY === undefined || RTLD_DEEPBIND === undefined) return
  const sharp = requireBesideSharp()
  const kind = `linux-${process.arch}`
  try {
    process.dlopen({ exports: {} }, sharp.resolve(`@img/sharp-libvips-${kind}/binary`), RTLD_LAZY)
  } catch (error) {
    // libvips is no module of Node, so this fails, but libvips stays loaded. If libvips is missing, sharp’s own error
    // shows what to do.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_DLOPEN_FAILED') return
  }
  const { dlopen } = process
  process.dlopen = (module, file) => dlopen.call(process, module, file, RTLD_LAZY | RTLD_DEEPBIND)
  try {
    sharp(`@img/sharp-${kind}/sharp.node`)
  } finally {
    process.dlopen = dlopen
  }
}

/** Resolves modules as sharp does. */
function requireBesideSharp(): NodeJS.Require {
  return createRequire(createRequire(import.meta.url).resolve('sharp'))
}
