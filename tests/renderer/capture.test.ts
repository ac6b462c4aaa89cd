// Quick capture: what is typed, its tags, its shortcut, and the bookmarklet.
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { captureRequest } from '../../src-main/desktop/launch.ts'
import { addTag, readEntry } from '../../src-renderer/capture/read-entry.ts'
import { findPartialTag, offerTags, takeTags } from '../../src-renderer/capture/tag-offers.tsx'
import { acceleratorOf, keysOf, type PressedKey } from '../../src-renderer/features/settings/accelerator.ts'
import { BOOKMARKLET } from '../../src-renderer/features/settings/browser-section.tsx'

test.for([
  ['https://a.example #one #two-2', 'https://a.example', ['one', 'two-2']],
  ['https://a.example/#part', 'https://a.example/#part', []],
  ['#bada55', '#bada55', []],
  ['#bada55 #brand', '#bada55', ['brand']],
  ['#bada55 #abc', '#bada55', ['abc']],
  ['#reading', '', ['reading']],
  ['fixes #12', 'fixes #12', []],
  ['# A heading', '# A heading', []],
  ['a #b in the middle', 'a #b in the middle', []],
  ['two\nlines #überall', 'two\nlines', ['überall']],
  ['x #a #a', 'x', ['a']],
  ['x #"read later" #one', 'x', ['read later', 'one']],
  ['x #"2026"', 'x', ['2026']],
  ['#"bada55"', '', ['bada55']],
  ['x #""', 'x', []],
  ['x #brand, #orange', 'x', ['brand', 'orange']],
  ['x #brand,orange', 'x', ['brand', 'orange']],
  ['x #"brand, orange"', 'x', ['brand, orange']],
  ['  ', '', []],
  ['C#', 'C#', []]
] as const)('%j is read as %j with the tags %j', ([typed, text, tags]) => {
  expect(readEntry(typed)).toEqual({ text, tags })
})

test.each([
  ['https://a.example ', 'rust', 'https://a.example #rust '],
  ['https://a.example #one', 'read later', 'https://a.example #one #"read later" ']
])('%j with the tag %j added becomes %j, which contains that tag', (typed, tag, expected) => {
  expect(addTag(typed, tag)).toBe(expected)
  expect(readEntry(expected).tags.at(-1)).toBe(tag)
})

const begun = (typed: string) => findPartialTag(typed, typed.length)
const begunOrNew = (typed: string) => begun(typed) ?? { start: 0, end: 0, text: '' }

test.each([
  ['https://a.example/ #', 18 + 1, ''],
  ['#re', 0, 're'],
  ['A note\n#re', 7, 're'],
  ['x #one #tw', 7, 'tw'],
  ['x #"read la', 2, 'read la']
])('%j ends in a tag that begins at %d with %j', (typed, start, text) => {
  expect(begun(typed)).toEqual({ start, end: typed.length, text })
})

test.each(['', 'https://a.example/', 'https://a.example/#part', 'x #one ', 'x #"read later"', 'C#'])(
  '%j ends in no unfinished tag',
  (typed) => {
    expect(begun(typed)).toBeUndefined()
  }
)

test('a tag is unfinished if the caret is at its end, not within it', () => {
  expect(findPartialTag('x #reading', 5)).toBeUndefined()
  expect(findPartialTag('x #re more', 5)).toMatchObject({ text: 're' })
})

test.for([
  [
    'beginnings come first, of names and then of parts',
    '#re',
    [],
    ['reading', 'Read later', 'work/reports', 'prepare']
  ],
  ['case makes no difference', '#LATER', [], ['Read later']],
  ['an empty tag offers the four most used', '#', [], ['reading', 'rust', 'work/reports', 'Read later']],
  ['tags of the bookmark are left out', '#re', ['Reading', 'read later'], ['work/reports', 'prepare']],
  ['a complete name is left out', '#rust', [], []],
  ['a name that cannot be typed is left out', '#odd', [], []]
] as const)('tags are offered: %s', ([, typed, taken, offered]) => {
  const tags = ['reading', 'rust', 'work/reports', 'Read later', 'prepare', 'odd"one'].map((name) => ({ name }))
  expect(offerTags(tags, begunOrNew(typed), [...taken]).map(({ name }) => name)).toEqual(offered)
})

