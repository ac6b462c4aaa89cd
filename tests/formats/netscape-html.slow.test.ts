import { expect, test } from 'vitest'
import type { ImportedEntry, ImportedRecord } from '../../src-main/contract/import-format.ts'
import type { ImportReport } from '../../src-main/contract/import-report.ts'
import { netscapeHtml } from '../../src-main/formats/netscape-html.ts'
import { callTool, makeKey, testService } from '../support/service.ts'

const CHROME = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1600000000" LAST_MODIFIED="1600000001" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
    <DL><p>
        <DT><A HREF="https://a.example/bar" ADD_DATE="1600000002" ICON="data:image/png;base64,iVBORw0KGgo=">On the bar</A>
        <DT><H3 ADD_DATE="1600000003" LAST_MODIFIED="0">Work</H3>
        <DL><p>
            <DT><A HREF="https://a.example/?q=%22x%22&a=1" ADD_DATE="1600000004">Quotes &quot;and&quot; &lt;tags&gt; &amp; more</A>
            <DT><H3 ADD_DATE="1600000005" LAST_MODIFIED="0">2024/Q1</H3>
            <DL><p>
                <DT><A HREF="https://a.example/deep" ADD_DATE="1600000006"></A>
            </DL><p>
            <DT><A HREF="https://a.example/after" ADD_DATE="1600000007">After the folder</A>
        </DL><p>
    </DL><p>
    <DT><A HREF="https://a.example/other" ADD_DATE="1600000008">Among the others</A>
</DL><p>
`.replaceAll('\n', '\r\n')

const FIREFOX = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'self'; script-src 'none'; img-src data: *; object-src 'none'"></meta>
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>

<DL><p>
    <DT><A HREF="https://a.example/menu" ADD_DATE="1600000000" LAST_MODIFIED="1600000001" ICON_URI="fake-favicon-uri:x" SHORTCUTURL="m" TAGS="rust,read later">In the menu</A>
    <DD>What it is about, with <b>bold</b> words
    <HR>    <DT><H3 ADD_DATE="1600000002" LAST_MODIFIED="1600000003">Recipes</H3>
    <DD>Things to cook
    <DL><p>
        <DT><A HREF="https://a.example/soup" ADD_DATE="1600000004" LAST_MODIFIED="1600000005">Soup</A>
        <HR>        <DT><A HREF="place:sort=8&maxResults=10" ADD_DATE="1600000006" LAST_MODIFIED="1600000007">Most visited</A>
    </DL><p>
    <DT><H3 ADD_DATE="1600000008" LAST_MODIFIED="1600000009" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks Toolbar</H3>
    <DD>Add bookmarks to this folder to see them displayed on the Bookmarks Toolbar
    <DL><p>
        <DT><A HREF="https://a.example/toolbar" ADD_DATE="1600000010" LAST_MODIFIED="1600000011">On the toolbar</A>
    </DL><p>
    <DT><H3 ADD_DATE="1600000012" LAST_MODIFIED="1600000013" UNFILED_BOOKMARKS_FOLDER="true">Other Bookmarks</H3>
    <DL><p>
        <DT><A HREF="https://a.example/unfiled" ADD_DATE="1600000014" LAST_MODIFIED="1600000015">Unfiled</A>
    </DL><p>
</DL>
`

const LINKDING = [
  '<!DOCTYPE NETSCAPE-Bookmark-file-1>',
  '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">',
  '<TITLE>Bookmarks</TITLE>',
  '<H1>Bookmarks</H1>',
  '<DL><p>',
  '<DT><A HREF="https://a.example/?a=1&b=2&copy=3&lt=4" ADD_DATE="1600000000" LAST_MODIFIED="1600000001" PRIVATE="1" TOREAD="0" TAGS="one,two">First</A>',
  '<DD>A description[linkding-notes]Notes of my own[/linkding-notes]',
  '<DT><A HREF="https://a.example/second" ADD_DATE="1600000002" LAST_MODIFIED="1600000003" PRIVATE="0" TOREAD="1" TAGS="">Second</A>',
  '</DL><p>'
].join('\n\r')

/** All items of a file. */
function readAll(file: string): ImportedEntry[] {
  return [...netscapeHtml.read(file)]
}

/** The bookmarks of a file. */
function read(file: string): ImportedRecord[] {
  return readAll(file).filter((entry) => 'url' in entry)
}

