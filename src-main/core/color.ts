import { converter, differenceEuclidean, formatHex, formatHex8, type Oklab, parse } from 'culori'
import type { DominantColor } from '../contract/picture.ts'

/**
 * Returns the hexadecimal form of a CSS color (CSS Color 4: a name, `#rgb`, `rgb()`, `hsl()`, `lab()`, `oklch()`,
 * `color()` ...), with two more digits if it is not opaque; `undefined` if the text is no color. Colors outside of sRGB
 * are clipped.
 */
export function cssToHex(text: string): string | undefined {
  const color = parse(text.trim())
  if (!color) return undefined
  return color.alpha === undefined || color.alpha === 1 ? formatHex(color) : formatHex8(color)
}

/** Returns a CSS color in OKLab, whose distances match visible differences; `undefined` if the text is no color. */
export function cssToOklab(text: string): Oklab | undefined {
  return toOklab(text.trim())
}

/** Converts an sRGB color, each channel from 0 to 255, to OKLab. */
export function rgbToOklab(red: number, green: number, blue: number): { l: number; a: number; b: number } {
  const { l, a, b } = toOklab({ mode: 'rgb', r: red / 255, g: green / 255, b: blue / 255 })
  return { l, a, b }
}

/** Returns the hexadecimal form of an OKLab color, clipped to sRGB. */
export function oklabToHex({ l, a, b }: { l: number; a: number; b: number }): string {
  return formatHex({ mode: 'oklab', l, a, b })
}

/**
 * How different two colors look, without their transparency: 0 is the same, 1 is black and white, and about 0.02 is the
 * smallest visible difference (Ottosson, "A perceptual color space for image processing").
 */
export const distance = differenceEuclidean('oklab')

const toOklab = converter('oklab')

const MAX_COLORS = 5

/** Minimum share of a picture. A color with a smaller share is a detail, and is left out. */
const MIN_SHARE = 0.05

/** Maximum distance of colors that are merged, such as shades of a surface in light and shadow. */
const MAX_GROUP_DISTANCE = 0.12

/** Pixels are counted in bins of this size. */
const BIN_L = 0.08
const BIN_AB = 0.04

/** Maximum number of groups. The largest bins are grouped first, so further groups would only contain details. */
const MAX_GROUPS = 64

interface Group {
  l: number
  a: number
  b: number
  pixels: number
}

/**
 * Returns the colors that make up most of a picture, the largest share first. Pixels that are less than half opaque do
 * not count.
 *
 * @param pixels a byte each for red, green, blue and opacity; a few thousand pixels are enough
 */
export function dominantColors(pixels: Uint8Array): DominantColor[] {
  const bins = countPixels(pixels)
  const total = bins.reduce((sum, { pixels }) => sum + pixels, 0)
  const groups: Group[] = []
  for (const bin of bins.sort((a, b) => b.pixels - a.pixels)) {
    const near = findNearest(groups, bin)
    if (near) addTo(near, bin)
    else if (groups.length < MAX_GROUPS) groups.push(bin)
  }
  return groups
    .map(({ pixels, ...place }) => ({ ...place, share: pixels / total }))
    .filter(({ share }) => share >= MIN_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_COLORS)
}

function countPixels(pixels: Uint8Array): Group[] {
  const bins = new Map<string, Group>()
  for (let offset = 0; offset + 3 < pixels.length; offset += 4) {
    const [red = 0, green = 0, blue = 0, opacity = 0] = pixels.subarray(offset, offset + 4)
    if (opacity < 128) continue
    const place = rgbToOklab(red, green, blue)
    const key = [place.l / BIN_L, place.a / BIN_AB, place.b / BIN_AB].map(Math.round).join()
    const bin = bins.get(key)
    if (bin) addTo(bin, { ...place, pixels: 1 })
    else bins.set(key, { ...place, pixels: 1 })
  }
  return [...bins.values()]
}

function findNearest(groups: Group[], bin: Group): Group | undefined {
  let nearest: Group | undefined
  let nearestDistance = MAX_GROUP_DISTANCE
  for (const group of groups) {
    const binDistance = distance({ mode: 'oklab', ...group }, { mode: 'oklab', ...bin })
    if (binDistance < nearestDistance) {
      nearest = group
      nearestDistance = binDistance
    }
  }
  return nearest
}

/** Adds a group to another. The color becomes the mean of both. */
function addTo(group: Group, added: Group): void {
  const pixels = group.pixels + added.pixels
  for (const axis of ['l', 'a', 'b'] as const) {
    group[axis] = (group[axis] * group.pixels + added[axis] * added.pixels) / pixels
  }
  group.pixels = pixels
}
