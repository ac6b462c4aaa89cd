import { describe, expect, test } from 'vitest'
import { saveAddresses } from '../../../src-main/actions/bookmarks/save-bookmarks.ts'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import type { Ports } from '../../../src-main/actions/ports.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { ImportReport } from '../../../src-main/contract/import-report.ts'
import { callApi, testService } from '../../support/service.ts'
import { everything, link, PRIVATE, quickPorts, START } from '../ports.ts'

const HEAD = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n'
const TAIL = '</DL><p>\n'

describe('an import', () => {
  test('saves the fields of a record, with the folder’s path as a tag and now as the default date', async () => {
    const item = '<DT><A HREF="https://a.example/page" ADD_DATE="1500000000" TAGS="one,two">A page</A>\n<DD>About it\n'
    const folders = '<DT><H3>Work</H3>\n<DL><p><DT><H3>Client</H3>\n<DL><p>'
    const undated = '<DT><A HREF="https://b.example/">&lt;img src=x onerror=alert(1)&gt;</A>'
    const { report, bookmarks } = await importItems(item, folders, undated, '</DL><p>', '</DL><p>')
    expect(report).toEqual({ imported: 2, duplicate: 0, rejected: 0, rejects: [], undo: 1 })
    const title = '<img src=x onerror=alert(1)>'
    expect(bookmarks).toMatchObject([
      { url: 'https://b.example/', title, tags: ['Work/Client'], createdAt: START },
      {
        type: 'link',
        url: 'https://a.example/page',
        domain: 'a.example',
        title: 'A page',
        description: 'About it',
        tags: ['one', 'two'],
        visibility: 'private',
        createdAt: 1_500_000_000_000,
        updatedAt: START
      }
    ])
  })

  test('rejects a record with several addresses', async () => {
    const { report } = await importItems('<DT><A HREF="https://a.example/x, https://b.example/y">Two</A>')
    expect(report).toMatchObject({ imported: 0, rejected: 1, rejects: [{ reason: expect.stringMatching(/^several/) }] })
  })

  test('counts every record once: imported, duplicate or rejected, with line and reason', async () => {
    const { report, bookmarks } = await importItems(
      '<DT><A HREF="https://a.example/">A</A>',
      '<DT><A HREF="javascript:alert(1)">B</A>',
      '<DT><A HREF="https://a.example/#again">C</A>',
      '<DT><A HREF="place:sort=8">D</A>',
      '<DT><A HREF="https://b.example/">E</A>',
      '<DT><A>F</A>'
    )
    expect(report).toEqual({
      imported: 2,
      duplicate: 1,
      rejected: 3,
      rejects: [
        { line: 6, name: 'B', reason: expect.stringContaining('javascript:') },
        { line: 8, name: 'D', reason: expect.stringContaining('place:') },
        { line: 10, name: 'F', reason: 'no address' }
      ],
      repeated: 1,
      merged: 1,
      undo: 1
    })
    expect(bookmarks).toHaveLength(2)
  })

  test('counts the same across its batches', async () => {
    const items = Array.from({ length: 1203 }, (_, index) => `<DT><A HREF="https://a.example/${index % 1001}">x</A>`)
    const counts = { imported: 1001, duplicate: 202, repeated: 202, rejected: 0 }
    const { report, ports } = await importItems(...items)
    expect(report).toMatchObject(counts)
    expect(await ports.library.countBookmarks(PROFILE)).toBe(1001)
  })

  test('adds the title, description and tags of a page’s second record to the searchable bookmark', async () => {
    const { ports, report, bookmarks } = await importItems(
      '<DT><A HREF="https://a.example/doc#events" TAGS="one">Events</A>\n<DD>Who listens',
      '<DT><A HREF="https://a.example/doc" TAGS="one,two">Streams</A>\n<DD>Who reads',
      '<DT><A HREF="https://a.example/doc#events">Events</A>'
    )
    expect(report).toMatchObject({ imported: 1, duplicate: 2, rejected: 0, repeated: 2, merged: 1 })
    const described = { title: 'Events', description: 'Who listens\nStreams\nWho reads', tags: ['one', 'two'] }
    expect(bookmarks).toMatchObject([described])
    while ((await ports.library.indexBatch()) > 0);
    for (const words of ['streams', 'listens reads']) {
      const { bookmarks } = await ports.library.searchBookmarks(PROFILE, { words, page: 1, limit: 5 })
      expect(bookmarks, words).toMatchObject([described])
    }
    // A later import changes nothing.
    const again = file('<DT><A HREF="https://a.example/doc#late" TAGS="three">Late</A>')
    const later = await importText(ports, again)
    expect(later).toMatchObject({ imported: 0, duplicate: 1 })
    expect(later.repeated).toBeUndefined()
    expect(await everything(ports)).toMatchObject([described])
  })

  test('reports that a page’s second record is cut', async () => {
    const records = ['one', 'two'].map(
      (word) => `<DT><A HREF="https://a.example/">${word}</A>\n<DD>${word.repeat(500)}`
    )
    const { report, bookmarks } = await importItems(...records)
    expect(report).toMatchObject({ imported: 1, merged: 1, dropped: { 'ends of long descriptions': 1 } })
    expect(bookmarks[0]?.description).toContain('two')
  })

  test('saves a page as private if one of its records is private', async () => {
    const ports = quickPorts()
    await ports.library.writeSettings({ defaultVisibility: 'public' })
    const records = ['PRIVATE="0">A', 'PRIVATE="1">Secret'].map(
      (rest) => `<DT><A HREF="https://a.example/" ${rest}</A>`
    )
    expect(await importText(ports, file(...records))).toMatchObject({ imported: 1, merged: 1 })
    expect(await everything(ports)).toMatchObject([{ visibility: 'private', description: 'Secret' }])
    const own = ['PRIVATE="0">B', 'PRIVATE="1">B'].map((rest) => file(`<DT><A HREF="https://b.example/" ${rest}</A>`))
    await importText(ports, own[0] ?? '')
    const [b] = (await everything(ports)).filter(({ title }) => title === 'B')
    await ports.library.changeBookmarks([b?.id ?? ''], { kind: 'delete' }, START)
    await importText(ports, own[1] ?? '')
    expect((await everything(ports)).find(({ title }) => title === 'B')).toMatchObject({ visibility: 'private' })
  })

  test('removes the user name and password from a title that is the address', async () => {
    const address = 'https://alice:secret@a.example/x'
    const { report, bookmarks } = await importItems(`<DT><A HREF="${address}">${address}</A>`)
    expect(report).toMatchObject({ imported: 1 })
    expect(JSON.stringify(bookmarks)).not.toMatch(/alice|secret/)
  })

  test('keeps an existing bookmark’s title, description, tags and dates', async () => {
    const ports = quickPorts()
    const own = { title: 'My title', description: 'My words', tags: ['mine'], createdAt: 1_400_000_000_000 }
    await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/', own)])
    ports.clock.time += 1000
    const item = '<DT><A HREF="https://a.example/" ADD_DATE="1500000000" TAGS="theirs">Their title</A>\n<DD>Theirs'
    expect(await importText(ports, file(item))).toMatchObject({ imported: 0, duplicate: 1 })
    expect(await everything(ports)).toMatchObject([{ ...own, updatedAt: START }])
  })

  test('keeps a page that an agent saved without a title', async () => {
    const ports = quickPorts()
    await saveAddresses(ports, PROFILE, ['https://a.example/'])
    expect(await importText(ports, file('<DT><A HREF="https://a.example/">A</A>'))).toMatchObject({ duplicate: 1 })
    expect(await everything(ports)).toHaveLength(1)
  })

  test('for an organization saves in the organization', async () => {
    const ports = quickPorts()
    const { rowId } = await ports.library.createOrganization('Client', START)
    const text = file('<DT><A HREF="https://a.example/">A</A>')
    await importLibrary(ports, { owner: rowId, readOnly: false }, piecesOf([text]))
    expect(await everything(ports)).toMatchObject([{ visibility: 'organization', organization: 'Client' }])
  })

  test('counts every reject and lists the first thousand', async () => {
    const bad = Array.from({ length: 1500 }, () => '<DT><A HREF="javascript:x">X</A>')
    const { report } = await importItems(...bad)
    expect(report).toMatchObject({ imported: 0, rejected: 1500, unlisted: 500 })
    expect(report.rejects).toHaveLength(1000)
    expect(report.rejects[0]?.line).toBeLessThan(report.rejects[999]?.line ?? 0)
  })

  test('of a file without bookmarks succeeds', async () => {
    expect(await importText(quickPorts(), HEAD + TAIL)).toEqual({ imported: 0, duplicate: 0, rejected: 0, rejects: [] })
  })
})

