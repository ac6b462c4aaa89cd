import { expect, test } from 'vitest'
import { colorForms } from '../../src-renderer/features/bookmarks/color-forms.ts'

test.for([
  ['tomato', ['#ff6347', 'rgb(255 99 71)', 'oklch(69.6% 0.196 32.3)']],
  ['oklch(70% 0.15 160)', ['#23ba7d', 'rgb(35 186 125)', 'oklch(70% 0.15 160)']],
  ['rgb(0 0 0 / 50%)', ['#00000080', 'rgb(0 0 0 / 0.5)', 'oklch(0% 0 0 / 0.5)']],
  ['white', ['#ffffff', 'rgb(255 255 255)', 'oklch(100% 0 0)']],
  ['url(https://evil.example/)', []],
  ['', []]
] as const)('%s as hex, rgb and oklch', ([color, expected]) => {
  expect(colorForms(color)).toEqual(expected)
})
