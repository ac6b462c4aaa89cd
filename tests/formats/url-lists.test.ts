import { expect, test } from 'vitest'
import { formats } from '../../src-main/formats/formats.ts'
import { readLaterHtml } from '../../src-main/formats/html.ts'
import { pinboardJson, pinboardXml } from '../../src-main/formats/services.ts'
import { oneTab, unnamedTable, urlList } from '../../src-main/formats/url-lists.ts'
import { expectFormat, read } from './reading.ts'

test('OneTab is split at the first bar between spaces', () => {
  const file = `https://a.example/?a=b|c | A page | about bars

https://b.example/
https://c.example/ |${' '}
`
  expect(expectFormat(oneTab, file)).toEqual([
    { line: 1, url: 'https://a.example/?a=b|c', title: 'A page | about bars', description: '', tags: [] },
    { line: 3, url: 'https://b.example/', title: '', description: '', tags: [] },
    { line: 4, url: 'https://c.example/', title: '', description: '', tags: [] }
  ])
})

test('a URL list has one address per line, comments and blank lines', () => {
  const file = '# mine\r\nhttps://a.example/\r\n\r\n  # more\r\nhttps://b.example/#part\r\njavascript:alert(1)'
  expect(expectFormat(urlList, file)).toEqual([
    { line: 2, url: 'https://a.example/', title: '', description: '', tags: [] },
    { line: 5, url: 'https://b.example/#part', title: '', description: '', tags: [] },
    { line: 6, url: 'javascript:alert(1)', title: '', description: '', tags: [] }
  ])
})

test('Pocket’s HTML yields its lists as states, with tags and dates', () => {
  const file = `<!DOCTYPE html>
<html><head><title>Pocket Export</title></head><body>
<h1>Unread</h1>
<ul>
<li><a href="https://a.example/?a=1&amp;b=2" time_added="1700000000" tags="one,two words">A &amp; page</a></li>
<li><a href="https://b.example/" time_added="1700000001" tags="">https://b.example/</a></li>
</ul>
<h1>Read Archive</h1>
<ul><li><a href="https://c.example/" time_added="1700000002" tags="">C</a></li></ul>
</body></html>`
  expect(expectFormat(readLaterHtml, file)).toEqual([
    {
      line: 5,
      url: 'https://a.example/?a=1&b=2',
      title: 'A & page',
      description: '',
      tags: ['one', 'two words', 'unread'],
      createdAt: 1700000000000
    },
    { line: 6, url: 'https://b.example/', title: '', description: '', tags: ['unread'], createdAt: 1700000001000 },
    { line: 9, url: 'https://c.example/', title: 'C', description: '', tags: ['archived'], createdAt: 1700000002000 }
  ])
})

test('Instapaper’s HTML yields its folders as states or tags', () => {
  const file = `<!DOCTYPE html><title>Instapaper: Export</title>
<h1>Starred</h1><ol><li><a href="https://a.example/">A</a></ol>
<h1>Recipes</h1><ol><li><a href="https://b.example/">B</a></ol>`
  expect(expectFormat(readLaterHtml, file)).toMatchObject([
    { url: 'https://a.example/', title: 'A', tags: ['favorite'] },
    { url: 'https://b.example/', title: 'B', tags: ['Recipes'] }
  ])
})

const PINBOARD = {
  href: 'https://a.example/',
  description: 'A "page"',
  extended: 'About it',
  time: '2024-05-01T10:00:00Z',
  shared: 'no',
  toread: 'yes'
}
const FROM_PINBOARD = {
  url: 'https://a.example/',
  title: 'A "page"',
  description: 'About it',
  tags: ['one', 'two', 'unread'],
  createdAt: Date.UTC(2024, 4, 1, 10),
  isPrivate: true
}

test('Pinboard’s JSON yields titles, notes, tags, privacy and unread state', () => {
  expect(expectFormat(pinboardJson, JSON.stringify([{ ...PINBOARD, tags: 'one two' }]))).toEqual([FROM_PINBOARD])
})

test('Pinboard’s XML (the format of Delicious) yields the same', () => {
  const attributes = Object.entries({ ...PINBOARD, tag: 'one two' })
    .map(([name, value]) => `${name}="${value.replaceAll('"', '&quot;')}"`)
    .join(' ')
  const file = `<?xml version="1.0" encoding="UTF-8"?><posts user="me"><post ${attributes} hash="x"/></posts>`
  expect(expectFormat(pinboardXml, file)).toEqual([{ ...FROM_PINBOARD, line: 1 }])
})

test.each([
  ['any JSON with bookmarks', '{"bookmarks":[{"url":"https://a.example/"}]}'],
  ['any JSON with a root', '{"root":{"url":"https://a.example/"}}'],
  ['any JSON with collections', '{"collections":[{"items":[{"url":"https://a.example/"}]}]}'],
  ['a table without names of columns', 'https://a.example/,2024-01-01\nhttps://b.example/,2024-01-02\n'],
  ['a letter with a link in it', 'Dear diary,\ntoday I read https://a.example/ and liked it.\nBye'],
  ['passwords', 'Title,URL,Username,Password,Notes,OTPAuth\nA,https://a.example/,me,secret,,'],
  ['a history', '{"metadata":{"data_type":"history"},"history":[{"url":"https://a.example/"}]}']
])('%s is not recognized', (_, file) => {
  expect(formats.filter((format) => format.recognises(file)).map(({ id }) => id)).toEqual([])
})

test.each([
  ['commas', 'https://a.example/1,Rust,lang\nhttps://a.example/2,Go,lang\n', true],
  ['semicolons', 'https://a.example/1;Rust;lang\nhttps://a.example/2;Go;lang\n', true],
  ['bars', 'https://a.example/1|Rust|lang\nhttps://a.example/2|Go|lang\n', true],
  ['tabs', 'https://a.example/1\tRust\tlang\nhttps://a.example/2\tGo\tlang\n', true],
  ['quotes', '"https://a.example/1","Rust","lang"\n"https://a.example/2","Go","lang"\n', true],
  ['nothing behind the address', 'https://a.example/1,Rust\nhttps://a.example/2,Go\n', false]
])('a table without column names, with %s, yields addresses and titles', (_, file, hasMore) => {
  const dropped = hasMore ? ['other columns'] : undefined
  expect(expectFormat(unnamedTable, file)).toMatchObject([
    { line: 1, url: 'https://a.example/1', title: 'Rust', dropped },
    { line: 2, url: 'https://a.example/2', title: 'Go', dropped }
  ])
})

test('a title with spaces or non-ASCII letters makes a single row a table', () => {
  expect(expectFormat(unnamedTable, 'https://a.example/1,The book\n')).toMatchObject([{ title: 'The book' }])
})

test.each([
  ['https://a.example/x,Rust\n'],
  ['https://a.example/;v=1\nhttps://a.example/,Rust\n'],
  ['https://a.example/Portland,_Oregon\nhttps://b.example/a,1.html\nhttps://c.example/\n']
])('addresses with commas are not read as rows of a table: %s', (file) => {
  expect(unnamedTable.recognises(file)).toBe(false)
})

test('white space within a list’s line is rejected', () => {
  expect(read(urlList, 'https://a.example/ b\n')).toMatchObject([{ fault: expect.stringContaining('white space') }])
})

test('a list of addresses with commas is a URL list', () => {
  const file = 'https://a.example/article-1,2.html\nhttps://b.example/@1.5,2.5,7z\n'
  expect(expectFormat(urlList, file)).toHaveLength(2)
})