describe('the texts of an import', () => {
  test.each([
    ['in another case are one tag', 'Web,web,WEB', ['Web']],
    [
      'lose a number sign, control characters and spaces',
      '#web,##dev, we\u0007b , \u202ede v ',
      ['de v', 'dev', 'web']
    ],
    ['that are empty are no tags', ',, ,#,web', ['web']],
    ['are cut to tags of 64 characters', 'x'.repeat(100), ['x'.repeat(64)]],
    ['with another encoding of an accent are one tag', 'caf\u00e9,cafe\u0301', ['caf\u00e9']]
  ])('%s', async (_, tags, expected) => {
    const { bookmarks } = await importItems(`<DT><A HREF="https://a.example/" TAGS="${tags}">A</A>`)
    expect(bookmarks).toMatchObject([{ tags: expected }])
  })

  test('lose control and bidirectional-override characters', async () => {
    const item = '<DT><A HREF="https://a.example/">A\u0000 \u202eevil\u202c\u0007 title</A>\n<DD>Words\u0085 \u2066here'
    const { bookmarks } = await importItems(item)
    expect(bookmarks).toMatchObject([{ title: 'A evil title', description: 'Words here' }])
  })

  test('are cut to the maximum lengths of a bookmark, also if two records become one bookmark', async () => {
    const tags = (from: number) => Array.from({ length: 40 }, (_, index) => `t${from + index}`).join()
    const { bookmarks } = await importItems(
      `<DT><A HREF="https://a.example/" TAGS="${tags(0)}">${'t'.repeat(600)}</A>\n<DD>${'a'.repeat(2000)}`,
      `<DT><A HREF="https://a.example/#b" TAGS="${tags(100)}">B</A>\n<DD>${'b'.repeat(2000)}`
    )
    const [bookmark] = bookmarks
    expect(bookmark?.title).toBe('t'.repeat(512))
    expect(bookmark?.description).toHaveLength(2048)
    expect(bookmark?.tags).toHaveLength(64)
  })
})

