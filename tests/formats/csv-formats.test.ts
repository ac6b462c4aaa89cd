import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvRows, UNCLOSED } from '../../src-main/formats/csv.ts'
import { earmarkCsv, instapaperCsv, otherCsv, pocketCsv, raindropCsv } from '../../src-main/formats/csv-formats.ts'
import { writeCsv } from '../../src-main/formats/exports.ts'
import { unnamedTable } from '../../src-main/formats/url-lists.ts'
import { runs } from '../support/runs.ts'
import { expectFormat, read } from './reading.ts'

function cells(text: string): string[][] {
  return [...csvRows(text)].map((row) => row.cells)
}

test('Raindrop yields notes, highlights, favorites, tags and folders, across quoted line breaks', () => {
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
      description: 'My\nnote\n\nAbout it',
      highlights: [{ quote: 'One', note: 'Mine', color: '' }],
      tags: ['one', 'two', 'Work/Client'],
      createdAt: Date.UTC(2024, 4, 1, 10),
      dropped: ['cover pictures']
    },
    {
      line: 5,
      url: 'https://b.example/',
      title: 'B',
      description: '',
      highlights: [],
      tags: ['favorite'],
      createdAt: Date.UTC(2024, 4, 2, 10)
    }
  ])
})

test('Raindrop’s older export with fewer columns in another order is read', () => {
  const file = 'title,url,created,tags,folder,note,excerpt\r\nA,https://a.example/,2024-05-01T10:00:00Z,one,Work,,\r\n'
  expect(expectFormat(raindropCsv, file)).toMatchObject([{ url: 'https://a.example/', tags: ['one', 'Work'] }])
})

test('Pocket yields tags, dates and states, and drops titles that are the address', () => {
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

test('Instapaper yields folders as states or tags, and highlights', () => {
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
      description: '',
      highlights: [{ quote: 'Some words' }],
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
    { title: 'A', tags: ['x'], createdAt: Date.UTC(2024, 0, 1), dropped: ['reading positions'] }
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

test('an unclosed quote is reported, and the rows before it are read', () => {
  const file =
    'title,url,time_added,tags,status\nA,https://a.example/,1,,\n"B,https://b.example/,1,,\nC,https://c.example/,1,,\n'
  const found = read(pocketCsv, file)
  expect(found).toHaveLength(2)
  expect(found[1]).toMatchObject({ line: 3, fault: expect.stringMatching(/never closed/) })
})

test('an endless cell is kept up to the stored length', () => {
  const [row] = csvRows(`"${'x'.repeat(50_000_000)}`)
  expect(row?.cells[0]?.length).toBeLessThan(3_000_000)
})

test('rows equal those of an independent reader', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '😀', ' ', ',', '"', '\n', '\r\n', "'", '='), maxLength: 6 })
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, end) => {
      const text = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join(end)
      expect(parse(text, { relax_column_count: true })).toEqual(rows)
      expect(cells(text)).toEqual(rows)
    }),
    { numRuns: runs(300, 20_000) }
  )
})

test('a row has the line it begins in, whatever the line ends', () => {
  const text = 'a,b\r\n\r\n"c\r\nd",e\rf\n\n"g""\nh"'
  expect([...csvRows(text)].map(({ line, cells: [first] }) => [line, first])).toEqual([
    [1, 'a'],
    [3, 'c\r\nd'],
    [5, 'f'],
    [7, 'g"\nh']
  ])
})

test('unquoted cells may contain quotes, and a lone carriage return ends a line', () => {
  expect(cells('a,b"c,d\re,f\n\n\r\ng')).toEqual([['a', 'b"c', 'd'], ['e', 'f'], ['g']])
})

