import { expect, test } from 'vitest'
import type { Draft } from '../../../../../src-renderer/features/bookmarks/panel/draft.ts'
import {
  inConflict,
  refusedAs,
  resumed,
  savedAs,
  shown,
  typedInto,
  unsaved,
  withoutSaved
} from '../../../../../src-renderer/features/bookmarks/panel/edits.ts'

const NOW: Draft = {
  title: 'Old',
  url: 'https://a.example/',
  description: '',
  content: '',
  tags: ['one'],
  place: { visibility: 'private' }
}
const ELSEWHERE = { ...NOW, title: 'Theirs' }

test('what is typed shows, and is to be saved; the old value again is no edit', () => {
  const edits = typedInto({}, 'title', 'New', NOW)
  expect(shown(edits, NOW).title).toBe('New')
  expect(unsaved(edits, NOW)).toEqual(['title'])
  expect(unsaved(typedInto(edits, 'title', 'Old', NOW), NOW)).toEqual([])
  expect(unsaved(typedInto({}, 'tags', ['one'], NOW), NOW)).toEqual([])
})

test('the library’s spelling shows only once nobody is in the field', () => {
  const saved = savedAs(typedInto({}, 'title', 'New ', NOW), 'title', 'New ', { ...NOW, title: 'New' })
  const now = { ...NOW, title: 'New' }
  expect(shown(saved, now).title).toBe('New ')
  expect(unsaved(saved, now)).toEqual([])
  expect(shown(withoutSaved(saved), now).title).toBe('New')
})

test('what is typed while the rest is saved is saved next', () => {
  const typing = typedInto(typedInto({}, 'title', 'New', NOW), 'title', 'Newer', NOW)
  const saved = savedAs(typing, 'title', 'New', { ...NOW, title: 'New' })
  expect(unsaved(saved, { ...NOW, title: 'New' })).toEqual(['title'])
})

test('a field changed elsewhere is asked about, and not saved meanwhile; other fields are', () => {
  const edits = typedInto(typedInto({}, 'title', 'Mine', NOW), 'description', 'Said', NOW)
  expect(inConflict(edits, ELSEWHERE)).toEqual(['title'])
  expect(unsaved(edits, ELSEWHERE)).toEqual(['description'])
  expect(inConflict(typedInto({}, 'title', 'Theirs', NOW), ELSEWHERE)).toEqual([])
})

test('a field that was saved here shows what others made of it since', () => {
  const saved = savedAs(typedInto({}, 'title', 'Mine', NOW), 'title', 'Mine', { ...NOW, title: 'Mine' })
  expect(shown(saved, ELSEWHERE).title).toBe('Theirs')
  expect(inConflict(saved, ELSEWHERE)).toEqual([])
})

test('what is refused is kept, and tried again once it is another', () => {
  const edits = refusedAs(typedInto({}, 'url', 'nope', NOW), 'url', 'nope', 'No address.')
  expect(shown(edits, NOW).url).toBe('nope')
  expect(unsaved(edits, NOW)).toEqual([])
  expect(edits.url?.refused).toBe('No address.')
  expect(unsaved(typedInto(edits, 'url', 'https://b.example/', NOW), NOW)).toEqual(['url'])
})

test('the next page saves what did not arrive, and takes what did for saved', () => {
  const sent = { title: { was: 'Old', typed: 'New ', sent: true } }
  expect(resumed(sent, { ...NOW, title: 'New' })).toEqual({})
  expect(unsaved(resumed(sent, NOW), NOW)).toEqual(['title'])
  const never = { title: { was: 'Old', typed: 'New' } }
  expect(inConflict(resumed(never, ELSEWHERE), ELSEWHERE)).toEqual(['title'])
})
