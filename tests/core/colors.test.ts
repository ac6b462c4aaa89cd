import type { Oklab } from 'culori'
import { expect, test } from 'vitest'
import { cssToHex, cssToOklab, distance, dominantColors, oklabToHex } from '../../src-main/core/color.ts'

test.for([
  ['#120a8f', '#120a8f'],
  ['#ABC', '#aabbcc'],
  ['#aabbccdd', '#aabbccdd'],
  ['  RebeccaPurple ', '#663399'],
  ['rgb(18 10 143)', '#120a8f'],
  ['rgba(18, 10, 143, 0.5)', '#120a8f80'],
  ['hsl(120 100% 25%)', '#008000'],
  ['hwb(0 0% 0%)', '#ff0000'],
  ['lab(100% 0 0)', '#ffffff'],
  ['oklch(62.8% 0.2577 29.23)', '#ff0000'],
  ['color(display-p3 0 1 0)', '#00ff00'],
  ['transparent', '#00000000']
] as const)('%s is the color %s', ([text, hex]) => {
  expect(cssToHex(text)).toBe(hex)
})

test.for(['', 'blu', '#12', 'rgb(', 'url(https://a.example/)', 'var(--x)', 'rgb(1 2 3); x', '\0'])(
  '%j is no color',
  (text) => {
    expect(cssToHex(text)).toBeUndefined()
    expect(cssToOklab(text)).toBeUndefined()
  }
)

test('colors that look alike have a smaller distance', () => {
  const to = (other: string) => distance(cssToOklab('tomato') as Oklab, cssToOklab(other) as Oklab)
  expect(to('#ff6347')).toBe(0)
  expect(to('rgb(255 99 71 / 50%)')).toBe(0)
  const apart = ['#ff6247', 'coral', 'red', 'gold', 'blue'].map(to)
  expect(apart).toEqual(apart.toSorted((a, b) => a - b))
  expect(distance(cssToOklab('black') as Oklab, cssToOklab('white') as Oklab)).toBeCloseTo(1, 2)
})

/** A picture with a number of pixels of each color. */
function pixels(...parts: [rgba: [number, number, number, number], count: number][]): Uint8Array {
  return new Uint8Array(parts.flatMap(([rgba, count]) => Array.from({ length: count }, () => rgba).flat()))
}

function colorsIn(picture: Uint8Array): [string, number][] {
  return dominantColors(picture).map(({ share, ...color }) => [oklabToHex(color), Math.round(share * 100)])
}

test('dominant colors are sorted by their share, and details are left out', () => {
  const sky = pixels([[40, 120, 220, 255], 600], [[30, 140, 60, 255], 360], [[250, 20, 20, 255], 40])
  expect(colorsIn(sky)).toEqual([
    ['#2878dc', 60],
    ['#1e8c3c', 36]
  ])
})

test('shades of a surface count as one color', () => {
  const surface = pixels([[200, 90, 40, 255], 50], [[210, 100, 48, 255], 50], [[0, 0, 0, 255], 10])
  const [most, ...others] = dominantColors(surface)
  expect(Math.round((most?.share ?? 0) * 110)).toBe(100)
  expect(oklabToHex(most ?? { l: 0, a: 0, b: 0 })).toMatch(/^#c[c-f]/)
  expect(others).toHaveLength(1)
})

test('transparent pixels do not count, and an empty picture has no colors', () => {
  expect(colorsIn(pixels([[255, 0, 0, 0], 90], [[0, 0, 255, 255], 10]))).toEqual([['#0000ff', 100]])
  expect(dominantColors(pixels([[1, 2, 3, 0], 9]))).toEqual([])
  expect(dominantColors(new Uint8Array())).toEqual([])
})

test('a picture has at most five dominant colors', () => {
  const rainbow = Array.from({ length: 12 }, (_, index): [[number, number, number, number], number] => [
    [(index % 3) * 127, (Math.floor(index / 3) % 3) * 127, index > 5 ? 255 : 0, 255],
    10
  ])
  expect(dominantColors(pixels(...rainbow))).toHaveLength(5)
})