describe('a date in a table', () => {
  const NEW_YEARS_EVE = Date.UTC(2023, 11, 31)
  const TEN = NEW_YEARS_EVE + 10 * 3_600_000

  test.each([
    ['12/31/2023', NEW_YEARS_EVE],
    ['31/12/2023', NEW_YEARS_EVE],
    ['31-12-2023', NEW_YEARS_EVE],
    ['31.12.2023', NEW_YEARS_EVE],
    ['1.2.2023', Date.UTC(2023, 1, 1)],
    ['2023/12/31', NEW_YEARS_EVE],
    ['20231231', NEW_YEARS_EVE],
    ['45291', NEW_YEARS_EVE],
    ['45291.4166666667', TEN],
    ['Dec 31, 2023', NEW_YEARS_EVE],
    ['December 31st, 2023 at 10:00 AM', TEN],
    ['31 Dec 2023', NEW_YEARS_EVE],
    ['Sun, 31 Dec 2023 12:00:00 +0200', TEN],
    ['Sun, 31 Dec 2023 10:00:00 GMT', TEN],
    ['Sun Dec 31 2023 12:00:00 GMT+0200 (Eastern European Time)', TEN],
    ['2023-12-31 10:00:00 UTC', TEN],
    ['2023-12-31 10:00:00 +0000 UTC', TEN],
    ['2023-12-31 10:00:00+00', TEN],
    ['12/31/2023 10:00 AM', TEN],
    ['12/31/2023, 10:00:00 PM', TEN + 12 * 3_600_000],
    ['2023-12-31T10:00:00.000000', TEN],
    ['1704016800.123', TEN + 123]
  ])('is read if it has one meaning: %s', (cell, time) => {
    expect(expectFormat(otherCsv, `url,created\nhttps://a.example/,"${cell}"\n`)).toMatchObject([
      { createdAt: time, dropped: undefined }
    ])
  })

  test.each(['1/2/2023', 'last week', '13/13/2023', '2023-02-31', '2023', '12/31/2023 25:00', '31.12.23'])(
    'is counted as left out if it has none or two: %s',
    (cell) => {
      expect(expectFormat(otherCsv, `url,created\nhttps://a.example/,${cell}\n`)).toMatchObject([
        { createdAt: undefined, dropped: ['dates'] }
      ])
    }
  )

  test('is read in the order that other rows of its column show', () => {
    const table = (...dates: string[]) =>
      ['url,created', ...dates.map((date) => `https://a.example/,${date}`)].join('\n')
    const times = (...dates: string[]) => expectFormat(otherCsv, table(...dates)).map(({ createdAt }) => createdAt)
    expect(times('1/2/2023', '31/12/2023')).toEqual([Date.UTC(2023, 1, 1), NEW_YEARS_EVE])
    expect(times('1/2/2023', '12/31/2023')).toEqual([Date.UTC(2023, 0, 2), NEW_YEARS_EVE])
    expect(times('1/2/2023', '12/31/2023', '31/12/2023')).toEqual([undefined, NEW_YEARS_EVE, NEW_YEARS_EVE])
  })
})

test('cells of columns with the same meaning are merged or counted', () => {
  const file = `url,link,title,name,tags,labels,folder,collection,created,saved,favorite,starred,content
https://a.example/,https://b.example/,T,Other,a,b,F/1,C,2020-01-01,2021-01-01,false,true,
https://c.example/,,T,T,a,,,,2020-01-01,2020-01-01,,,The text
`
  expect(expectFormat(otherCsv, file)).toMatchObject([
    {
      url: 'https://a.example/',
      title: 'T',
      tags: ['a', 'b', 'favorite', 'F/1', 'C'],
      createdAt: Date.UTC(2020, 0, 1),
      dropped: ['dates', 'other columns']
    },
    { url: 'https://c.example/', dropped: ['other columns'] }
  ])
})

test('Readwise Reader yields Python-style tag lists, and locations as states', () => {
  const file = `Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen
A,https://a.example/,1,"['a', ""b's"", 'c, d']",2023-05-06 07:08:09.123456+00:00,0,archive,
B,https://b.example/,2,[],2023-05-06 07:08:09+00:00,0,new,
C,https://c.example/,3,,2023-05-06 07:08:09+00:00,0,feed,
`
  expect(expectFormat(otherCsv, file)).toMatchObject([
    { tags: ['a', "b's", 'c, d', 'archived'], createdAt: Date.UTC(2023, 4, 6, 7, 8, 9, 123), dropped: undefined },
    { tags: ['unread'] },
    { tags: [], dropped: undefined }
  ])
})