/** One bookmark in a file around it. */
function item(line: string): ImportedRecord | undefined {
  return read(`<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${line}\n</DL><p>\n`)[0]
}

test('a Chrome export yields every bookmark with line, date, title and folders', () => {
  expect(read(CHROME)).toEqual([
    {
      line: 11,
      url: 'https://a.example/bar',
      title: 'On the bar',
      description: '',
      tags: [],
      createdAt: 1600000002000,
      dropped: ['icons']
    },
    {
      line: 14,
      url: 'https://a.example/?q=%22x%22&a=1',
      title: 'Quotes "and" <tags> & more',
      description: '',
      tags: ['Work'],
      createdAt: 1600000004000
    },
    {
      line: 17,
      url: 'https://a.example/deep',
      title: '',
      description: '',
      tags: ['Work/2024-Q1'],
      createdAt: 1600000006000
    },
    {
      line: 19,
      url: 'https://a.example/after',
      title: 'After the folder',
      description: '',
      tags: ['Work'],
      createdAt: 1600000007000
    },
    {
      line: 22,
      url: 'https://a.example/other',
      title: 'Among the others',
      description: '',
      tags: [],
      createdAt: 1600000008000
    }
  ])
})

test('a Firefox export yields tags, descriptions and folders; its roots are not tags', () => {
  expect(read(FIREFOX)).toEqual([
    {
      line: 12,
      url: 'https://a.example/menu',
      title: 'In the menu',
      description: 'What it is about, with bold words',
      tags: ['rust', 'read later'],
      createdAt: 1600000000000,
      dropped: ['keywords', 'times of change']
    },
    {
      line: 17,
      url: 'https://a.example/soup',
      title: 'Soup',
      description: '',
      tags: ['Recipes'],
      createdAt: 1600000004000,
      dropped: ['times of change']
    },
    {
      line: 18,
      url: 'place:sort=8&maxResults=10',
      title: 'Most visited',
      description: '',
      tags: ['Recipes'],
      createdAt: 1600000006000,
      dropped: ['times of change']
    },
    {
      line: 23,
      url: 'https://a.example/toolbar',
      title: 'On the toolbar',
      description: '',
      tags: [],
      createdAt: 1600000010000,
      dropped: ['times of change']
    },
    {
      line: 27,
      url: 'https://a.example/unfiled',
      title: 'Unfiled',
      description: '',
      tags: [],
      createdAt: 1600000014000,
      dropped: ['times of change']
    }
  ])
})

test('a linkding export yields addresses as typed, notes, privacy and unread state', () => {
  const [first, second] = read(LINKDING)
  expect(first).toMatchObject({
    line: 6,
    url: 'https://a.example/?a=1&b=2&copy=3&lt=4',
    title: 'First',
    description: 'A description\n\nNotes of my own',
    tags: ['one', 'two'],
    createdAt: 1600000000000,
    isPrivate: true
  })
  expect(second).toMatchObject({ line: 8, title: 'Second', description: '', tags: ['unread'] })
  expect(second?.isPrivate).toBeUndefined()
})

test.for([
  ['what linkding archived', 'TAGS="one,linkding:bookmarks.archived"', { tags: ['one', 'archived'] }],
  ['what Pinboard keeps to be read', 'PRIVATE="0" TOREAD="1" TAGS="one"', { tags: ['one', 'unread'] }],
  ['a favorite of Raindrop’s', 'DATA-COVER="https://a.example/c.png" DATA-IMPORTANT="true"', { tags: ['favorite'] }],
  ['Scuttle’s description', 'description="About &quot;it&quot;" hash="6d3a" tags="x"', { description: 'About "it"' }],
  ['what is private', 'PRIVATE="1"', { isPrivate: true }],
  ['what is not', 'PRIVATE="0"', { isPrivate: undefined }]
] as const)('%s is imported', ([, attributes, found]) => {
  expect(item(`<DT><A HREF="https://a.example/" ${attributes}>A</A>`)).toMatchObject(found)
})

test('separators are counted', () => {
  expect(readAll(FIREFOX).filter((entry) => 'skipped' in entry)).toEqual([
    { line: 14, skipped: 'separators' },
    { line: 18, skipped: 'separators' }
  ])
})

