import fc from 'fast-check'
import { unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { changeBookmarks } from '../../../src-main/actions/bookmarks/change-bookmarks.ts'
import { createBookmark } from '../../../src-main/actions/bookmarks/save-bookmarks.ts'
import { exportLibrary } from '../../../src-main/actions/imports/export-library.ts'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import type { Ports } from '../../../src-main/actions/ports.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { ExportFormatId } from '../../../src-main/contract/library-export.ts'
import { pageTextOf } from '../../../src-main/markdown/blocks.ts'
import { runs } from '../../support/runs.ts'
import { everything, quickPorts } from '../ports.ts'

async function exported(ports: Ports, format: ExportFormatId): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of exportLibrary(ports, format, {})) pieces.push(Buffer.from(piece as Uint8Array))
  return Buffer.concat(pieces)
}

async function* bytesOf(file: Uint8Array): AsyncGenerator<Uint8Array> {
  yield file
}

/** Saves a link with the text of its page. */
async function addPage(ports: Ports, url: string, title: string, markdown: string): Promise<string> {
  const { bookmark } = await createBookmark(ports, { type: 'link', url, title })
  await ports.library.saveTabText({ id: bookmark.id, url }, pageTextOf(markdown), ports.now())
  return bookmark.id
}

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30, size: 'max' }),
  fc
    .array(fc.constantFrom(...'a \n\t,"\'=@<>&\\😀#|%*!?:-{}[]`~', '---\n', ': ', 'no', '2026-01-01', '日本'), {
      maxLength: 12,
      size: 'max'
    })
    .map((parts) => parts.join(''))
)

const markdown = fc
  .array(
    fc.constantFrom(
      ...['# Title', '- x\n- y', '> quoted', '`code` *and* [a](https://a.example/)', '---', '---\nurl: x\n---'],
      ...['| a | b |\n| - | - |\n| 1 | 2 |', '```js\n  let a\n```', '\\*', '![A](https://a.example/b.png)', '日本']
    ),
    { maxLength: 6, size: 'max' }
  )
  .map((blocks) => blocks.join('\n\n'))

const library = fc.array(
  fc.record({
    type: fc.constantFrom('link' as const, 'image' as const, 'color' as const, 'text' as const),
    title: words,
    description: words,
    content: words,
    tags: fc.array(
      words.map((text) => text.slice(0, 64)),
      { maxLength: 4 }
    ),
    markdown,
    later: fc.nat({ max: 1e9 })
  }),
  { maxLength: 20, size: 'max' }
)

async function fields(ports: Ports): Promise<object[]> {
  const rows = await Promise.all(
    (await everything(ports)).map(async ({ type, url, title, description, content, tags, createdAt, id }) => {
      const { text, markdown } = await ports.library.readPageText(id)
      return { type, url, title, description, content, tags, createdAt, text: text.trim(), markdown }
    })
  )
  return rows.sort((left, right) => left.createdAt - right.createdAt)
}

describe('an export as Markdown', () => {
  test('gives the same bookmarks and texts elsewhere', async () => {
    await fc.assert(
      fc.asyncProperty(library, async (bookmarks) => {
        const ports = quickPorts()
        for (const [index, { type, content, markdown, later, ...texts }] of bookmarks.entries()) {
          ports.clock.time += 1 + later
          const url = `https://a.example/${index}?q=%22x%22#/route`
          // An import would take equal texts for one.
          const own = { color: `rgb(0 0 ${index})`, text: `${index}${content}`, link: '', image: '' }[type]
          const { bookmark } = await createBookmark(ports, { ...texts, type, url, content: own })
          const hasText = type === 'link' && markdown !== ''
          if (hasText) await ports.library.saveTabText({ id: bookmark.id, url }, pageTextOf(markdown), ports.now())
        }
        const file = await exported(ports, 'markdown')
        const other = quickPorts()
        other.clock.time = ports.clock.time + 1000
        if (bookmarks.length > 0)
          expect(await importLibrary(other, PROFILE, bytesOf(file))).toMatchObject({
            imported: bookmarks.length,
            rejected: 0
          })
        expect(await fields(other)).toEqual(await fields(ports))
      }),
      { numRuns: runs(12, 200) }
    )
  }, 120_000)

  test('has a file for each bookmark, with its fields as front matter', async () => {
    const ports = quickPorts()
    const page = { type: 'link' as const, url: 'https://a.example/', title: 'A: "b"', tags: ['x/y'] }
    const { bookmark } = await createBookmark(ports, { ...page, visibility: 'public', description: 'One\nTwo' })
    await addPage(ports, 'https://b.example/c', '', '## Head\n\nText')
    await createBookmark(ports, { type: 'image', url: 'https://a.example/a.png', title: 'Picture' })
    await createBookmark(ports, { type: 'color', content: '#ff0000', title: 'Red' })
    await changeBookmarks(ports, {
      ids: [(await createBookmark(ports, { type: 'text', content: 'Gone' })).bookmark.id],
      change: { kind: 'delete' }
    })
    const files = unzipSync(await exported(ports, 'markdown'))
    const times = 'created: "2026-01-01T00:00:00.000Z"\nupdated: "2026-01-01T00:00:00.000Z"\n'
    expect(bookmark.visibility).toBe('public')
    expect(
      Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
    ).toEqual({
      'A b.md': `---\ntitle: 'A: "b"'\nurl: https://a.example/\ntype: link\ntags:\n  - x/y\nvisibility: public\n${times}description: |-\n  One\n  Two\n---\n`,
      'b.example c.md': `---\nurl: https://b.example/c\ntype: link\n${times}---\n\n## Head\n\nText\n`,
      'Picture.md': `---\ntitle: Picture\nurl: https://a.example/a.png\ntype: image\n${times}---\n\n<https://a.example/a.png>\n`,
      'Red.md': expect.stringMatching(/type: color[\s\S]*\n---\n\n#ff0000\n$/)
    })
  })

  test('is imported beside other Markdown, which is passed over', async () => {
    const ports = quickPorts()
    await addPage(ports, 'https://b.example/', 'B', 'Text')
    const files = unzipSync(await exported(ports, 'markdown'))
    const readme = new TextEncoder().encode('# Read me\n\nhttps://c.example/\n')
    const report = await importLibrary(quickPorts(), PROFILE, bytesOf(zipSync({ ...files, 'README.md': readme })))
    expect(report).toMatchObject({ imported: 1, rejected: 0, dropped: { 'other files of the archive': 1 } })
  })
})

test.each(['jsonl', 'markdown'] as const)('highlights come back from an export as %s', async (format) => {
  const ports = quickPorts()
  const id = await addPage(ports, 'https://a.example/', 'A page', 'One sentence\n\nAnother')
  const given = { quote: 'One sentence', prefix: '', suffix: 'Another', start: 0, color: 'blue', note: 'A: "b"\n- c' }
  await ports.library.saveHighlight(id, { ...given, id: 'h1' } as never, 1_600_000_000_000)
  await ports.library.saveReadingPlace(id, { block: 1, share: 0.5 })
  const other = quickPorts()
  await importLibrary(other, PROFILE, bytesOf(await exported(ports, format)))
  const [bookmark] = await everything(other)
  const { highlights, places } = await other.library.readReading([bookmark?.id ?? ''])
  const all = { id: 'h1', ...given, createdAt: 1_600_000_000_000 }
  const { quote, color, note, createdAt } = all
  expect([...highlights.values()]).toMatchObject([[format === 'jsonl' ? all : { quote, color, note, createdAt }]])
  expect([...places.values()]).toEqual(format === 'jsonl' ? [{ block: 1, share: 0.5 }] : [])
})
