import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeBookmarks } from '../../../src-main/actions/bookmarks/change-bookmarks.ts'
import { createBookmark } from '../../../src-main/actions/bookmarks/save-bookmarks.ts'
import { exportLibrary } from '../../../src-main/actions/imports/export-library.ts'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import type { Ports } from '../../../src-main/actions/ports.ts'
import { undoImport } from '../../../src-main/actions/undo.ts'
import type { BookmarkRequest } from '../../../src-main/contract/bookmark-change.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { ExportChoice, ExportFormatId } from '../../../src-main/contract/library-export.ts'
import { withoutGuard } from '../../../src-main/formats/exports.ts'
import { apiOf } from '../../server/api.ts'
import { runs } from '../../support/runs.ts'
import { callApi, callTool, makeKey, testService } from '../../support/service.ts'
import { everything, quickPorts, START, testPorts } from '../ports.ts'

async function exported(ports: Ports, format: ExportFormatId, choice: ExportChoice = {}): Promise<string> {
  let text = ''
  for await (const piece of exportLibrary(ports, format, choice)) text += piece
  return text
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

const importText = (ports: Ports, text: string, options?: { dryRun: boolean }) =>
  importLibrary(ports, PROFILE, bytesOf(text), options)

/** The records without the first line, which has the time of the export, and the last, which has a checksum. */
function records(jsonl: string): object[] {
  const lines = jsonl.trim().split('\n')
  return lines.slice(1, -1).map((line) => JSON.parse(line) as object)
}

/** Random texts, and texts of the characters that HTML, CSV and tags treat specially. */
const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30, size: 'max' }),
  fc
    .array(fc.constantFrom(...'a \n,"\'=＝@\u200b<>&\\😀#|\u202e', '&amp;', '日本'), { maxLength: 12, size: 'max' })
    .map((parts) => parts.join(''))
)
const url = fc
  .tuple(
    fc.constantFrom('a.example', 'b.example'),
    fc.nat({ max: 40 }),
    fc.constantFrom('', '?q=%22x%22&copy=1', '#/route', "?a='<b>'")
  )
  .map(([host, page, rest]) => `https://${host}/${page}${rest}`)

interface Saved {
  request: BookmarkRequest
  isDeleted: boolean
  later: number
}

const PLACES = [{}, { visibility: 'public' as const }, { organization: 'Acme' }, { organization: 'Größe, & Co' }]

const saved: fc.Arbitrary<Saved> = fc.record({
  request: fc
    .record({
      type: fc.constantFrom('link' as const, 'image' as const, 'color' as const, 'text' as const),
      url,
      title: words,
      description: words,
      content: words,
      tags: fc.array(
        words.map((text) => text.slice(0, 64)),
        { maxLength: 4 }
      ),
      place: fc.constantFrom(...PLACES)
    })
    .map(({ place, ...request }) => {
      const content = { color: 'rebeccapurple', text: `x${request.content}`, link: '', image: '' }[request.type]
      return { ...request, ...place, content }
    }),
  isDeleted: fc.boolean(),
  later: fc.nat({ max: 1e9 })
})
const library = fc.array(saved, { maxLength: 40, size: 'max' })

/** A library with three organizations and these bookmarks. */
async function filled(bookmarks: Saved[]): Promise<ReturnType<typeof quickPorts>> {
  const ports = quickPorts()
  for (const name of ['Acme', 'Größe, & Co', 'Empty']) await ports.library.createOrganization(name, START + 1)
  for (const { request, isDeleted, later } of bookmarks) {
    ports.clock.time += later
    const { bookmark } = await createBookmark(ports, request)
    if (isDeleted) await changeBookmarks(ports, { ids: [bookmark.id], change: { kind: 'delete' } })
  }
  return ports
}

