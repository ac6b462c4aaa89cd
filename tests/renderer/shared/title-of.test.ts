import { expect, test } from 'vitest'
import { besideTitle, titleOf } from '../../../src-renderer/shared/title-of.ts'

test.each([
  ['A title', 'https://a.example/', 'text', 'A title'],
  ['', 'https://bücher.example/', '', 'https://bücher.example/'],
  ['', null, '#ff8800', '#ff8800'],
  ['', null, '\n  A thought\nin two lines', 'A thought'],
  ['', null, 'a'.repeat(300), 'a'.repeat(200)],
  ['', null, '', 'Untitled']
])('a bookmark titled “%s” at %s goes by a name', (title, url, content, name) => {
  expect(titleOf({ title, url, content })).toBe(name)
})

test.each([
  ['Add', 'Additional notes', 'Additional notes'],
  ['Add', ' Add\n', ''],
  ['', 'A thought\nin two lines', '\nin two lines'],
  ['', 'A thought', '']
])('beside the title “%s” the text “%s” says “%s”', (title, content, rest) => {
  expect(besideTitle(content, { title, url: null, content })).toBe(rest)
})
