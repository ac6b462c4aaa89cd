import { colorsNamed, converter, formatHex, formatHex8, parse } from 'culori'

const toOklch = converter('oklch')
const toRgb = converter('rgb')

/** Returns a CSS color by its name, if it has one, and as hex, rgb and oklch. Empty for a text that is not a color. */
export function colorForms(text: string): string[] {
  const color = parse(text.trim())
  if (!color) return []
  const { alpha = 1 } = color
  const hex = alpha < 1 ? formatHex8(color) : formatHex(color)
  const { r, g, b } = toRgb(color)
  const { l, c, h = 0 } = toOklch(color)
  const end = alpha < 1 ? ` / ${round(alpha, 2)}` : ''
  const channels = [r, g, b].map((channel) => Math.round(Math.min(1, Math.max(0, channel)) * 255))
  const name = NAMES.get(hex)
  return [
    ...(name ? [name] : []),
    hex,
    `rgb(${channels.join(' ')}${end})`,
    `oklch(${round(l * 100, 1)}% ${round(c, 3)} ${round(c < 0.0005 ? 0 : h, 1)}${end})`
  ]
}

/** CSS names by hex. If a color has two names, the first: `gray`, not `grey`. */
const NAMES = new Map(
  Object.entries(colorsNamed)
    .map(
      ([name, value]) =>
        [
          formatHex({ mode: 'rgb', r: (value >> 16) / 255, g: ((value >> 8) & 255) / 255, b: (value & 255) / 255 }),
          name
        ] as const
    )
    .toReversed()
)

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
