import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instapaperCsv, otherCsv, pocketCsv, raindropCsv } from '../../src-main/formats/csv-formats.ts'
import { CsvRows } from '../../src-main/formats/csv-rows.ts'
import { runs } from '../support/runs.ts'
import { expectFormat, read } from './reading.ts'

function cells(...pieces: string[]): string[][] {
  const rows = new CsvRows()
  return [...pieces.flatMap((piece) => rows.write(piece)), ...rows.end()].map((row) => row.cells)
}

test('Raindrop gives notes, highlights, favorites, tags and folders, over quoted line breaks', () => {
  const file = `id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite
1,"A ""page"", quoted","My
note",About it,https://a.example/,Work/Client,"one, two",2024-05-01T10:00:00.000Z,https://a.example/cover.png,"Highlight:One
Note:Mine",false
2,B,,,https://b.example/,Unsorted,,2024-05-02T10:00:00.000Z,,,true
`
  expect(expectFormat(raindropCsv, file)).toEqual([
    {
      line: 2,
      url: 'https://a.example/',
      title: 'A "page", quoted',
      description: 'My\nnote\n\nAbout it\n\nHighlight:One\nNote:Mine',
      tags: ['one', 'two', 'Work/Client'],
      createdAt: Date.UTC(2024, 4, 1, 10),
      dropped: ['cover pictures']
    },
    {
      line: 5,
      url: 'https://b.example/',
      title: 'B',
      description: '',
      tags: ['favorite'],
      createdAt: Date.UTC(2024, 4, 2, 10)
    }
  ])
})

test('Raindrop’s older export lacks columns and has others elsewhere', () => {
  const file = 'title,url,created,tags,folder,note,excerpt\r\nA,https://a.example/,2024-05-01T10:00:00Z,one,Work,,\r\n'
  expect(expectFormat(raindropCsv, file)).toMatchObject([{ url: 'https://a.example/', tags: ['one', 'Work'] }])
})

test('Pocket gives tags, dates and what is unread or archived, and no title that is the address', () => {
  const file = `title,url,time_added,cursor,tags,status
A page,https://a.example/,1700000000,,one|two words,unread
https://b.example/,https://b.example/,1700000001,,,archive
`
  expect(expectFormat(pocketCsv, file)).toEqual([
    {
      line: 2,
      url: 'https://a.example/',
      title: 'A page',
      description: '',
      tags: ['one', 'two words', 'unread'],
      createdAt: 1700000000000
    },
    { line: 3, url: 'https://b.example/', title: '', description: '', tags: ['archived'], createdAt: 1700000001000 }
  ])
})

test('Instapaper gives its folders as states or tags, and what was marked', () => {
  const file = `URL,Title,Selection,Folder,Timestamp,Tags
https://a.example/,A page,Some words,Unread,1700000000,"[""one"", ""two""]"
https://b.example/,B,,Archive,1700000001,[]
https://c.example/,C,,Recipes,1700000002,
`
  expect(expectFormat(instapaperCsv, file)).toEqual([
    {
      line: 2,
      url: 'https://a.example/',
      title: 'A page',
      description: 'Some words',
      tags: ['one', 'two', 'unread'],
      createdAt: 1700000000000
    },
    { line: 3, url: 'https://b.example/', title: 'B', description: '', tags: ['archived'], createdAt: 1700000001000 },
    { line: 4, url: 'https://c.example/', title: 'C', description: '', tags: ['Recipes'], createdAt: 1700000002000 }
  ])
})

test.each([
  ['an address and a date', 'url,created\nhttps://a.example/,2024-01-01\n', { createdAt: Date.UTC(2024, 0, 1) }],
  ['an address alone', 'URL\nhttps://a.example/\n', {}],
  ['names in another order', 'Name;Labels;Link\nA;"x, y";https://a.example/\n', { title: 'A', tags: ['x', 'y'] }],
  ['tabs', 'title\tnotes\turl\nA\tSo\thttps://a.example/\n', { title: 'A', description: 'So' }],
  [
    'Readwise Reader',
    'Title,URL,ID,Document tags,Saved date,Reading progress\nA,https://a.example/,1,"[""x""]",2024-01-01 00:00:00+00:00,0.5\n',
    { title: 'A', tags: ['x'], createdAt: Date.UTC(2024, 0, 1), dropped: ['other columns'] }
  ],
  [
    'an author',
    'url,author,private\nhttps://a.example/,A. Writer,1\n',
    { description: 'By A. Writer', isPrivate: true }
  ]
] as const)('a table with %s is read by the names of its columns', (_, file, record) => {
  const found = expectFormat(otherCsv, file)
  expect(found).toMatchObject([{ url: 'https://a.example/', ...record }])
})

test('a quote that is never closed is told; what stands before it is read', () => {
  const file =
    'title,url,time_added,tags,status\nA,https://a.example/,1,,\n"B,https://b.example/,1,,\nC,https://c.example/,1,,\n'
  const found = read(pocketCsv, file)
  expect(found).toHaveLength(2)
  expect(found[1]).toMatchObject({ line: 3, fault: expect.stringMatching(/never closed/) })
})

test('a cell without end is held only as far as it can be stored', () => {
  const rows = new CsvRows()
  rows.write('"')
  for (let times = 0; times < 50; times += 1) rows.write('x'.repeat(1_000_000))
  expect(rows.end()[0]?.cells[0]?.length).toBeLessThan(3_000_000)
})

test('rows are those that an independent reader finds, whatever the pieces', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '😀', ' ', ',', '"', '\n', '\r\n', "'", '='), maxLength: 6 })
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(
      table,
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.nat({ max: 200 }), { maxLength: 5 }),
      (rows, end, cuts) => {
        const text = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join(end)
        expect(parse(text, { relax_column_count: true })).toEqual(rows)
        const places = [0, ...cuts.filter((at) => at < text.length).sort((a, b) => a - b), text.length]
        const pieces = places.slice(1).map((to, index) => text.slice(places[index], to))
        expect(cells(...pieces)).toEqual(rows)
      }
    ),
    { numRuns: runs(300, 20_000) }
  )
})

test('cells without quotes may hold quotes, and a lone carriage return ends a line', () => {
  expect(cells('a,b"c,d\re,f\n\n\r\ng')).toEqual([['a', 'b"c', 'd'], ['e', 'f'], ['g']])
})
