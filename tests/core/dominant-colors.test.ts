import { expect, test } from 'vitest'
import { hexOfLab } from '../../src-main/core/color.ts'
import { dominantColors } from '../../src-main/core/dominant-colors.ts'

/** Pixels of these colors, so many of each. */
function pixels(...parts: [rgba: [number, number, number, number], count: number][]): Uint8Array {
  return new Uint8Array(parts.flatMap(([rgba, count]) => Array.from({ length: count }, () => rgba).flat()))
}

function shown(of: Uint8Array): [string, number][] {
  return dominantColors(of).map(({ share, ...place }) => [hexOfLab(place), Math.round(share * 100)])
}

test('the colors that make up most of a picture, most first, and no details', () => {
  const sky = pixels([[40, 120, 220, 255], 600], [[30, 140, 60, 255], 360], [[250, 20, 20, 255], 40])
  expect(shown(sky)).toEqual([
    ['#2878dc', 60],
    ['#1e8c3c', 36]
  ])
})

test('shades of one surface are one color between them', () => {
  const surface = pixels([[200, 90, 40, 255], 50], [[210, 100, 48, 255], 50], [[0, 0, 0, 255], 10])
  const [most, ...others] = dominantColors(surface)
  expect(Math.round((most?.share ?? 0) * 110)).toBe(100)
  expect(hexOfLab(most ?? { l: 0, a: 0, b: 0 })).toMatch(/^#c[c-f]/)
  expect(others).toHaveLength(1)
})

test('what is transparent does not count, and of nothing there is no color', () => {
  expect(shown(pixels([[255, 0, 0, 0], 90], [[0, 0, 255, 255], 10]))).toEqual([['#0000ff', 100]])
  expect(dominantColors(pixels([[1, 2, 3, 0], 9]))).toEqual([])
  expect(dominantColors(new Uint8Array())).toEqual([])
})

test('there are never more than a few', () => {
  const rainbow = Array.from({ length: 12 }, (_, at): [[number, number, number, number], number] => [
    [(at % 3) * 127, (Math.floor(at / 3) % 3) * 127, at > 5 ? 255 : 0, 255],
    10
  ])
  expect(dominantColors(pixels(...rainbow))).toHaveLength(5)
})