test.each([
  ['raindrop', 'title,note,excerpt,url,folder,created\nA,,,https://a.example/,A / B / C,\n', 'A/B/C'],
  ['csv', 'url,folder\nhttps://a.example/,/A /B/\n', 'A/B']
])('%s yields folder paths without spaces around slashes', (id, file, tag) => {
  const format = [raindropCsv, otherCsv].find((one) => one.id === id) ?? otherCsv
  expect(expectFormat(format, file)).toMatchObject([{ tags: [tag] }])
})

test('Earmark’s CSV round-trips', () => {
  const bookmark = {
    id: 'a',
    type: 'link' as const,
    url: 'https://a.example/',
    title: 'A',
    description: '',
    content: '',
    tags: [] as string[],
    picture: null,
    domain: null,
    visibility: 'private' as const,
    organization: null,
    createdAt: Date.UTC(2024, 0, 1),
    updatedAt: Date.UTC(2024, 0, 2),
    deletedAt: null
  }
  const all = [
    { ...bookmark, title: '=1+1', description: "'@x", tags: ['=tag', 'a, b', 'say "x"', '"y"', 'c;d|e'] },
    { ...bookmark, type: 'text' as const, content: '-1\nof a text', visibility: 'public' as const },
    { ...bookmark, type: 'color' as const, url: null, content: '#ff0000' }
  ]
  const UNREAD = { highlights: [], place: null }
  const writer = writeCsv.writer(0)
  const file =
    writer.begin() + all.map((one) => writer.bookmark(one as Parameters<typeof writer.bookmark>[0], UNREAD)).join('')
  const found = expectFormat(earmarkCsv, file)
  expect(
    found.map(({ type, title, description, content, tags }) => ({ type, title, description, content, tags }))
  ).toEqual(all.map(({ type, title, description, content, tags }) => ({ type, title, description, content, tags })))
  expect(found).toMatchObject([
    { url: 'https://a.example/', createdAt: bookmark.createdAt, isPrivate: true, dropped: ['times of change'] },
    { url: 'https://a.example/', isPrivate: undefined },
    { url: '' }
  ])
})

test('Excel’s separator line is skipped', () => {
  expect(expectFormat(otherCsv, 'sep=;\r\nurl;title\r\nhttps://a.example/;One, two\r\n')).toMatchObject([
    { url: 'https://a.example/', title: 'One, two' }
  ])
  expect(expectFormat(otherCsv, 'url|title|tags\nhttps://a.example/|One|a,b\n')).toMatchObject([
    { url: 'https://a.example/', title: 'One', tags: ['a', 'b'] }
  ])
})

test('rows enclosed by a stray quote are counted', () => {
  const file = `url,title
https://a.example/1,"never closed
https://a.example/2,b
https://a.example/3,c
https://a.example/4,"d"
https://a.example/5,e
`
  const rows = expectFormat(otherCsv, file)
  expect(rows.map(({ url }) => url)).toEqual(['https://a.example/1', 'https://a.example/5'])
  expect(rows[0]?.dropped).toEqual(['rows inside quotes', 'rows inside quotes', 'rows inside quotes'])
  expect(rows[1]?.dropped).toBeUndefined()
  const [record] = expectFormat(otherCsv, file.replace('"d"', 'd'))
  expect(record?.fault).toBe(`${UNCLOSED}. Rows after it that are lost: at least 4`)
})

test.each([
  ['a first line without an end', otherCsv, `url,title,${'x '.repeat(100_000)}`],
  ['a first row without an end', unnamedTable, `https://a.example/,${'x '.repeat(100_000)}`],
  [
    'a thousand columns and short rows',
    otherCsv,
    `url,${'title,'.repeat(1000)}\n${'https://a.example/\n'.repeat(30_000)}`
  ]
])('%s takes linear time', (_, format, file) => {
  const begun = process.cpuUsage()
  read(format, file)
  expect(process.cpuUsage(begun).user).toBeLessThan(3_000_000)
})
