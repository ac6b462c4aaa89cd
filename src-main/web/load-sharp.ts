import { setImmediate } from 'node:timers/promises'
import type sharp from 'sharp'
import { bindToOwnGLib, requireBesideSharp } from './own-glib.ts'

/** Larger pictures are not unpacked. */
export const MOST_PIXELS = 40_000_000

/** How long one may take, in seconds. */
export const PATIENCE_S = 5

/** Formats of pictures on pages; libvips knows many more, of which nobody needs the risk. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`)

export const READING = { limitInputPixels: MOST_PIXELS, sequentialRead: true, animated: false }

let loaded: Promise<typeof sharp> | undefined

/** Loaded with the first picture: most runs of the program see none. */
export function loadSharp(): Promise<typeof sharp> {
  loaded ??= load()
  return loaded
}

/** The modules sharp loads first, which takes most of its time. */
const PARTS = ['semver', 'detect-libc', '@img/colour']

/** Piece by piece: at once it holds up everything else for 60 to 200 ms, so for 35 at most (80 from a cold disk). */
async function load(): Promise<typeof sharp> {
  bindToOwnGLib()
  const loadPart = requireBesideSharp()
  for (const part of PARTS) {
    await setImmediate()
    try {
      loadPart(part)
    } catch {
      // Another release of sharp does without it, or says itself what is missing.
    }
  }
  await setImmediate()
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
