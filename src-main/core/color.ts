import { formatHex, formatHex8, parse } from 'culori'

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