test('Vivaldi’s line between bookmarks is a separator', () => {
  const file =
    '<DL><p><DT><A HREF="http://bookmark.placeholder.url/">---</A>\n<DT><A HREF="https://a.example/">A</A></DL>'
  expect(readAll(file)).toMatchObject([{ line: 1, skipped: 'separators' }, { title: 'A' }])
})

test.for([
  ['one<br>two<BR/>three', 'one two three'],
  ['<p>one</p><p>two</p>', 'one two'],
  ['<ul><li>one<li>two</ul>', 'one two'],
  ['one <b>t</b>wo', 'one two']
] as const)('the description %s is %s', ([html, text]) => {
  expect(item(`<DT><A HREF="https://a.example/">A</A>\n<DD>${html}`)?.description.split(/\s+/).join(' ')).toBe(text)
})

test('a live bookmark without a site uses its feed’s address', () => {
  expect(item('<DT><A FEEDURL="https://a.example/feed">News</A>')).toMatchObject({ url: 'https://a.example/feed' })
})

test('a description element wins over an attribute', () => {
  expect(item('<DT><A HREF="https://a.example/" description="Short">A</A>\n<DD>Long')?.description).toBe('Long')
})

test('a folder name with a comma is one tag', () => {
  const file = '<DL><p><DT><H3>Food, drink</H3><DL><p><DT><A HREF="https://a.example/">A</A></DL></DL>'
  expect(read(file)).toMatchObject([{ tags: ['Food, drink'] }])
})

test('unescaped markup in a description swallows no bookmark', () => {
  const file = `<DL><p>
    <DT><A HREF="https://a.example/1">One <style>x</A>
    <DD>The <script> element, a <textarea> and a <title>
    <DT><A HREF="https://a.example/2">Two <b>bold</A>
    <DD>see <a href="https://b.example/">this</a>, <a>that</a>
    and more
    <DT><A HREF="https://a.example/3">Three</A>
    </DL>`
  expect(read(file)).toMatchObject([
    { url: 'https://a.example/1', title: 'One <style>x' },
    {
      url: 'https://a.example/2',
      title: 'Two bold',
      description: expect.stringMatching(/^see\s+https:\/\/b\.example\/ this, that\n\s*and more$/)
    },
    { url: 'https://a.example/3', title: 'Three' }
  ])
  expect(read(file)[0]?.description).toBe('The <script> element, a <textarea> and a <title>')
})

test.for([
  '<A HREF="https://a.example/0">How to use <!-- in HTML</A>',
  '<A HREF="https://a.example/0">What is <![CDATA[ ?</A>',
  '<A HREF="https://a.example/0">x <! y</A>',
  '<A HREF="https://a.example/0">Why <?php or <?= short tags</A>',
  '<A HREF="https://a.example/0">i<j and <a href=\'x</A>',
  '<A HREF="https://a.example/0">T</A>\n<DD>Use <!-- to comment',
  '<A HREF="https://a.example/0">T</A>\n<DD>Use <input value="a to ask',
  '<A HREF="https://a.example/0">T</A>\n<script>'
])('unfinished markup in a text swallows no bookmark: %s', (text) => {
  const rest = [1, 2, 3].map((number) => `<DT><A HREF='https://a.example/${number}'>it's ${number}</A>`).join('\n')
  const file = `<DL><p>\n<DT>${text}\n${rest}\n</DL>`
  expect(read(file).map(({ url }) => url)).toEqual([0, 1, 2, 3].map((number) => `https://a.example/${number}`))
})

test('comments and markup are removed from a description', () => {
  const line = '<DT><A HREF="https://a.example/">A</A><DD>a <b class="x">bold</b> <i>word</i><br>and <!-- no --> more'
  expect(item(line)?.description).toBe('a bold word and  more')
})

test('fields without a counterpart are reported', () => {
  const line = '<DT><A HREF="https://a.example/" LAST_MODIFIED="1" ICON="data:,x" SHORTCUTURL="m" DATA-COVER="">A</A>'
  expect(item(line)?.dropped).toEqual(['icons', 'keywords', 'times of change'])
})

