import { expect, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { emptyLibrary, link, note, PRIVATE, type TestLibrary } from '../../store/library.ts'

/** A Tuesday, at noon local time. */
const NOW = new Date(2026, 10, 24, 12).getTime()
const day = (month: number, date: number, year = 2026) => new Date(year, month - 1, date, 12).getTime()

function shelf(): TestLibrary {
  const library = emptyLibrary()
  library.saveBookmarks(PRIVATE, [
    link('https://github.com/rust-lang/book', {
      title: 'Rust book',
      tags: ['to-read', 'languages'],
      createdAt: day(10, 5)
    }),
    link('https://github.com/golang/go', { title: 'Go sources', tags: ['languages'], createdAt: day(5, 5, 2024) }),
    link('https://docs.example/divan', { title: 'Divan', description: 'benchmarks', createdAt: day(9, 1, 2017) }),
    link('https://ai.example/paper', { title: 'AI papers of note', description: 'email list', createdAt: day(10, 20) }),
    link('https://nodejs.org/fs', { title: 'node:fs explained', createdAt: day(1, 5, 2025) }),
    link('https://draw.example/', { title: 'Unicorn drawing tools', description: 'official', createdAt: day(2, 2) }),
    link('https://paint.example/', { title: 'Unicorn drawing app', createdAt: day(3, 3) }),
    note({ title: 'Opensoundcontrol', content: 'osc' }),
    link('https://sound.example/', { title: 'Open sound control server', createdAt: day(4, 4) })
  ])
  return library
}

function find(words: string, typing = false) {
  return shelf().searchBookmarks(PROFILE, { words, typing, page: 1, limit: 5, now: NOW })
}

test.each([
  ['nothing OR rust OR book OR wrong', 'Rust book', undefined],
  ['go OR rust OR sources', 'Go sources', undefined],
  ['(rust OR wrong) AND (book OR other)', 'Rust book', undefined],
  ['(wrong AND other) OR (sources AND go)', 'Go sources', undefined],
  ['(unicorn tools) OR drawing -official', 'Unicorn drawing app', undefined],
  ['in:title site:github.com/golang sources', 'Go sources', undefined],
  ['"divan" unicorn', 'Divan', 'No bookmark has all of: divan, unicorn'],
  ['"rust book" wrong', 'Rust book', 'No bookmark has all of'],
  ['"rust books" languages', 'Rust book', 'No bookmark has “rust books” as a phrase'],
  ['tag:"to read"', 'Rust book', 'No bookmark has the tag “to read”; searched for the tag “to-read”.'],
  ['tga:languages go', 'Go sources', '“tga:” was read as tag:.'],
  ['tag=languages rust', 'Rust book', undefined],
  ['label:languages rust', 'Rust book', '“label:” was read as a word of a tag.'],
  ['#languages go', 'Go sources', undefined],
  ['#lists email', 'AI papers of note', '“#lists” was searched in all texts.'],
  ['site:github go', 'Go sources', undefined],
  ['site:github.* rust', 'Rust book', undefined],
  ['site:docs.example,github.com go', 'Go sources', undefined],
  ['site:https://github.com/rust-lang/book', 'Rust book', undefined],
  ['site:github.com/golang', 'Go sources', undefined],
  ['node:fs', 'node:fs explained', undefined],
  ['description:benchmarks limit:5', 'Divan', '“limit:” is not a filter and was left out.'],
  ['type:repo unicorn app', 'Unicorn drawing app', 'There is no type “repo”'],
  ['{"query": "rust", "tags": ["languages"]}', 'Rust book', undefined],
  ['ai last month', 'AI papers of note', 'was read as time'],
  ['go in 2024', 'Go sources', 'was read as time'],
  ['email last month', 'AI papers of note', 'was read as time'],
  ['divan Sep 2017', 'Divan', 'was read as time'],
  [
    'divan in October',
    'Divan',
    'Nothing that was saved from 2026-10-01 to 2026-10-31 matches; without the time 1 bookmark'
  ],
  ['rust last:2m', 'Rust book', undefined],
  [
    'unicorn drawing but not the official one',
    'Unicorn drawing app',
    '“but not the official one” was read as -official'
  ],
  ['unicorn without drawing', 'Unicorn drawing app', 'with it 2 bookmarks match'],
  ['drawingunicorntools', 'Unicorn drawing tools', 'as one word; searched for “drawing unicorn tools”'],
  ['unicorn draw order:oldest', 'Unicorn drawing tools', undefined],
  ['papers written', 'AI papers of note', undefined]
])('%s finds “%s”', (words, title, hint) => {
  const { bookmarks, note } = find(words)
  expect(bookmarks[0]?.title).toBe(title)
  if (hint) expect(note).toContain(hint)
})

test.each([
  ['tag:languages tag:to-read site:docs.example', 'domain “docs.example”'],
  ['tag:to-read tag:nothing', 'No bookmark has the tag “nothing”'],
  ['is:broken', 'No link was checked yet'],
  ['my tags', 'The most used tags: languages (2), to-read (1).']
])('%s finds nothing, and the hint says %j', (words, hint) => {
  expect(find(words)).toMatchObject({ bookmarks: [], note: expect.stringContaining(hint) })
})

test('two tags that no bookmark has together are offered as alternatives', () => {
  const library = shelf()
  library.saveBookmarks(PRIVATE, [link('https://a.example/', { title: 'x', tags: ['solo'] })])
  const { note } = library.searchBookmarks(PROFILE, { tags: ['solo', 'languages'], page: 1, limit: 5 })
  expect(note).toContain('search for “tag:solo OR tag:languages” without tags beside it: 3 bookmarks match.')
})

test('an order alone sorts everything, or what filters beside it let pass', () => {
  const library = shelf()
  const first = (query: object) => library.searchBookmarks(PROFILE, { page: 1, limit: 1, ...query }).bookmarks[0]?.title
  expect(first({ words: 'order:oldest' })).toBe('Opensoundcontrol')
  expect(first({ words: 'order:oldest', tags: ['languages'] })).toBe('Go sources')
})

test('the hint knows a site by its name', () => {
  expect(find('site:github "zzznothing"').note).not.toContain('No bookmark has the domain')
})

test('a list of everything and an export of it have the same bookmarks', () => {
  expect(shelf().matchingIds({ words: '*', trash: 'without' })).toHaveLength(9)
})

test('a star alone lists the newest, and filters alone are sorted by date', () => {
  expect(find('*').bookmarks).toHaveLength(5)
  expect(find('tag:languages').bookmarks.map(({ title }) => title)).toEqual(['Rust book', 'Go sources'])
  expect(find('tag:languages order:oldest').bookmarks.map(({ title }) => title)).toEqual(['Go sources', 'Rust book'])
})

test('titles that begin with what is typed come first, the shortest first', () => {
  expect(find('un', true).bookmarks[0]?.title).toBe('Unicorn drawing app')
  expect(find('op', true).bookmarks.map(({ title }) => title)).toEqual([
    'Opensoundcontrol',
    'Open sound control server'
  ])
})
