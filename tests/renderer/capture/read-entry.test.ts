import { expect, test } from 'vitest'
import { addTag, readEntry } from '../../../src-renderer/capture/read-entry.ts'

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
  ['  ', '', []],
  ['C#', 'C#', []]
] as const)('%j is %j with tags %j', ([typed, text, tags]) => {
  expect(readEntry(typed)).toEqual({ text, tags })
})

test.each([
  ['https://a.example ', 'rust', 'https://a.example #rust '],
  ['https://a.example #one', 'read later', 'https://a.example #one #"read later" ']
])('behind %j the tag %j makes it %j, and is read as that tag', (typed, tag, made) => {
  expect(addTag(typed, tag)).toBe(made)
  expect(readEntry(made).tags.at(-1)).toBe(tag)
})
