import { converter, differenceEuclidean, formatHex, formatHex8, type Oklab, parse } from 'culori'

/**
 * The hexadecimal form of a color as CSS writes it (CSS Color 4: a name, `#rgb`, `rgb()`, `hsl()`, `lab()`, `oklch()`,
 * `color()` ...), with two more digits where it is not opaque. `undefined` for what is no color. Colors a screen with
 * sRGB cannot show are clipped.
 */
export function hexOf(text: string): string | undefined {
  const color = parse(text.trim())
  if (!color) return undefined
  return color.alpha === undefined || color.alpha === 1 ? formatHex(color) : formatHex8(color)
}

/** Where a color stands in OKLab, in which distances are as large as they look. `undefined` for what is no color. */
export function placeOf(text: string): Oklab | undefined {
  return toOklab(text.trim())
}

/** Where a color of a screen stands in OKLab, from its red, green and blue of 0 to 255. */
export function labOf(red: number, green: number, blue: number): { l: number; a: number; b: number } {
  const { l, a, b } = toOklab({ mode: 'rgb', r: red / 255, g: green / 255, b: blue / 255 })
  return { l, a, b }
}

/** The hexadecimal form of a place in OKLab, clipped to what a screen with sRGB can show. */
export function hexOfLab(place: { l: number; a: number; b: number }): string {
  const { l, a, b } = place
  return formatHex({ mode: 'oklab', l, a, b })
}

/**
 * How different two colors look, transparency aside: 0 is the same, 1 black and white; about 0.02 can just be told apart
 * (Ottosson, "A perceptual color space for image processing").
 */
export const distance = differenceEuclidean('oklab')

const toOklab = converter('oklab')