test.each([
  ['x #re', 'reading', 'x #reading '],
  ['x #re', 'Read later', 'x #"Read later" '],
  ['x #"re', 'Read later', 'x #"Read later" '],
  ['#20', '2026', '#"2026" '],
  ['#be', 'beef', '#"beef" '],
  ['#a', 'a,b', '#"a,b" ']
])('%j completed with %j becomes %j, which contains that tag', (typed, tag, expected) => {
  const completed = takeTags(typed, begunOrNew(typed), [tag])
  expect(completed).toEqual({ typed: expected, caret: expected.length })
  expect(readEntry(completed.typed).tags).toEqual([tag])
})

test('a completed tag keeps the text after it', () => {
  const tag = findPartialTag('x #re y', 5)
  expect(tag && takeTags('x #re y', tag, ['reading'])).toEqual({ typed: 'x #reading y', caret: 11 })
})

function pressed(key: string, code: string, ...modifiers: ('ctrl' | 'meta' | 'alt' | 'shift')[]): PressedKey {
  const isDown = (name: (typeof modifiers)[number]) => modifiers.includes(name)
  return {
    key,
    code,
    ctrlKey: isDown('ctrl'),
    metaKey: isDown('meta'),
    altKey: isDown('alt'),
    shiftKey: isDown('shift')
  }
}

test.for([
  [pressed('y', 'KeyY', 'ctrl'), 'Control+Y'],
  [pressed('Y', 'KeyY', 'ctrl', 'shift'), 'Control+Shift+Y'],
  [pressed('a', 'KeyQ', 'alt'), 'Alt+A'],
  [pressed('ф', 'KeyA', 'ctrl', 'alt'), 'Control+Alt+A'],
  [pressed('!', 'Digit1', 'ctrl', 'shift'), 'Control+Shift+1'],
  [pressed(' ', 'Space', 'meta'), 'Super+Space'],
  [pressed('ArrowUp', 'ArrowUp', 'ctrl'), 'Control+Up'],
  [pressed('F9', 'F9'), 'F9'],
  [pressed('Control', 'ControlLeft', 'ctrl'), undefined],
  [pressed('Shift', 'ShiftLeft', 'shift'), undefined],
  [pressed('y', 'KeyY'), { fault: 'alone' }],
  [pressed('Y', 'KeyY', 'shift'), { fault: 'alone' }],
  [pressed('AudioVolumeUp', 'AudioVolumeUp', 'ctrl'), { fault: 'unknown' }]
] as const)('the keys %o are the shortcut %o', ([event, accelerator]) => {
  expect(acceleratorOf(event, false)).toEqual(accelerator)
})

test('on a Mac shortcuts have Command, and Option does not change the letter', () => {
  expect(acceleratorOf(pressed('y', 'KeyY', 'meta'), true)).toBe('Command+Y')
  expect(acceleratorOf(pressed('å', 'KeyA', 'alt'), true)).toBe('Alt+A')
})

test('CommandOrControl is shown as the key of the platform', () => {
  expect(keysOf('CommandOrControl+Shift+Y', false)).toEqual(['Control', 'Shift', 'Y'])
  expect(keysOf('CommandOrControl+Shift+Y', true)).toEqual(['Command', 'Shift', 'Y'])
})

/** Runs the bookmarklet as a browser does on a page, and returns the address it opens. */
function click(page: { href: string; title: string; selected: string }): string {
  const location = { href: page.href }
  const script = decodeURIComponent(BOOKMARKLET.slice('javascript:'.length))
  const window = { location, document: { title: page.title }, getSelection: () => page.selected }
  runInNewContext(script, { ...window, encodeURIComponent, String })
  return location.href
}

test('the bookmarklet passes address, title and selection to capture, with any characters', () => {
  const page = { href: 'https://a.example/?a=1&b=%20#x', title: 'A & "B" = 50% ü', selected: 'Two\nlines + 日本' }
  expect(captureRequest(click(page))).toEqual({
    kind: 'capture',
    fields: { url: page.href, title: page.title, text: page.selected, tags: undefined }
  })
})

test('the bookmarklet cuts a long selection to the length of a description, between characters', () => {
  const link = click({ href: 'https://a.example/', title: '', selected: `${'x'.repeat(2047)}😀` })
  expect(captureRequest(link)).toMatchObject({ fields: { text: 'x'.repeat(2047) } })
})
