// Editing: the type of a new bookmark, and edits in the panel.

import { expect, test } from 'vitest'
import { cssToHex } from '../../src-main/core/color.ts'
import {
  applyRefused,
  applySaved,
  applyTyped,
  type Draft,
  dropSaved,
  findConflicts,
  findUnsaved,
  resumeEdits,
  showEdits
} from '../../src-renderer/api/edits.ts'
import { addressesIn, detect } from '../../src-renderer/features/bookmarks/add/detect.ts'

// Like browsers, whose CSS.supports also accepts keywords and functions that are no color by themselves.
const isColor = (text: string) => cssToHex(text) !== undefined || /^(?:[a-z]+|[a-z-]+\(.*\))$/i.test(text)

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
] as const)('%j is recognized as %o', ([text, expected]) => {
  expect(detect(text, isColor)).toEqual(expected)
})

test.for([
  ['https://a.example/\nb.example/x\n', ['https://a.example/', 'https://b.example/x']],
  ['https://a.example/ https://b.example/ https://a.example/', ['https://a.example/', 'https://b.example/']],
  ['https://a.example/', undefined],
  ['see https://a.example/ https://b.example/', undefined],
  ['', undefined]
] as const)('the addresses in %j are %j: none unless the text has nothing else', ([text, addresses]) => {
  expect(addressesIn(text)).toEqual(addresses)
})

const NOW: Draft = {
  title: 'Old',
  url: 'https://a.example/',
  description: '',
  content: '',
  tags: ['one'],
  place: { visibility: 'private' }
}
const ELSEWHERE = { ...NOW, title: 'Theirs' }

test('typed text is shown and unsaved; the old value is no edit', () => {
  const edits = applyTyped({}, 'title', 'New', NOW)
  expect(showEdits(edits, NOW).title).toBe('New')
  expect(findUnsaved(edits, NOW)).toEqual(['title'])
  expect(findUnsaved(applyTyped(edits, 'title', 'Old', NOW), NOW)).toEqual([])
  expect(findUnsaved(applyTyped({}, 'tags', ['one'], NOW), NOW)).toEqual([])
})

test('the saved form of a text is shown after the field loses focus', () => {
  const saved = applySaved(applyTyped({}, 'title', 'New ', NOW), 'title', 'New ', { ...NOW, title: 'New' })
  const now = { ...NOW, title: 'New' }
  expect(showEdits(saved, now).title).toBe('New ')
  expect(findUnsaved(saved, now)).toEqual([])
  expect(showEdits(dropSaved(saved), now).title).toBe('New')
})

test('text typed during a save is unsaved', () => {
  const typing = applyTyped(applyTyped({}, 'title', 'New', NOW), 'title', 'Newer', NOW)
  const saved = applySaved(typing, 'title', 'New', { ...NOW, title: 'New' })
  expect(findUnsaved(saved, { ...NOW, title: 'New' })).toEqual(['title'])
})

test('a field that was changed elsewhere is in conflict and not saved; other fields are saved', () => {
  const edits = applyTyped(applyTyped({}, 'title', 'Mine', NOW), 'description', 'Said', NOW)
  expect(findConflicts(edits, ELSEWHERE)).toEqual(['title'])
  expect(findUnsaved(edits, ELSEWHERE)).toEqual(['description'])
  expect(findConflicts(applyTyped({}, 'title', 'Theirs', NOW), ELSEWHERE)).toEqual([])
})

test('a saved field shows later changes from elsewhere', () => {
  const saved = applySaved(applyTyped({}, 'title', 'Mine', NOW), 'title', 'Mine', { ...NOW, title: 'Mine' })
  expect(showEdits(saved, ELSEWHERE).title).toBe('Theirs')
  expect(findConflicts(saved, ELSEWHERE)).toEqual([])
})

test('refused text is kept, and saved again after it was changed', () => {
  const edits = applyRefused(applyTyped({}, 'url', 'nope', NOW), 'url', 'nope', 'No address.')
  expect(showEdits(edits, NOW).url).toBe('nope')
  expect(findUnsaved(edits, NOW)).toEqual([])
  expect(edits.url?.refused).toBe('No address.')
  expect(findUnsaved(applyTyped(edits, 'url', 'https://b.example/', NOW), NOW)).toEqual(['url'])
})

test('after a reload, text that did not arrive is unsaved, and text that did is saved', () => {
  const sent = { title: { was: 'Old', typed: 'New ', sent: true } }
  expect(resumeEdits(sent, { ...NOW, title: 'New' })).toEqual({})
  expect(findUnsaved(resumeEdits(sent, NOW), NOW)).toEqual(['title'])
  const never = { title: { was: 'Old', typed: 'New' } }
  expect(findConflicts(resumeEdits(never, ELSEWHERE), ELSEWHERE)).toEqual(['title'])
})