describe('an export as JSONL', () => {
  test('with other whitespace is imported and reported as changed', async () => {
    const ports = await filled([])
    await createBookmark(ports, { type: 'link', url: 'https://a.example/' })
    const spaced = (await exported(ports, 'jsonl')).replaceAll('":', '" : ').replaceAll('{"', '{ "')
    expect(await importText(quickPorts(), spaced)).toMatchObject({
      imported: 1,
      rejects: [{ reason: expect.stringContaining('was changed or damaged') }]
    })
  })

  test('imports a page that was deleted and saved again under another id as both bookmarks', async () => {
    const service = await testService()
    const api = apiOf(service)
    await api('POST', '/organizations', { name: 'Acme' })
    const key = await makeKey(service, { organization: 'Acme' })
    for (const [title, tag] of [
      ['Old', 'old'],
      ['New', 'new']
    ]) {
      const { payload } = await callTool(service, key, 'bookmarks.insert', { urls: 'https://a.example/' })
      const { id } = payload.bookmarks[0]
      await api('PATCH', `/bookmarks/${id}`, { title, tags: [tag] })
      if (title === 'Old') await api('POST', '/bookmarks/changes', { ids: [id], change: { kind: 'delete' } })
    }
    const ports = await testPorts()
    const text = await (await callApi(service, 'GET', '/exports?format=jsonl')).text()
    for (const imported of [2, 0]) {
      expect(await importText(ports, text)).toMatchObject({ imported, duplicate: 2 - imported })
      expect(await everything(ports)).toMatchObject([{ title: 'New', tags: ['new'], deletedAt: null }])
    }
  })

  test('imports both bookmarks of a page that the profile has twice', async () => {
    const service = await testService()
    const api = apiOf(service)
    const { id: organization } = (await api('POST', '/organizations', { name: 'Acme' })).body
    const page = { type: 'link', url: 'https://a.example/' }
    await api('POST', '/bookmarks', { ...page, title: 'Mine' })
    const { bookmark } = (await api('POST', '/bookmarks', { ...page, title: 'Theirs', organization })).body
    await api('DELETE', `/organizations/${organization}?bookmarks=trash`)
    await api('POST', '/bookmarks/changes', { ids: [bookmark.id], change: { kind: 'restore' } })
    const text = await (await callApi(service, 'GET', '/exports?format=jsonl')).text()
    const ports = await testPorts()
    for (const imported of [2, 0]) {
      const counts = { imported, duplicate: 2 - imported }
      expect(await importText(ports, text, { dryRun: true })).toMatchObject(counts)
      expect(await importText(ports, text)).toMatchObject(counts)
      expect((await everything(ports)).map(({ title }) => title).sort()).toEqual(['Mine', 'Theirs'])
    }
  })

  test('gives the same library elsewhere, and a second import adds nothing', async () => {
    await fc.assert(
      fc.asyncProperty(library, async (bookmarks) => {
        const ports = await filled(bookmarks)
        const text = await exported(ports, 'jsonl')
        const other = quickPorts()
        other.clock.time = ports.clock.time + 1000 // so that no bookmark is changed later than it is imported
        const report = await importText(other, text)
        expect(report).toMatchObject({ duplicate: 0, rejected: 0 })
        const withoutIds = (record: object) =>
          'organization' in record ? { organization: { ...(record.organization as object), id: '' } } : record
        expect(records(await exported(other, 'jsonl')).map(withoutIds)).toEqual(records(text).map(withoutIds))
        expect(await other.library.countByKind()).toEqual(await ports.library.countByKind())
        for (const there of [ports, other]) {
          const again = await importText(there, text)
          expect(again).toMatchObject({ imported: 0, duplicate: report.imported, rejected: 0 })
          expect(records(await exported(there, 'jsonl'))).toHaveLength(records(text).length)
        }
      }),
      { numRuns: runs(12, 300) }
    )
  }, 300_000)

  test('with an existing id for another page is imported under a new id', async () => {
    const ports = await filled([])
    const { bookmark } = await createBookmark(ports, { type: 'link', url: 'https://a.example/' })
    const lines = (await exported(ports, 'jsonl')).split('\n')
    const line = lines.find((line) => line.startsWith('{"bookmark"')) ?? ''
    const others = ['b', 'c'].map((host) => line.replace('https://a.example/', `https://${host}.example/`))
    const changed = [lines[0], ...others, line, ''].join('\n')
    const preview = await importLibrary(ports, PROFILE, bytesOf(changed), { dryRun: true })
    for (const [there, imported] of [
      [ports, 2],
      [ports, 0],
      [quickPorts(), 3]
    ] as const) {
      const report = await importText(there, changed)
      expect(report).toMatchObject({ imported, duplicate: 3 - imported, rejected: 1 })
      const bookmarks = await everything(there)
      expect(bookmarks.map(({ url }) => url).toSorted()).toEqual(
        ['a', 'b', 'c'].map((host) => `https://${host}.example/`)
      )
      expect(new Set(bookmarks.map(({ id }) => id)).size).toBe(3)
    }
    expect(preview).toMatchObject({ imported: 2, duplicate: 1 })
    expect((await everything(ports)).find(({ id }) => id === bookmark.id)).toMatchObject({ url: 'https://a.example/' })
  })

  test('begins with its format and ends with counts and a checksum', async () => {
    const ports = await filled([])
    const lines = (await exported(ports, 'jsonl')).trim().split('\n')
    expect(JSON.parse(lines[0] ?? '')).toEqual({ format: 'earmark', version: 1, createdAt: '2026-01-01T00:00:00.000Z' })
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
      end: { counts: { organizations: 3, pictures: 0, bookmarks: 0 }, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }
    })
  })

  test.each([
    ['cut off', (text: string) => text.slice(0, text.lastIndexOf('{"end"')), /cut off/],
    ['changed', (text: string) => text.replace('Title', 'Other'), /changed or damaged/]
  ])('that was %s is imported and reported as damaged', async (_, damage, reason) => {
    const ports = quickPorts()
    for (const page of [1, 2, 3])
      await createBookmark(ports, { type: 'link', url: `https://a.example/${page}`, title: 'Title' })
    const report = await importText(quickPorts(), damage(await exported(ports, 'jsonl')))
    expect(report.imported).toBe(3)
    expect(report.rejects.map(({ reason }) => reason)).toEqual([expect.stringMatching(reason)])
  })

  test('of a newer version is refused', async () => {
    const ports = quickPorts()
    const text = await exported(ports, 'jsonl')
    await expect(importText(ports, text.replace('"version":1', '"version":2'))).rejects.toMatchObject({
      code: 'invalid'
    })
  })

  test('does not restore a bookmark that is deleted in the export too', async () => {
    const ports = quickPorts()
    const { bookmark } = await createBookmark(ports, { type: 'link', url: 'https://a.example/' })
    await changeBookmarks(ports, { ids: [bookmark.id], change: { kind: 'delete' } })
    expect(await importText(ports, await exported(ports, 'jsonl'))).toMatchObject({ imported: 0, duplicate: 1 })
    expect(await ports.library.countByKind()).toMatchObject({ all: 0, trash: 1 })
  })
})

