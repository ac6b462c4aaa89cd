// Editing: the type of a new bookmark, and edits in the panel.

import { expect, test } from 'vitest'
import { cssToHex } from '../../src-main/core/color.ts'
import {
  applyRead,
  applyRefused,
  applySaved,
  applyTyped,
  dropSaved,
  type Edits,
  type Field,
  findConflicts,
  findUnsaved,
  type ReadFields,
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

const NOW: ReadFields = {
  version: '2026-01-01T00:00:00.000Z',
  title: 'Old',
  url: 'https://a.example/',
  description: '',
  content: '',
  tags: ['one'],
  place: { visibility: 'private' }
}
const ELSEWHERE = { ...NOW, title: 'Theirs', version: '2026-01-02T00:00:00.000Z' }

/** Marks an edit as sent and not answered. */
const asSent = (edits: Edits, field: Field): Edits => ({
  ...edits,
  [field]: edits[field] && { ...edits[field], sent: edits[field].typed }
})

test('typed text is shown and unsaved; the old value is no edit', () => {
  const edits = applyTyped({}, 'title', 'New', NOW)
  expect(showEdits(edits, NOW).title).toBe('New')
  expect(findUnsaved(edits, NOW)).toEqual(['title'])
  expect(findUnsaved(applyTyped(edits, 'title', 'Old', NOW), NOW)).toEqual([])
  expect(findUnsaved(applyTyped({}, 'tags', ['one'], NOW), NOW)).toEqual([])
})

test('the saved form of a text is shown after the field loses focus', () => {
  const saved = applySaved(asSent(applyTyped({}, 'title', 'New ', NOW), 'title'), 'title', { ...NOW, title: 'New' })
  const now = { ...NOW, title: 'New' }
  expect(showEdits(saved, now).title).toBe('New ')
  expect(findUnsaved(saved, now)).toEqual([])
  expect(showEdits(dropSaved(saved), now).title).toBe('New')
})

test('text typed during a save is unsaved', () => {
  const typing = applyTyped(asSent(applyTyped({}, 'title', 'New', NOW), 'title'), 'title', 'Newer', NOW)
  const saved = applySaved(typing, 'title', { ...NOW, title: 'New' })
  expect(findUnsaved(saved, { ...NOW, title: 'New' })).toEqual(['title'])
})

test('a field that was changed elsewhere is in conflict and not saved; other fields are saved', () => {
  const edits = applyTyped(applyTyped({}, 'title', 'Mine', NOW), 'description', 'Said', NOW)
  expect(findConflicts(edits, ELSEWHERE)).toEqual(['title'])
  expect(findUnsaved(edits, ELSEWHERE)).toEqual(['description'])
  expect(findConflicts(applyTyped({}, 'title', 'Theirs', NOW), ELSEWHERE)).toEqual([])
})

test('an edit replaces the version that was read with its field, and a newer one only if the field is unchanged', () => {
  const edits = applyTyped(applyTyped({}, 'title', 'Mine', NOW), 'description', 'Said', NOW)
  const { title, description } = applyRead(edits, ELSEWHERE)
  expect(title).toMatchObject({ was: 'Old', version: NOW.version })
  expect(description).toMatchObject({ was: '', version: ELSEWHERE.version })
})

test('a saved field shows later changes from elsewhere', () => {
  const saved = applySaved(asSent(applyTyped({}, 'title', 'Mine', NOW), 'title'), 'title', { ...NOW, title: 'Mine' })
  expect(showEdits(saved, ELSEWHERE).title).toBe('Theirs')
  expect(findConflicts(saved, ELSEWHERE)).toEqual([])
})

test('tags that were changed elsewhere are never in conflict: the typed ones are added and removed', () => {
  const now = { ...NOW, tags: ['one', 'two', 'three'] }
  const edits = applyTyped({}, 'tags', ['one', 'three', 'four'], now)
  const renamed = { ...now, tags: ['uno', 'two', 'three', 'five'] }
  expect(findConflicts(edits, renamed)).toEqual([])
  expect(findUnsaved(edits, renamed)).toEqual(['tags'])
  expect(showEdits(edits, renamed).tags).toEqual(['uno', 'three', 'five', 'four'])
  const more = applyTyped(edits, 'tags', ['uno', 'five', 'four'], renamed)
  expect(showEdits(more, renamed).tags).toEqual(['uno', 'five', 'four'])
  expect(applyRead(edits, renamed).tags).toMatchObject({ was: renamed.tags, typed: ['uno', 'three', 'five', 'four'] })
})

test('a tag that is removed while the request that adds it is not answered is removed afterwards', () => {
  const sent = asSent(applyTyped({}, 'tags', ['one', 'two'], NOW), 'tags')
  const typing = applyTyped(sent, 'tags', ['one'], NOW)
  const added = { ...NOW, tags: ['one', 'two'] }
  const saved = applySaved(typing, 'tags', added)
  expect(showEdits(saved, added).tags).toEqual(['one'])
  expect(findUnsaved(saved, added)).toEqual(['tags'])
})

test('tags are saved if the answer has another change of them too', () => {
  const sent = asSent(applyTyped({}, 'tags', ['one', 'two'], NOW), 'tags')
  const now = { ...NOW, tags: ['two', 'uno'] }
  expect(findUnsaved(applySaved(applyRead(sent, now), 'tags', now), now)).toEqual([])
})

test('refused text is kept, and saved again after it was changed', () => {
  const edits = applyRefused(asSent(applyTyped({}, 'url', 'nope', NOW), 'url'), 'url', 'No address.')
  expect(showEdits(edits, NOW).url).toBe('nope')
  expect(findUnsaved(edits, NOW)).toEqual([])
  expect(edits.url?.refused).toBe('No address.')
  expect(findUnsaved(applyTyped(edits, 'url', 'https://b.example/', NOW), NOW)).toEqual(['url'])
})

test('text of an earlier page is sent again with its version, unless it was refused', () => {
  const typed = applyTyped(applyTyped({}, 'title', 'Mine', NOW), 'url', 'nope', NOW)
  const edits = resumeEdits(applyRefused(asSent(typed, 'url'), 'url', 'No address.'))
  expect(findUnsaved(edits, ELSEWHERE)).toEqual(['title'])
  expect(edits.title).toMatchObject({ version: NOW.version, sent: 'Mine' })
  expect(edits.url).toMatchObject({ refused: 'No address.' })
})

test('the value of a request that was not answered is no change from elsewhere', () => {
  const sent = asSent(applyTyped({}, 'title', 'Mine', NOW), 'title')
  const edits = applyTyped(sent, 'title', 'Mine and more', NOW)
  const now = { ...ELSEWHERE, title: 'Mine' }
  expect(applyRead(edits, now).title).toMatchObject({ was: 'Mine', version: now.version, typed: 'Mine and more' })
})
