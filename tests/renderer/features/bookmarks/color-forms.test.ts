import { expect, test } from 'vitest'
import { colorForms } from '../../../../src-renderer/features/bookmarks/color-forms.ts'

test.for([
  ['tomato', ['tomato', '#ff6347', 'rgb(255 99 71)', 'oklch(69.6% 0.196 32.3)']],
  ['oklch(70% 0.15 160)', ['#23ba7d', 'rgb(35 186 125)', 'oklch(70% 0.15 160)']],
  ['rgb(0 0 0 / 50%)', ['#00000080', 'rgb(0 0 0 / 0.5)', 'oklch(0% 0 0 / 0.5)']],
  ['#808080', ['gray', '#808080', 'rgb(128 128 128)', 'oklch(60% 0 0)']],
  ['white', ['white', '#ffffff', 'rgb(255 255 255)', 'oklch(100% 0 0)']],
  ['url(https://evil.example/)', []],
  ['', []]
] as const)('%s by its name and as hex, rgb and oklch', ([color, expected]) => {
  expect(colorForms(color)).toEqual(expected)
})
