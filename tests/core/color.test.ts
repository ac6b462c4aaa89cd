import { expect, test } from 'vitest'
import { hexOf } from '../../src-main/core/color.ts'

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
