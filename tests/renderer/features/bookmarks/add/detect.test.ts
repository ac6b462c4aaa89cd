import { expect, test } from 'vitest'
import { hexOf } from '../../../../../src-main/core/color.ts'
import { addressesIn, detect } from '../../../../../src-renderer/features/bookmarks/add/detect.ts'

// CSS takes more for a color than is one by itself.
const isColor = (text: string) => hexOf(text) !== undefined || /^(?:[a-z]+|[a-z-]+\(.*\))$/i.test(text)

test.for([
  ['https://example.com/', { type: 'link', url: 'https://example.com/' }],
  ['  example.com/a?b#c ', { type: 'link', url: 'https://example.com/a?b#c' }],
  ['www.example.co.uk', { type: 'link', url: 'https://www.example.co.uk' }],
  ['https://example.com/Cat.PNG?size=2', { type: 'image', url: 'https://example.com/Cat.PNG?size=2' }],
  ['http://localhost:3000/x', { type: 'link', url: 'http://localhost:3000/x' }],
  ['localhost:3000/x', { type: 'link', url: 'http://localhost:3000/x' }],
  ['localhost', { type: 'link', url: 'http://localhost' }],
  ['192.168.1.1', { type: 'link', url: 'http://192.168.1.1' }],
  ['10.0.0.7:8080/a?b', { type: 'link', url: 'http://10.0.0.7:8080/a?b' }],
  ['printer.local/status', { type: 'link', url: 'http://printer.local/status' }],
  ['[::1]:3000', { type: 'link', url: 'http://[::1]:3000' }],
  ['192.168.1.999', { type: 'text' }],
  ['1.2.3', { type: 'text' }],
  ['localhosts/x', { type: 'text' }],
  ['#4263eb', { type: 'color' }],
  ['tomato', { type: 'color' }],
  ['oklch(70% 0.15 160)', { type: 'color' }],
  ['#abc', { type: 'color' }],
  ['rgb(1 2 3 / 50%)', { type: 'color' }],
  ['hsl(120deg 50% 50%)', { type: 'color' }],
  ['color(display-p3 1 0 0)', { type: 'color' }],
  ['currentcolor', { type: 'text' }],
  ['ButtonText', { type: 'text' }],
  ['transparent', { type: 'text' }],
  ['tan', { type: 'text' }],
  ['color-mix(in srgb, red, blue)', { type: 'text' }],
  ['rgb(from red r g b)', { type: 'text' }],
  ['var(--accent)', { type: 'text' }],
  ['index.js', { type: 'text' }],
  ['notes.md', { type: 'text' }],
  ['report.pdf', { type: 'text' }],
  ['example.com/report.pdf', { type: 'link', url: 'https://example.com/report.pdf' }],
  ['https://', { type: 'text' }],
  ['1.5em', { type: 'text' }],
  ['see https://example.com/', { type: 'text' }],
  ['two\nlines', { type: 'text' }],
  ['javascript:alert(1)', { type: 'text' }],
  ['', { type: 'link' }]
] as const)('%j is %o', ([text, expected]) => {
  expect(detect(text, isColor)).toEqual(expected)
})

test.for([
  ['https://a.example/\nb.example/x\n', ['https://a.example/', 'https://b.example/x']],
  ['https://a.example/ https://b.example/ https://a.example/', ['https://a.example/', 'https://b.example/']],
  ['https://a.example/', undefined],
  ['see https://a.example/ https://b.example/', undefined],
  ['', undefined]
] as const)('%s holds only addresses, or is taken as it is', ([text, addresses]) => {
  expect(addressesIn(text)).toEqual(addresses)
})
