// The list of bookmarks: its cursor, keys, selection, and marked matches.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromMatch, markedParts, searchedWords } from '../../src-renderer/features/bookmarks/list/excerpts.ts'
import {
  chosenBy,
  deselectChosen,
  firstRemaining,
  isChosen,
  isSelected,
  locate,
  MAX_SELECTED,
  NOTHING,
  rangeTo,
  readKey,
  reanchor,
  type Selection,
  sizeOf,
  skipRemoved,
  toggleSelected
} from '../../src-renderer/features/bookmarks/list/selection.ts'

/** A list of bookmarks with one letter as id each; a dot is a row that has not loaded. */
function rows(loaded: string) {
  const ids = [...loaded]
  return {
    count: ids.length,
    at: (index: number) => (ids[index] === '.' || ids[index] === undefined ? undefined : { id: ids[index] }),
    indexOf: (id: string) => (ids.includes(id) ? ids.indexOf(id) : undefined)
  }
}

const B = { id: 'b', index: 1 }

test('the cursor stays on its bookmark if rows before it come or go', () => {
  const anchor = reanchor({ id: undefined, index: 1 }, rows('abc'))
  expect(anchor).toEqual(B)
  expect(locate(anchor, rows('newabc'))).toEqual({ index: 4, gone: false })
  expect(reanchor(anchor, rows('newabc'))).toEqual({ id: 'b', index: 4 })
  expect(reanchor(anchor, rows('b'))).toEqual({ id: 'b', index: 0 })
  expect(reanchor(B, rows('abc'))).toBe(B)
})

test('the cursor does not move to the neighbor of a bookmark that left the list', () => {
  expect(locate(B, rows('ac'))).toEqual({ index: 1, gone: true })
  expect(reanchor(B, rows('ac'))).toBe(B)
  expect(locate({ id: 'c', index: 2 }, rows('ab'))).toEqual({ index: 1, gone: true })
})

test('a bookmark whose row has not loaded may still be in the list', () => {
  expect(locate(B, rows('a..'))).toEqual({ index: 1, gone: false })
})

test('the cursor moves to the next bookmark if its own was removed here', () => {
  const isB = (id: string) => id === 'b'
  expect(skipRemoved(B, rows('abc'), isB)).toBe(B)
  expect(skipRemoved(B, rows('ac'), isB)).toEqual({ id: undefined, index: 1 })
  expect(skipRemoved(B, rows('ac'), () => false)).toBe(B)
})

test('keys act on the next loaded bookmark that is not being removed', () => {
  const leaving = (ids: string) => (id: string) => ids.includes(id)
  expect(firstRemaining(1, rows('abcd'), leaving('bc'))).toBe(3)
  expect(firstRemaining(1, rows('abc'), leaving('bc'))).toBeUndefined()
  expect(firstRemaining(1, rows('ab.d'), leaving('b'))).toBeUndefined()
})

type Modifiers = Partial<Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>>

test.for<[key: string, modifiers: Modifiers, isGrid: boolean, action: object | undefined]>([
  ['ArrowDown', {}, false, { rows: 1, extend: false }],
  ['ArrowUp', { shiftKey: true }, true, { rows: -1, extend: true }],
  ['j', {}, false, { rows: 1, extend: false }],
  ['k', {}, true, { rows: -1, extend: false }],
  ['ArrowRight', {}, true, { by: 1, extend: false }],
  ['ArrowRight', {}, false, undefined],
  ['PageDown', {}, true, { rows: 10, extend: false }],
  ['End', {}, false, { to: 'end', extend: false }],
  ['a', { ctrlKey: true }, false, { act: 'all' }],
  ['a', { metaKey: true }, false, { act: 'all' }],
  ['c', { ctrlKey: true }, false, undefined],
  ['e', { altKey: true }, false, undefined],
  ['Tab', {}, false, undefined],
  ['Enter', {}, false, { act: 'edit' }],
  ['e', {}, false, { act: 'edit' }],
  ['o', {}, false, { act: 'open' }],
  ['t', {}, false, { act: 'tag' }],
  ['m', {}, false, { act: 'move' }],
  ['x', {}, false, { act: 'select' }],
  [' ', {}, false, { act: 'select' }],
  ['Delete', {}, false, { act: 'delete' }],
  ['Escape', {}, false, { act: 'leave' }]
])('the key %s with %j, in the grid: %s, means %j', ([key, modifiers, isGrid, action]) => {
  const event = { key, code: '', shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...modifiers }
  expect(readKey(event, isGrid, 10)).toEqual(action)
})

test.for([
  ['о', 'KeyJ', { rows: 1, extend: false }],
  ['щ', 'KeyO', { act: 'open' }],
  ['ㅌ', 'KeyX', { act: 'select' }],
  ['ö', 'Semicolon', undefined],
  ['é', 'Digit2', undefined]
] as const)('a letter of another alphabet, %s, means the Latin letter at its place', ([key, code, action]) => {
  const event = { key, code, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false }
  expect(readKey(event, false, 10)).toEqual(action)
})