test.for([
  ['Chrome', CHROME],
  ['Firefox', FIREFOX],
  ['linkding', LINKDING],
  ['lowercase without a doctype', '<dl><p>\n<dt><a href="https://a.example/">A</a>\n</dl>'],
  ['a byte-order mark', `\ufeff${CHROME}`],
  ['a doctype in lower case', '<!doctype netscape-bookmark-file-1>\n']
])('a file is recognized by its beginning: %s', ([, head = '']) => {
  expect(netscapeHtml.recognises(head)).toBe(true)
})

test.for([
  ['an ordinary page', '<!DOCTYPE html><html><body><a href="https://a.example/">A</a></body></html>'],
  ['JSON', '{"roots":{"bookmark_bar":{}}}'],
  ['a web page with a list of terms', '<!DOCTYPE html><dl><dt>Term<dd>About <a href="https://a.example/">it</a></dl>'],
  ['a table with markup in it', 'title,url\n"<dl><dt><a href=x>",https://a.example/'],
  ['a list of addresses', 'https://a.example/\nhttps://b.example/\n'],
  ['nothing', '']
])('%s is not recognized', ([, head = '']) => {
  expect(netscapeHtml.recognises(head)).toBe(false)
})

test('lowercase tags, no doctype, single quotes, no quotes and missing end tags are read', () => {
  const file = `\ufeff<dl><p>
<dt><h3>Work</h3>
<dl><p>
<dt><a href='https://a.example/single' tags='x'>Single
<dt><a href=https://a.example/bare>Bare
<dd>About it
<dt><a href="https://a.example/last">Last`
  expect(read(file)).toEqual([
    { line: 4, url: 'https://a.example/single', title: 'Single', description: '', tags: ['x', 'Work'] },
    { line: 5, url: 'https://a.example/bare', title: 'Bare', description: 'About it', tags: ['Work'] },
    { line: 7, url: 'https://a.example/last', title: 'Last', description: '', tags: ['Work'] }
  ])
})

test('a folder without a name adds nothing to the path', () => {
  const file = `<DL><p><DT><H3>Work</H3><DL><p><DT><H3></H3><DL><p><DT><A HREF="https://a.example/">A</A></DL></DL></DL>`
  expect(read(file)).toMatchObject([{ tags: ['Work'] }])
})

test('two folders of one name both keep their bookmarks, and a bookmark between them is in neither', () => {
  const folder = (path: string) =>
    `<DT><H3>News</H3>\n<DL><p>\n<DT><A HREF="https://a.example/${path}">${path}</A>\n</DL><p>\n`
  const file = `<DL><p>\n${folder('one')}<DT><A HREF="https://a.example/between">between</A>\n${folder('two')}</DL><p>\n`
  expect(read(file).map(({ title, tags }) => [title, ...tags])).toEqual([['one', 'News'], ['between'], ['two', 'News']])
})

test('a folder with a description keeps its name', () => {
  const file = `<DL><p>
<DT><A HREF="https://a.example/before">Before</A>
<DD>About the bookmark
<DT><H3>Work</H3>
<DD>About the folder
<DL><p>
<DT><A HREF="https://a.example/inside">Inside</A>
</DL><p>
<DT><A HREF="https://a.example/after">After</A>
</DL>`
  expect(read(file).map(({ title, description, tags }) => [title, description, ...tags])).toEqual([
    ['Before', 'About the bookmark'],
    ['Inside', '', 'Work'],
    ['After', '']
  ])
})

test.for([
  'https://a.example/?a=1&copy=2',
  'https://a.example/?reg=1&regs=2&region=eu',
  'https://a.example/?lt=1&gt=2&amp=3',
  'https://a.example/?x=1&para=2&not=3&times=4',
  'https://a.example/a%20b%2Fc?d=%26'
])('an unescaped %s in HREF is kept as typed', (url) => {
  expect(item(`<DT><A HREF="${url}">A</A>`)?.url).toBe(url)
})

test('escapes in address, title and description are decoded', () => {
  const record = item(
    '<DT><A HREF="https://a.example/?a=1&amp;b=%20&quot;">&#26085;&#x672C; &eacute;</A>\n<DD>1 &lt; 2'
  )
  expect(record).toMatchObject({ url: 'https://a.example/?a=1&b=%20"', title: '日本 é', description: '1 < 2' })
})

