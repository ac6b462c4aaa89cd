import { EpubCheck } from '@likecoin/epubcheck-ts'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { createBookmark } from '../../src-main/actions/bookmarks/save-bookmarks.ts'
import { exportLibrary } from '../../src-main/actions/imports/export-library.ts'
import type { Bookmark } from '../../src-main/contract/bookmark.ts'
import { MAX_CHAPTERS, type ReadableBookmark } from '../../src-main/contract/library-export.ts'
import { writeEpub } from '../../src-main/formats/epub.ts'
import { pageTextOf } from '../../src-main/markdown/blocks.ts'
import { xhtmlOf } from '../../src-main/markdown/to-xhtml.ts'
import { tokensOf, webAddress } from '../../src-main/markdown/tokens.ts'
import { testPorts } from '../actions/ports.ts'
import { PAYLOADS } from '../support/payloads.ts'

interface Page {
  title?: string
  markdown?: string | null
  text?: string
  url?: string
  language?: string
}

/** A picture of one pixel. */
const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
const PICTURE = 'https://a.example/kept.png'

async function bookOf(pages: Page[], count = pages.length): Promise<Record<string, string>> {
  async function* bookmarks(): AsyncGenerator<ReadableBookmark> {
    for (const { title = 'Title', markdown = null, text = '', url = 'https://a.example/', language } of pages) {
      const bookmark = { type: 'link', title, url, domain: 'a.example', createdAt: 0 } as Bookmark
      const page = markdown === null ? { text, markdown } : pageTextOf(markdown)
      const picture = async (address: string) => (address === PICTURE ? WEBP : undefined)
      yield { bookmark, highlights: [], page, picture, language: async () => language ?? null }
    }
  }
  const pieces: Uint8Array[] = []
  for await (const piece of writeEpub.write(bookmarks(), count, Date.UTC(2026, 0, 1))) pieces.push(piece)
  return checked(Buffer.concat(pieces))
}

