import { expect, test } from 'vitest'
import { createNames, fileNameOf, markdownFiles } from '../../src-main/formats/markdown-files.ts'
import { expectFormat, read } from './reading.ts'

test.each([
  ['a/b\\c: "d" <e>|f?*', 'a b c d e f'],
  ['..hidden. . ', 'hidden'],
  ['CON', '_CON'],
  ['com1.txt', '_com1.txt'],
  ['Console', 'Console'],
  ['Größe 日本語 العربية', 'Größe 日本語 العربية'],
  ['a\u202egnp.exe', 'agnp.exe'],
  ['???', 'Untitled'],
  ['', 'Untitled']
])('the title %j becomes the file name %j', (title, name) => {
  expect(fileNameOf(title)).toBe(name)
})

test('file names differ in more than case, and fit into 100 characters and 255 bytes', () => {
  const nameOf = createNames()
  const names = ['Page', 'page', 'PAGE (2)', 'Page', '日'.repeat(400), '日'.repeat(400), 'x'.repeat(400)].map((title) =>
    nameOf(fileNameOf(title))
  )
  expect(names.slice(0, 4)).toEqual(['Page', 'page (2)', 'PAGE (2) (2)', 'Page (3)'])
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
  for (const name of names) {
    expect(`${name}.md`.length).toBeLessThanOrEqual(100)
    expect(Buffer.byteLength(`${name}.md`)).toBeLessThanOrEqual(255)
  }
})

test('a Markdown file of another program is read by its front matter', () => {
  const file =
    '---\r\nurl: https://a.example/\r\ntitle: "A: b"\r\ntags: one, two\r\nauthor: X\r\n---\r\n# A\r\n\r\nText'
  expect(expectFormat(markdownFiles, file)).toMatchObject([
    {
      url: 'https://a.example/',
      title: 'A: b',
      tags: ['one', ' two'],
      pageText: { text: 'A\n\nText' },
      isPrivate: true,
      dropped: ['other columns']
    }
  ])
})

test('front matter that is no YAML is rejected', () => {
  expect(read(markdownFiles, '---\nurl: [\n---\n')).toMatchObject([{ fault: 'front matter that is not YAML' }])
})

test('front matter cannot refer to itself', () => {
  const file = '---\nurl: &a https://a.example/\ntitle: *a\n---\n'
  expect(read(markdownFiles, file)).toMatchObject([{ fault: 'front matter that is not YAML' }])
})

test('a text whose blocks are nested too deeply is kept as plain text', () => {
  const [item] = read(markdownFiles, `---\nurl: https://a.example/\n---\n${'>'.repeat(60_000)} deep`)
  expect(item?.pageText).toMatchObject({ markdown: null, text: expect.stringContaining('deep') })
})

test.each(['# A\n', '---\ntitle: A\n---\n', 'https://a.example/\n---\n'])(
  '%j has no front matter of a bookmark',
  (text) => {
    expect(markdownFiles.recognises(text)).toBe(false)
  }
)