describe('an export as HTML', () => {
  test('gives the same links elsewhere', async () => {
    await fc.assert(
      fc.asyncProperty(library, async (bookmarks) => {
        const ports = await filled(bookmarks)
        const other = quickPorts()
        const text = await exported(ports, 'html')
        expect(await importText(other, text)).toMatchObject({ rejected: 0 })
        expect(links(await exported(other, 'jsonl'))).toEqual(links(await exported(ports, 'jsonl')))
      }),
      { numRuns: runs(12, 300) }
    )
  }, 300_000)

  test('has nested tags as folders', async () => {
    const ports = quickPorts()
    const add = (page: string, ...tags: string[]) =>
      createBookmark(ports, { type: 'link', url: `https://a.example/${page}`, title: page, tags })
    await add('1', 'work/client & co', 'urgent')
    await add('2', 'lone')
    await add('3', 'work')
    await add('4', 'work/client & co/deep')
    await add('5', 'workshop/x')
    const lines = (await exported(ports, 'html')).split('\n').slice(8)
    expect(lines.map((line) => line.replace(/.*>(\d)<\/A>/, '$1').trim())).toEqual([
      ...['2', '<DT><H3>work</H3>', '<DL><p>', '3', '<DT><H3>client &amp; co</H3>', '<DL><p>', '1'],
      ...['<DT><H3>deep</H3>', '<DL><p>', '4', '</DL><p>', '</DL><p>', '</DL><p>'],
      ...['<DT><H3>workshop</H3>', '<DL><p>', '<DT><H3>x</H3>', '<DL><p>', '5', '</DL><p>', '</DL><p>', '</DL><p>', '']
    ])
  })

  test('leaves out bookmarks deleted meanwhile', async () => {
    const ports = quickPorts()
    const { bookmark } = await createBookmark(ports, { type: 'link', url: 'https://a.example/', tags: ['a/b'] })
    const begun = async () => {
      const pieces = exportLibrary(ports, 'html', {})
      for (let piece = await pieces.next(); !piece.value?.includes('<H3>'); piece = await pieces.next());
      return pieces
    }
    const pieces = await begun()
    await changeBookmarks(ports, { ids: [bookmark.id], change: { kind: 'delete' } })
    let rest = ''
    for await (const piece of pieces) rest += piece
    expect(rest).not.toContain('a.example')
  })

  test('gives the same nested tags elsewhere', async () => {
    const tag = fc.array(fc.constantFrom('a', 'B', ' ', ',', '/', '#', '=', '<', '&', '日本'), {
      minLength: 1,
      maxLength: 9
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(tag, { maxLength: 3 }), { maxLength: 20, size: 'max' }), async (all) => {
        const ports = quickPorts()
        for (const [page, tags] of all.entries()) {
          const named = tags.map((parts) => parts.join('')).filter((name) => /[aB日<&=]/.test(name))
          await createBookmark(ports, { type: 'link', url: `https://a.example/${page}`, tags: named })
        }
        const other = quickPorts()
        expect(await importText(other, await exported(ports, 'html'))).toMatchObject({ rejected: 0 })
        const byAddress = (first: object, second: object) => (JSON.stringify(first) < JSON.stringify(second) ? -1 : 1)
        expect(links(await exported(other, 'jsonl')).sort(byAddress)).toEqual(
          links(await exported(ports, 'jsonl')).sort(byAddress)
        )
      }),
      { numRuns: runs(30, 500) }
    )
  }, 300_000)

  test('has each link on its own line, as Chrome reads it', async () => {
    const ports = quickPorts()
    await createBookmark(ports, {
      type: 'link',
      url: 'https://a.example/?a=1&copy=2',
      title: 'A "page" <b>',
      description: 'Two\nlines',
      tags: ['one', 'two, three']
    })
    expect((await exported(ports, 'html')).split('\n')).toContain(
      `    <DT><A HREF="https://a.example/?a=1&amp;copy=2" ADD_DATE="${START / 1000}" PRIVATE="1" TAGS="one,two  three">A &quot;page&quot; &lt;b&gt;</A>`
    )
  })
})