describe('over the API', () => {
  test('a file with a byte-order mark is imported', async () => {
    const service = await testService()
    const response = await post(service, `\ufeff${file('<DT><A HREF="https://a.example/">A</A>')}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ imported: 1, duplicate: 0, rejected: 0 })
  })

  test('a file of an unknown format and a request without a file get 400', async () => {
    const service = await testService()
    for (const response of [await post(service, 'Just some words'), await callApi(service, 'POST', '/imports')]) {
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: 'invalid' } })
    }
  })
})

describe('a watched file', () => {
  const FILE = '/home/owner/Bookmarks'

  test.each([
    ['deleted', false],
    ['purged', true]
  ])('a page of a watched file that its owner %s is not imported again', async (_, permanently) => {
    const ports = quickPorts()
    const pages = ['https://a.example/', 'https://b.example/']
    expect(await importWatched(ports, pages, { watched: FILE })).toMatchObject({ imported: 2, duplicate: 0 })
    await remove(ports, 'https://a.example/', permanently)
    const again = [...pages, 'https://c.example/']
    expect(await importWatched(ports, again, { watched: FILE, dryRun: true })).toMatchObject({
      imported: 1,
      duplicate: 2
    })
    expect(await importWatched(ports, again, { watched: FILE })).toMatchObject({ imported: 1, duplicate: 2 })
    const left = (await everything(ports)).map(({ url }) => url)
    expect(left.sort()).toEqual(['https://b.example/', 'https://c.example/'])
  })

  test('a page that existed before the watched file had it counts as imported', async () => {
    const ports = quickPorts()
    await importWatched(ports, ['https://a.example/'])
    expect(await importWatched(ports, ['https://a.example/'], { watched: FILE })).toMatchObject({
      imported: 0,
      duplicate: 1
    })
    await remove(ports, 'https://a.example/', true)
    expect(await importWatched(ports, ['https://a.example/'], { watched: FILE })).toMatchObject({
      imported: 0,
      duplicate: 1
    })
  })

  test('another file and an import that is not watched import the page again', async () => {
    const ports = quickPorts()
    await importWatched(ports, ['https://a.example/', 'https://b.example/'], { watched: FILE })
    await remove(ports, 'https://a.example/', true)
    await remove(ports, 'https://b.example/', true)
    expect(await importWatched(ports, ['https://a.example/'], { watched: '/home/owner/Other' })).toMatchObject({
      imported: 1
    })
    expect(await importWatched(ports, ['https://b.example/'])).toMatchObject({ imported: 1 })
  })

  test('a dry run of a watched file remembers nothing', async () => {
    const ports = quickPorts()
    await importWatched(ports, ['https://a.example/'], { watched: FILE, dryRun: true })
    expect(await importWatched(ports, ['https://a.example/'], { watched: FILE })).toMatchObject({ imported: 1 })
  })
})

/** Imports these items into a new library. */
async function importItems(...items: string[]) {
  const ports = quickPorts()
  const report = await importText(ports, file(...items))
  return { ports, report, bookmarks: await everything(ports) }
}

function file(...items: string[]): string {
  return `${HEAD}${items.join('\n')}\n${TAIL}`
}

function importText(ports: Ports, text: string): Promise<ImportReport> {
  return importLibrary(ports, PROFILE, piecesOf([text]))
}

async function* piecesOf(pieces: string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield new TextEncoder().encode(piece)
}

function post(service: Awaited<ReturnType<typeof testService>>, body: string): Promise<Response> {
  return service.fetch(
    new Request('http://127.0.0.1/api/imports', {
      method: 'POST',
      headers: { authorization: `Bearer ${service.commandToken}` },
      body
    })
  )
}

function importWatched(ports: Ports, addresses: string[], more: { watched?: string; dryRun?: boolean } = {}) {
  const text = addresses.map((address) => `${address}\n`).join('')
  return importLibrary(ports, PROFILE, piecesOf([text]), { format: 'urls', ...more })
}

/** Deletes a page, and purges it from the trash if asked to. */
async function remove(ports: Ports, url: string, permanently: boolean): Promise<void> {
  const ids = (await everything(ports)).filter((bookmark) => bookmark.url === url).map(({ id }) => id)
  await ports.library.changeBookmarks(ids, { kind: 'delete' }, START)
  if (permanently) await ports.library.changeBookmarks(ids, { kind: 'purge' }, START)
}
