import type { Oklab } from 'culori'
import { expect, test } from 'vitest'
import { distance, hexOf, placeOf } from '../../src-main/core/color.ts'

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
] as const)('%s is %s', ([text, hex]) => {
  expect(hexOf(text)).toBe(hex)
})

test.for(['', 'blu', '#12', 'rgb(', 'url(https://a.example/)', 'var(--x)', 'rgb(1 2 3); x', '\0'])(
  '%j is no color',
  (text) => {
    expect(hexOf(text)).toBeUndefined()
  }
)

test('the nearer two colors look, the smaller their distance', () => {
  const to = (other: string) => distance(placeOf('tomato') as Oklab, placeOf(other) as Oklab)
  expect(to('#ff6347')).toBe(0)
  expect(to('rgb(255 99 71 / 50%)')).toBe(0)
  const apart = ['#ff6247', 'coral', 'red', 'gold', 'blue'].map(to)
  expect(apart).toEqual(apart.toSorted((a, b) => a - b))
  expect(distance(placeOf('black') as Oklab, placeOf('white') as Oklab)).toBeCloseTo(1, 2)
})

test('what is no color is nowhere', () => {
  expect(placeOf('blu')).toBeUndefined()
})