/** The links that HTML can represent: one for each page outside the trash, dates in seconds, tags without commas. */
function links(jsonl: string): object[] {
  const byPage = new Map<string, Link>()
  for (const record of records(jsonl)) {
    const { bookmark } = record as { bookmark?: Record<string, string> & { tags: string[] } }
    if (!bookmark?.url || bookmark.deletedAt || !['link', 'image'].includes(bookmark.type ?? '')) continue
    const { url: address, title, description, tags, createdAt = '' } = bookmark
    // A tag never begins with a number sign; after a comma it is removed too.
    const plain = tags.map((tag) =>
      tag
        .replaceAll(',', ' ')
        .replace(/\s+/g, ' ')
        .replace(/^[ #]+/, '')
        .trim()
        .toLowerCase()
    )
    const key = address.replace(/#(?!\/).*/, '')
    // A page of the profile and of an organization is one link, with the texts and tags of both.
    const first = byPage.get(key) ?? { address, title, description, tags: [], day: createdAt.slice(0, 19) }
    const present = `${first.title}\n${first.description}`
    const additions = [title, description].filter((text) => text !== undefined && !present.includes(text))
    byPage.set(key, {
      ...first,
      description: [first.description, ...additions].filter(Boolean).join('\n'),
      tags: [...new Set([...first.tags, ...plain])].filter((tag) => tag !== '').sort()
    })
  }
  return [...byPage.values()]
}

interface Link {
  address: string
  title: string | undefined
  description: string | undefined
  tags: string[]
  day: string
}

describe('an export as CSV', () => {
  test('is read by another parser with the same titles, and no cell is a formula', async () => {
    await fc.assert(
      fc.asyncProperty(library, async (bookmarks) => {
        const ports = await filled(bookmarks)
        const rows = parse(await exported(ports, 'csv'), { columns: true }) as Record<string, string>[]
        const exportedBookmarks = records(await exported(ports, 'jsonl')).flatMap((record) => {
          const { bookmark } = record as { bookmark?: { title: string; deletedAt: string | null } }
          return bookmark && bookmark.deletedAt === null ? [bookmark] : []
        })
        expect(rows.map(({ title = '' }) => withoutGuard(title))).toEqual(exportedBookmarks.map(({ title }) => title))
        for (const cell of rows.flatMap((row) => Object.values(row)))
          expect(cell).not.toMatch(/^\p{Cf}*[=+\-@＝＋－＠]/u)
      }),
      { numRuns: runs(12, 300) }
    )
  }, 300_000)
})

describe('an export of a selection', () => {
  test('has the bookmarks that match words and filters, without the trash', async () => {
    const ports = quickPorts()
    const save = (page: string, tags: string[], title = '') =>
      createBookmark(ports, { type: 'link', url: `https://a.example/${page}`, tags, title })
    await save('1', ['red'], 'First words')
    await save('2', ['red'], 'Other')
    await save('3', ['blue'], 'First words')
    const { bookmark } = await save('4', ['red'], 'First words')
    await changeBookmarks(ports, { ids: [bookmark.id], change: { kind: 'delete' } })
    const urls = async (choice: ExportChoice) =>
      [...(await exported(ports, 'jsonl', choice)).matchAll(/"url":"[^"]*\/(\d)"/g)].map((match) => match[1])
    expect(await urls({ tags: ['red'] })).toEqual(['1', '2'])
    expect(await urls({ tags: ['red'], words: 'first' })).toEqual(['1'])
    expect(await urls({ words: '-first' })).toEqual(['2'])
    expect(await urls({ tags: ['unknown'] })).toEqual([])
    expect(await urls({})).toEqual(['1', '2', '3', '4'])
  })

  test('has the organizations of its bookmarks only', async () => {
    const ports = await filled([])
    await createBookmark(ports, { type: 'text', content: 'x', organization: 'Acme' })
    const text = await exported(ports, 'jsonl', { type: 'text' })
    expect(records(text)).toMatchObject([{ organization: { name: 'Acme' } }, { bookmark: { organization: 'Acme' } }])
  })

  test('of more bookmarks than a batch is complete', async () => {
    const ports = quickPorts()
    const text = Array.from({ length: 1101 }, (_, index) => `https://a.example/${index}`).join('\n')
    await importText(ports, text)
    expect(records(await exported(ports, 'jsonl'))).toHaveLength(1101)
    expect(records(await exported(ports, 'jsonl', { words: 'a.example' }))).toHaveLength(1101)
  })
})

describe('undoing an import', () => {
  test('keeps bookmarks that were changed since, and returns restored ones to the trash', async () => {
    const ports = quickPorts()
    const { bookmark } = await createBookmark(ports, { type: 'link', url: 'https://a.example/old', title: 'Old' })
    await changeBookmarks(ports, { ids: [bookmark.id], change: { kind: 'delete' } })
    ports.clock.time += 1000
    const { undo = 0 } = await importText(ports, 'https://a.example/old\nhttps://a.example/1\nhttps://a.example/2\n')
    expect(await ports.library.countByKind()).toMatchObject({ all: 3, trash: 0 })
    const listed = await ports.library.listBookmarks({ order: 'newest', page: 1, limit: 10 })
    const changed = listed.bookmarks.find(({ url: address }) => address?.endsWith('/1'))?.id ?? ''
    ports.clock.time += 1000
    await changeBookmarks(ports, { ids: [changed], change: { kind: 'tags', add: ['mine'], remove: [] } })
    expect(await undoImport(ports, undo)).toEqual({ undone: 2, kept: 1 })
    expect(await ports.library.countByKind()).toMatchObject({ all: 1, trash: 2 })
    expect(await ports.library.findBookmark(bookmark.id)).toMatchObject({ deletedAt: START + 2000 })
    await expect(undoImport(ports, undo)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('of an export ignores its trash, and undoes bookmarks that were changed before the export', async () => {
    const ports = quickPorts()
    const ids = []
    for (const page of ['gone', 'kept']) {
      ids.push((await createBookmark(ports, { type: 'link', url: `https://${page}.example/` })).bookmark.id)
    }
    await changeBookmarks(ports, { ids: ids.slice(0, 1), change: { kind: 'delete' } })
    ports.clock.time += 60_000
    await changeBookmarks(ports, { ids: ids.slice(1), change: { kind: 'tags', add: ['later'], remove: [] } })
    const file = await exported(ports, 'jsonl')
    const elsewhere = quickPorts()
    const { undo = 0, imported } = await importText(elsewhere, file)
    expect(imported).toBe(2)
    expect(await undoImport(elsewhere, undo)).toEqual({ undone: 1, kept: 0 })
    expect(await elsewhere.library.countByKind()).toMatchObject({ all: 0, trash: 2 })
  })

  test('keeps bookmarks that got the row id of a purged one', async () => {
    const ports = quickPorts()
    const { undo = 0 } = await importText(ports, 'https://a.example/1\nhttps://a.example/2\n')
    const ids = (await ports.library.listBookmarks({ order: 'newest', page: 1, limit: 10 })).bookmarks.map(
      ({ id }) => id
    )
    await changeBookmarks(ports, { ids, change: { kind: 'delete' } })
    await changeBookmarks(ports, { ids, change: { kind: 'purge' } })
    for (const page of ['3', '4']) await createBookmark(ports, { type: 'link', url: `https://a.example/${page}` })
    expect(await undoImport(ports, undo)).toEqual({ undone: 0, kept: 0 })
    expect(await ports.library.countByKind()).toMatchObject({ all: 2 })
  })

  test('removes the fields that the import added to a bookmark from the trash', async () => {
    const ports = quickPorts()
    const own = { title: 'Mine', description: 'My notes', tags: ['mine'], visibility: 'public' as const }
    const { bookmark } = await createBookmark(ports, { type: 'link', url: 'https://a.example/', ...own })
    await changeBookmarks(ports, { ids: [bookmark.id], change: { kind: 'delete' } })
    const html = '<DT><A HREF="https://a.example/" TAGS="theirs,mine" PRIVATE="1">Theirs</A><DD>More'
    const { undo = 0 } = await importText(ports, `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n${html}`)
    expect(await ports.library.findBookmark(bookmark.id)).toMatchObject({
      title: 'Theirs',
      description: 'More\nMy notes',
      tags: ['mine', 'theirs'],
      visibility: 'private'
    })
    expect(await undoImport(ports, undo)).toEqual({ undone: 1, kept: 0 })
    expect(await ports.library.findBookmark(bookmark.id)).toMatchObject({ ...own, deletedAt: START })
  })
})

test('the API exports a file by format and filter, and lists and undoes imports', async () => {
  const service = await testService()
  const body = 'https://a.example/1\nhttps://b.example/2\n'
  const headers = { authorization: `Bearer ${service.commandToken}` }
  const post = (path: string) =>
    service.fetch(new Request(`http://127.0.0.1/api${path}`, { method: 'POST', headers, body }))
  expect(await (await post('/imports?dry-run=true')).json()).toEqual({
    imported: 2,
    duplicate: 0,
    rejected: 0,
    rejects: []
  })
  expect(await (await callApi(service, 'GET', '/imports')).json()).toEqual([])
  const { undo } = (await (await post('/imports')).json()) as { undo: number }
  const response = await callApi(service, 'GET', '/exports?format=csv&domain=b.example')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="earmark-\d{4}-\d\d-\d\d\.csv"$/)
  expect((await response.text()).trim().split('\r\n')).toHaveLength(2)
  const notes = await callApi(service, 'GET', '/exports?format=markdown')
  expect(notes.headers.get('content-disposition')).toMatch(/\.zip"$/)
  expect(new Uint8Array(await notes.arrayBuffer()).subarray(0, 2)).toEqual(new Uint8Array([0x50, 0x4b]))
  expect((await callApi(service, 'GET', '/exports?format=docx')).status).toBe(400)
  expect((await callApi(service, 'GET', '/exports?format=csv&organization=Nowhere')).status).toBe(404)
  expect(await (await callApi(service, 'GET', '/imports')).json()).toMatchObject([
    { id: undo, imported: 2, undone: false }
  ])
  expect(await (await post(`/imports/${undo}/undo`)).json()).toEqual({ undone: 2, kept: 0 })
  expect((await post(`/imports/${undo}/undo`)).status).toBe(404)
  expect((await post('/imports/x/undo')).status).toBe(404)
})