const select = (...ids: string[]): Selection => ({ ids: new Set(ids), anchor: undefined })
const ALL: Selection = { ids: new Set(), all: { listed: { tag: 'x' }, count: 5000 }, anchor: undefined }

test('a second toggle deselects', () => {
  const selected = toggleSelected(NOTHING, 'a', 4)
  expect([...selected.ids]).toEqual(['a'])
  expect(toggleSelected(selected, 'a', 4).ids.size).toBe(0)
})

test('a range begins at the last selected row, in both directions, and has a maximum size', () => {
  expect(toggleSelected(NOTHING, 'a', 10).anchor).toEqual({ id: 'a', index: 10 })
  expect(rangeTo(10, 14)).toEqual({ from: 10, to: 14 })
  expect(rangeTo(10, 3)).toEqual({ from: 3, to: 10 })
  expect(rangeTo(5000, 90_000)).toEqual({ from: 5000, to: 5000 + MAX_SELECTED - 1 })
  expect(rangeTo(5000, 0)).toEqual({ from: 5000 - MAX_SELECTED + 1, to: 5000 })
  const many = select(...Array.from({ length: MAX_SELECTED }, (_, index) => `b${index}`))
  expect(toggleSelected(many, 'too many', 1).ids.has('too many')).toBe(false)
})

test('a selection of everything excludes deselected bookmarks', () => {
  const rest = toggleSelected(ALL, 'a', 0)
  expect([isSelected(ALL, 'a'), isSelected(rest, 'a'), isSelected(rest, 'b')]).toEqual([true, false, true])
  expect([sizeOf(ALL), sizeOf(rest)]).toEqual([5000, 4999])
  expect(chosenBy(rest)).toEqual({ all: { tag: 'x' }, except: ['a'] })
  expect(isSelected(toggleSelected(rest, 'a', 0), 'a')).toBe(true)
  expect([isChosen(chosenBy(rest), 'a'), isChosen(chosenBy(rest), 'b')]).toEqual([false, true])
  const two: Selection = { ...ALL, all: { listed: {}, count: 2 } }
  expect(sizeOf(toggleSelected(toggleSelected(two, 'a', 0), 'b', 1))).toBe(0)
})

test('a change deselects the bookmarks it applied to', () => {
  const both = select('a', 'b')
  expect([...deselectChosen(both, { ids: ['a', 'gone'] }).ids]).toEqual(['b'])
  expect(deselectChosen(both, { ids: ['a', 'b'] })).toBe(NOTHING)
  expect(deselectChosen(ALL, { all: {}, except: [] })).toBe(NOTHING)
  expect(deselectChosen(select('a'), { all: {}, except: [] })).toBe(NOTHING)
  expect(deselectChosen(ALL, { ids: ['a'] })).toBe(ALL)
})

test.for([
  ['The Rust Book', 'rust', 'The [Rust] Book'],
  ['Café au lait', 'cafe', '[Café] au lait'],
  ['cafe', 'CAFÉ', '[cafe]'],
  ['the borrow checker', '"borrow checker"', 'the [borrow] [checker]'],
  ['rust game', 'rust -game', '[rust] game'],
  ['is broken rust', 'is:broken rust', 'is broken [rust]'],
  ['rust OR go', 'rust OR go', '[rust] OR [go]'],
  ['日本語のブックマーク', '日本', '[日本]語のブックマーク'],
  ['a.b (c) [d] $e', '(c) $e', 'a.b ([c]) [d] $[e]'],
  ['nothing', '"', 'nothing'],
  ['nothing', '', 'nothing']
] as const)('%s, searched for %s, is shown as %s', ([text, search, expected]) => {
  const parts = markedParts(text, searchedWords(search))
  expect(parts.map((part) => (part.match ? `[${part.text}]` : part.text)).join('')).toBe(expected)
})

const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('a', 'É', 'e\u0301', 'İ', 'ß', '日', '가', 'Σ', '😀', ' ', '"', '-', '.', '(', '\\', '$', '^', ' OR ')
)
const typed = (maxLength: number) => fc.array(piece, { maxLength, size: 'max' }).map((pieces) => pieces.join(''))

test('marked parts join to the text, and a shortened note is the end of the note', () => {
  fc.assert(
    fc.property(typed(60), typed(8), (text, search) => {
      const words = searchedWords(search)
      const parts = markedParts(text, words)
      expect(parts.map((part) => part.text).join('')).toBe(text)
      const shown = fromMatch(text, words)
      if (shown !== text) expect([shown[0], text.endsWith(shown.slice(1))]).toEqual(['…', true])
    })
  )
})

const NOTE = 'A long note about birds that live by lakes, of which none is as patient as the grey heron'

test.for([
  ['heron', '…is as patient as the grey heron'],
  ['lakes', NOTE],
  ['PATIENT', '…lakes, of which none is as patient as the grey heron'],
  ['eagle', NOTE],
  ['', NOTE]
] as const)('a note searched for “%s” begins near the match', ([search, expected]) => {
  expect(fromMatch(NOTE, searchedWords(search))).toBe(expected)
})
