import { expect, test } from 'vitest'
import { hexOf } from '../../src-main/core/color.ts'
import { detect } from '../../src-renderer/features/bookmarks/add/detect.ts'

const isColor = (text: string) => hexOf(text) !== undefined

test.for([
  ['https://example.com/', { type: 'link', url: 'https://example.com/' }],
  ['  example.com/a?b#c ', { type: 'link', url: 'https://example.com/a?b#c' }],
  ['www.example.co.uk', { type: 'link', url: 'https://www.example.co.uk' }],
  ['https://example.com/Cat.PNG?size=2', { type: 'image', url: 'https://example.com/Cat.PNG?size=2' }],
  ['http://localhost:3000/x', { type: 'link', url: 'http://localhost:3000/x' }],
  ['#4263eb', { type: 'color' }],
  ['tomato', { type: 'color' }],
  ['oklch(70% 0.15 160)', { type: 'color' }],
  ['currentcolor', { type: 'text' }],
  ['tan', { type: 'text' }],
  ['index.js', { type: 'text' }],
  ['1.5em', { type: 'text' }],
  ['see https://example.com/', { type: 'text' }],
  ['two\nlines', { type: 'text' }],
  ['javascript:alert(1)', { type: 'text' }],
  ['', { type: 'link' }]
] as const)('%j is %o', ([text, expected]) => {
  expect(detect(text, isColor)).toEqual(expected)
})