/** Returns the files of a book in which epubcheck finds no error and no warning. */
async function checked(book: Uint8Array): Promise<Record<string, string>> {
  expect(Buffer.from(book.subarray(30, 58)).toString()).toBe('mimetypeapplication/epub+zip')
  const { messages } = await EpubCheck.validate(book)
  expect(messages.filter(({ severity }) => ['fatal', 'error', 'warning'].includes(severity))).toEqual([])
  const files = Object.entries(unzipSync(book))
  return Object.fromEntries(files.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
}

/** The attributes that elements of a chapter have. No element is missing here. */
const ALLOWED: Record<string, string[]> = {
  ...Object.fromEntries(
    'head title h1 h2 h3 h4 h5 h6 blockquote ul li table thead tbody tr th td code strong em del br hr'
      .split(' ')
      .map((name) => [name, []])
  ),
  html: ['xmlns', 'xmlns:epub', 'lang', 'xml:lang'],
  link: ['rel', 'type', 'href'],
  body: ['dir'],
  p: ['class'],
  pre: ['dir'],
  ol: ['start'],
  a: ['href'],
  img: ['src', 'alt']
}

function expectHarmless(chapter: string): void {
  for (const [, name = '', attributes = ''] of chapter.matchAll(/<([a-z][^\s/>]*)((?:\s+[\w:]+="[^"]*")*)\s*\/?>/g)) {
    const values = [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)]
    expect(ALLOWED[name], name).toEqual(expect.arrayContaining(values.map(([, attribute]) => attribute)))
    for (const [, attribute, value = ''] of values) {
      if (name === 'a') expect(value).toMatch(/^https?:\/\//)
      if (attribute === 'src') expect(value).toMatch(/^pictures\/[\d-]+\.webp$/)
    }
  }
  const rest = chapter.replace(/<\/?[a-z][^\s/>]*(?:\s+[\w:]+="[^"]*")*\s*\/?>|<\?xml[^>]*>|<!DOCTYPE html>/g, '')
  expect(rest).not.toContain('<')
}

test('a book has its texts with their marks, links and stored pictures', async () => {
  const markdown = [
    ...['# Title', '## Part', 'Some *words* in `code`, [a link](https://b.example/?a=1&b=2).', '3. x\n4. y\n   - z'],
    ...['> quoted', '| a | b |\n| - | - |\n| 1 | 2 |', '```js\nlet a = 1 < 2\n```', '---', 'one\\\ntwo'],
    ...[`![A "picture"](${PICTURE})`, '![lost](https://a.example/lost.png)', 'Tom & Jerry &copy; \\* <b>bold</b>']
  ].join('\n\n')
  const files = await bookOf([{ markdown, language: 'de-ch' }, { text: 'One\n\nTwo < 3\fThree' }])
  const chapter = files['EPUB/chapter-1.xhtml'] ?? ''
  expectHarmless(chapter)
  expect(chapter).toContain('lang="de-CH"')
  expect(chapter.match(/Title/g)).toHaveLength(2)
  expect(chapter).toContain(
    '<h3>Part</h3><p>Some <em>words</em> in <code>code</code>, <a href="https://b.example/?a=1&#38;b=2">'
  )
  expect(chapter).toContain('<img src="pictures/1-1.webp" alt="A &#34;picture&#34;"/>')
  expect(chapter).toContain('<p>Tom &#38; Jerry © * bold</p>')
  expect(chapter).not.toContain('lost')
  expect(files['EPUB/chapter-2.xhtml']).toContain('<p>One</p><p>Two &#60; 3</p><p>Three</p>')
  expect(files['EPUB/package.opf']).toContain('<dc:language>de-CH</dc:language>')
})

test('a book of hostile texts is valid, runs nothing and loads nothing', async () => {
  const asMarkdown = PAYLOADS.flatMap((text) => [text, `[${text}](${text})`, `![${text}](${text})`, `[a](<${text}>)`])
  const files = await bookOf([
    ...asMarkdown.map((markdown) => ({ markdown: `Text\n\n${markdown}` })).filter((_, index) => index % 9 === 0),
    { markdown: asMarkdown.join('\n\n') },
    { text: PAYLOADS.join('\n\n'), language: 'x"><script>' },
    ...PAYLOADS.slice(-45).map((title) => ({ title, text: 'Text' })),
    ...['https://a.example/%zz|[]{}^`"<>#a#b', 'javascript:alert(1)', 'http://[::1]/[x]'].map((url) => ({
      url,
      text: 'x'
    }))
  ])
  for (const [name, text] of Object.entries(files)) if (name.includes('/chapter-')) expectHarmless(text)
}, 120_000)

test('a text whose blocks are nested too deeply becomes paragraphs', async () => {
  const page = { markdown: `${'>'.repeat(50_000)} deep`, text: 'deep' }
  async function* bookmarks(): AsyncGenerator<ReadableBookmark> {
    const bookmark = { type: 'link', title: 'A', url: null, domain: null, createdAt: 0 } as Bookmark
    yield { bookmark, highlights: [], page, picture: async () => undefined, language: async () => null }
  }
  const pieces: Uint8Array[] = []
  for await (const piece of writeEpub.write(bookmarks(), 1, 0)) pieces.push(piece)
  expect((await checked(Buffer.concat(pieces)))['EPUB/chapter-1.xhtml']).toContain('<p>deep</p>')
})

test('links do not contain links', () => {
  const html = xhtmlOf(tokensOf('[see <https://d.example/>](https://a.example/)'), () => undefined)
  expect(html).toBe('<p><a href="https://a.example/">see https://d.example/</a></p>')
})

test('web addresses have only characters that RFC 3986 allows', () => {
  expect(webAddress('https://ü.example/[a]|%zz?{x}#a#b')).toBe('https://xn--tda.example/%5Ba%5D%7C%25zz?%7Bx%7D#a%23b')
  expect(webAddress('data:text/html,x')).toBeUndefined()
})

test('the first page says what a book leaves out', async () => {
  const pages = Array.from({ length: MAX_CHAPTERS + 5 }, (_, index) => ({ text: index % 100 === 1 ? '' : 'Text' }))
  const pieces: Uint8Array[] = []
  async function* bookmarks(): AsyncGenerator<ReadableBookmark> {
    for (const { text } of [...pages, ...pages]) {
      const bookmark = {
        type: 'link',
        title: '',
        url: 'https://a.example/',
        domain: 'a.example',
        createdAt: 0
      } as Bookmark
      yield {
        bookmark,
        highlights: [],
        page: { text, markdown: null },
        picture: async () => undefined,
        language: async () => null
      }
    }
  }
  for await (const piece of writeEpub.write(bookmarks(), 2 * pages.length, 0)) pieces.push(piece)
  const about = Buffer.from(unzipSync(Buffer.concat(pieces))['EPUB/title.xhtml'] ?? []).toString()
  expect(about).toContain('<p>Chapters: 1000</p>')
  expect(about).toContain('<p>Bookmarks without a text, which are left out: 12</p>')
  expect(about).toContain('at most 1000 chapters: 998 more bookmarks')
})

test('a library gives a book of its pages and texts', async () => {
  const ports = await testPorts()
  const url = 'https://a.example/'
  const { bookmark } = await createBookmark(ports, { type: 'link', url, title: 'Page' })
  await ports.library.saveTabText({ id: bookmark.id, url }, pageTextOf(`Seen\n\n![](${PICTURE})`), ports.now())
  await ports.library.keepTextPicture(bookmark.id, PICTURE, WEBP)
  await createBookmark(ports, { type: 'text', content: 'My own words' })
  await createBookmark(ports, { type: 'color', content: '#ff0000' })
  await createBookmark(ports, { type: 'link', url: 'https://b.example/' })
  const pieces: Uint8Array[] = []
  for await (const piece of exportLibrary(ports, 'epub', {})) pieces.push(Buffer.from(piece as Uint8Array))
  const files = await checked(Buffer.concat(pieces))
  const all = Object.keys(files).filter((name) => /chapter|picture/.test(name))
  expect(all).toEqual(['EPUB/pictures/1-1.webp', 'EPUB/chapter-1.xhtml', 'EPUB/chapter-2.xhtml'])
  expect(files['EPUB/chapter-2.xhtml']).toContain('<p>My own words</p>')
})

test('a book without chapters is valid', async () => {
  expect((await bookOf([]))['EPUB/title.xhtml']).toContain('Chapters: 0')
})