test.for([
  ['1600000000', 1600000000000],
  ['1600000000123', 1600000000123],
  ['1600000000123456', 1600000000123],
  ['1600000000.5', 1600000000500],
  ['13245678900123456', 1601205300123],
  ['13245678900123', 1601205300123],
  ['13245678900', 1601205300000],
  ['0', undefined],
  ['-5', undefined],
  ['', undefined],
  ['yesterday', undefined],
  ['0x10', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
  ['1e300', undefined],
  ['99999999999999999999', undefined],
  ['253402300799999000', 253402300799999],
  ['253402300800000000', undefined],
  ['9999-12-31T23:59:59-05:00', undefined],
  ['0000-01-01T00:00:00+05:00', undefined]
] as const)('the date %s is the time %s', ([text, time]) => {
  const record = item(`<DT><A HREF="https://a.example/" ADD_DATE="${text}">A</A>`)
  expect(record?.createdAt).toBe(time)
  const isUnread = time === undefined && text !== '' && text !== '0'
  expect(record?.dropped).toEqual(isUnread ? ['dates'] : undefined)
})

test('a bookmark without a date has none', () => {
  expect(item('<DT><A HREF="https://a.example/">A</A>')).toMatchObject({ createdAt: undefined })
})

test('a record reports its line, with any line endings and tags across lines', () => {
  const file =
    '<DL><p>\r\n\r\n<DT><A HREF="https://a.example/3">three</A>\n\r<DT><A HREF="https://a.example/4"\n>four</A>\n'
  expect(read(file).map(({ line }) => line)).toEqual([3, 5])
})

// Work that grows with the square of the depth takes minutes here.
const MAX_CPU_MS = 8000

/** Reads a file, and checks the CPU time that it takes. */
function readInTime(file: string, maxMs = MAX_CPU_MS): ImportedEntry[] {
  const started = process.cpuUsage()
  const entries = readAll(file)
  expect(process.cpuUsage(started).user).toBeLessThan(maxMs * 1000)
  return entries
}

test('100,000 nested folders with a bookmark each are read in linear time', () => {
  const folder = '<DT><H3>f</H3>\n<DL><p>\n<DT><A HREF="https://a.example/">A</A>\n'
  const entries = readInTime(folder.repeat(100_000))
  expect(entries).toHaveLength(100_000)
  expect(entries.at(-1)?.line).toBe(300_000)
})

test('a bookmark after 100,000 closed folders is in none of them', () => {
  const folders = '<DT><H3>f</H3><DL><p>'.repeat(100_000) + '</DL><p>'.repeat(100_000)
  expect(readInTime(`${folders}<DL><p><DT><A HREF="https://a.example/">A</A>`)).toMatchObject([
    { title: 'A', tags: [] }
  ])
})

test('descriptions of white space or unclosed notes are read in linear time', () => {
  for (const filling of [' ', '\n', '[linkding-notes]']) {
    const description = `a${filling.repeat(16_000 / filling.length)}b`
    readInTime(`<DT><A HREF="https://a.example/">A</A><DD>${description}${description}\n`.repeat(50), 1000)
  }
})

test('text after linkding’s notes stays after them', () => {
  const text = 'Before \n[linkding-notes]$1 of\nmine[/linkding-notes]after [linkding-notes]'
  expect(item(`<DT><A HREF="https://a.example/">A</A><DD>${text}`)?.description).toBe(
    'Before\n\n$1 of\nmineafter [linkding-notes]'
  )
})

test('a million characters of broken markup are read', () => {
  for (const piece of ['<', '<A ', '<A HREF="', '</DL>', '<DD>', '&', '&#', '<!--', '<H3>']) {
    expect(read(piece.repeat(1_000_000 / piece.length)).every((record) => record.tags.length <= 1)).toBe(true)
  }
})

test.for([
  ['title', `<DT><A HREF="https://a.example/">${'t'.repeat(1_000_000)}</A>`],
  ['title of entities', `<DT><A HREF="https://a.example/">${'&amp;'.repeat(200_000)}</A>`],
  ['description', `<DT><A HREF="https://a.example/">A</A><DD>${'d'.repeat(1_000_000)}`],
  ['address', `<DT><A HREF="https://a.example/${'u'.repeat(1_000_000)}">A</A>`],
  ['list of tags', `<DT><A HREF="https://a.example/" TAGS="${'t,'.repeat(500_000)}">A</A>`],
  ['folder name', `<DT><H3>${'f'.repeat(1_000_000)}</H3><DL><p><DT><A HREF="https://a.example/">A</A>`]
] as const)('an endless %s takes bounded memory', ([, file]) => {
  const [record, ...others] = read(file)
  expect(others).toEqual([])
  expect(JSON.stringify(record).length).toBeLessThan(100_000)
  expect(record?.tags.length).toBeLessThanOrEqual(65)
})

test.for([
  ['a comment', `<!--${'c'.repeat(1_000_000)}-->`],
  ['an attribute that nobody asked for', `<DT x="${'v'.repeat(1_000_000)}">`],
  ['an attribute’s name', `<DT ${'n'.repeat(1_000_000)}="1">`],
  ['a tag’s name', `<${'n'.repeat(1_000_000)}>`],
  ['a tag of many attributes', `<DT ${Array.from({ length: 100_000 }, (_, index) => `a${index}="1"`).join(' ')}>`]
] as const)('%s of a megabyte is skipped, and the next bookmark is read', ([, noise]) => {
  const found = read(`<DL><p>${noise}<DT><A HREF="https://a.example/">A</A>`)
  expect(found).toMatchObject([{ url: 'https://a.example/', title: 'A', tags: [] }])
})

/** Imports a file into a library of its own and gives the report and what is found there. */
async function importFile(file: string): Promise<{ report: ImportReport; search: (words: object) => Promise<Found> }> {
  const service = await testService()
  const key = await makeKey(service)
  const response = await service.fetch(
    new Request('http://127.0.0.1/api/imports', {
      method: 'POST',
      headers: { authorization: `Bearer ${service.commandToken}` },
      body: file
    })
  )
  expect(response.status).toBe(200)
  return {
    report: (await response.json()) as ImportReport,
    search: async (words) => (await callTool(service, key, 'bookmarks.search', words)).payload
  }
}

interface Found {
  total: number
  bookmarks: { url: string; tags?: string[]; createdAt: string }[]
}

test('scripts, data, queries and empty links are rejected with their line and a reason; the rest is imported', async () => {
  const { report, search } = await importFile(`<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><A HREF="https://a.example/good" ADD_DATE="1600000000" TAGS="Rust,rust, #rust">Good</A>
<DT><A HREF="javascript:alert(1)">Bookmarklet</A>
<DT><A HREF="data:text/html,x">Data</A>
<DT><A HREF="place:sort=8&maxResults=10">Most visited</A>
<DT><A>No address</A>
<DT><A HREF="https://">Broken</A>
<DT><A HREF="https://a.example/good?utm_source=x">Good again</A>
</DL><p>
`)
  expect(report).toEqual({
    imported: 1,
    duplicate: 1,
    rejected: 5,
    rejects: [
      { line: 4, name: 'Bookmarklet', reason: 'javascript: cannot be saved, only http and https' },
      { line: 5, name: 'Data', reason: 'data: cannot be saved, only http and https' },
      { line: 6, name: 'Most visited', reason: 'place: cannot be saved, only http and https' },
      { line: 7, name: 'No address', reason: 'no address' },
      { line: 8, name: 'Broken', reason: 'not an address' }
    ],
    repeated: 1,
    merged: 1,
    undo: 1
  })
  expect(await search({})).toMatchObject({
    total: 1,
    bookmarks: [{ url: 'https://a.example/good', tags: ['Rust'], createdAt: '2020-09-13T12:26:40.000Z' }]
  })
})

test('a bookmark with an impossible date does not affect others', async () => {
  const { report, search } = await importFile(`<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><A HREF="https://a.example/one" ADD_DATE="1600000000">One</A>
<DT><A HREF="https://a.example/two" ADD_DATE="1e300">Two</A>
<DT><A HREF="https://a.example/three" ADD_DATE="900000000000000000">Three</A>
</DL><p>
`)
  expect(report).toMatchObject({ imported: 3, rejected: 0 })
  expect(await search({})).toMatchObject({ total: 3 })
})

test('an export with a byte-order mark is imported', async () => {
  const { report, search } = await importFile(`\ufeff${CHROME}`)
  expect(report).toEqual({ imported: 5, duplicate: 0, rejected: 0, rejects: [], dropped: { icons: 1 }, undo: 1 })
  expect(await search({ tags: 'work/2024-q1' })).toMatchObject({ bookmarks: [{ url: 'https://a.example/deep' }] })
})
