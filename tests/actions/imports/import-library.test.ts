import { describe, expect, test } from 'vitest'
import { saveBookmarks } from '../../../src-main/actions/bookmarks/save-bookmarks.ts'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import type { Ports } from '../../../src-main/actions/ports.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { ImportReport } from '../../../src-main/contract/import-report.ts'
import { callApi, testService } from '../../support/service.ts'
import { everything, link, PRIVATE, START, testPorts } from '../ports.ts'

const HEAD = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n'
const TAIL = '</DL><p>\n'

describe('an import', () => {
  test('saves what the file holds of a bookmark', async () => {
    const ports = await testPorts()
    const item = '<DT><A HREF="https://a.example/page" ADD_DATE="1500000000" TAGS="one,two">A page</A>\n<DD>About it\n'
    expect(await importText(ports, HEAD + item + TAIL)).toEqual({
      imported: 1,
      duplicate: 0,
      rejected: 0,
      rejects: [],
      undo: 1
    })
    expect(await everything(ports)).toMatchObject([
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

  test('dates a bookmark without a date now', async () => {
    const ports = await testPorts()
    await importText(ports, file('<DT><A HREF="https://a.example/">A</A>'))
    expect(await everything(ports)).toMatchObject([{ createdAt: START }])
  })

  test('makes no one bookmark of several addresses in a record', async () => {
    const ports = await testPorts()
    const report = await importText(ports, file('<DT><A HREF="https://a.example/x, https://b.example/y">Two</A>'))
    expect(report).toMatchObject({ imported: 0, rejected: 1, rejects: [{ reason: expect.stringMatching(/^several/) }] })
  })

  test('counts every record once: imported, duplicate or rejected, with line and reason', async () => {
    const ports = await testPorts()
    const report = await importText(
      ports,
      file(
        '<DT><A HREF="https://a.example/">A</A>',
        '<DT><A HREF="javascript:alert(1)">B</A>',
        '<DT><A HREF="https://a.example/#again">C</A>',
        '<DT><A HREF="place:sort=8">D</A>',
        '<DT><A HREF="https://b.example/">E</A>',
        '<DT><A>F</A>'
      )
    )
    expect(report).toEqual({
      imported: 2,
      duplicate: 1,
      rejected: 3,
      rejects: [
        { line: 6, reason: expect.stringContaining('javascript:') },
        { line: 8, reason: expect.stringContaining('place:') },
        { line: 10, reason: 'empty' }
      ],
      repeated: 1,
      merged: 1,
      undo: 1
    })
    expect(await everything(ports)).toHaveLength(2)
  })

  test('counts right across its own batches', async () => {
    const ports = await testPorts()
    const items = Array.from({ length: 1203 }, (_, index) => `<DT><A HREF="https://a.example/${index % 1001}">x</A>`)
    const counts = { imported: 1001, duplicate: 202, repeated: 202, rejected: 0 }
    expect(await importText(ports, file(...items))).toMatchObject(counts)
    expect(await ports.library.countBookmarks(PROFILE)).toBe(1001)
  })

  test('of the same file a second time adds nothing', async () => {
    const ports = await testPorts()
    const text = file('<DT><A HREF="https://a.example/">A</A>', '<DT><A HREF="https://b.example/">B</A>')
    await importText(ports, text)
    expect(await importText(ports, text)).toMatchObject({ imported: 0, duplicate: 2, rejected: 0 })
    expect(await everything(ports)).toHaveLength(2)
  })

  test('adds the title, description and tags of a page’s second record to its bookmark, and finds it by them', async () => {
    const ports = await testPorts()
    const records = [
      '<DT><A HREF="https://a.example/doc#events" TAGS="one">Events</A>\n<DD>Who listens',
      '<DT><A HREF="https://a.example/doc" TAGS="one,two">Streams</A>\n<DD>Who reads',
      '<DT><A HREF="https://a.example/doc#events">Events</A>'
    ]
    const report = await importText(ports, file(...records))
    expect(report).toMatchObject({ imported: 1, duplicate: 2, rejected: 0, repeated: 2, merged: 1 })
    const described = { title: 'Events', description: 'Who listens\nStreams\nWho reads', tags: ['one', 'two'] }
    expect(await everything(ports)).toMatchObject([described])
    while ((await ports.library.indexSome()) > 0);
    for (const words of ['streams', 'listens reads']) {
      const { bookmarks } = await ports.library.searchBookmarks(PROFILE, { words, page: 1, limit: 5 })
      expect(bookmarks, words).toMatchObject([described])
    }
    // What is there when an import begins stays as it is.
    const again = file('<DT><A HREF="https://a.example/doc#late" TAGS="three">Late</A>')
    const later = await importText(ports, again)
    expect(later).toMatchObject({ imported: 0, duplicate: 1 })
    expect(later.repeated).toBeUndefined()
    expect(await everything(ports)).toMatchObject([described])
  })

  test('says that a page’s second record has more words than there is room for', async () => {
    const ports = await testPorts()
    const records = ['one', 'two'].map(
      (word) => `<DT><A HREF="https://a.example/">${word}</A>\n<DD>${word.repeat(500)}`
    )
    const report = await importText(ports, file(...records))
    expect(report).toMatchObject({ imported: 1, merged: 1, dropped: { 'ends of long descriptions': 1 } })
    expect((await everything(ports))[0]?.description).toContain('two')
  })

  test('keeps private what one of two records of a page keeps private', async () => {
    const ports = await testPorts()
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

  test('keeps no login of an address that is its title', async () => {
    const ports = await testPorts()
    const address = 'https://alice:secret@a.example/x'
    const report = await importText(ports, file(`<DT><A HREF="${address}">${address}</A>`))
    expect(report).toMatchObject({ imported: 1 })
    expect(JSON.stringify(await everything(ports))).not.toMatch(/alice|secret/)
  })

  test('adds no more to a description or to tags than a bookmark holds', async () => {
    const ports = await testPorts()
    const tags = (from: number) => Array.from({ length: 40 }, (_, index) => `t${from + index}`).join()
    await importText(
      ports,
      file(
        `<DT><A HREF="https://a.example/" TAGS="${tags(0)}">A</A>\n<DD>${'a'.repeat(2000)}`,
        `<DT><A HREF="https://a.example/#b" TAGS="${tags(100)}">B</A>\n<DD>${'b'.repeat(2000)}`
      )
    )
    const [bookmark] = await everything(ports)
    expect(bookmark?.description).toHaveLength(2048)
    expect(bookmark?.tags).toHaveLength(64)
  })

  test('never overwrites the owner’s own title, description, tags or date', async () => {
    const ports = await testPorts()
    const own = { title: 'My title', description: 'My words', tags: ['mine'], createdAt: 1_400_000_000_000 }
    await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/', own)])
    ports.clock.time += 1000
    const item = '<DT><A HREF="https://a.example/" ADD_DATE="1500000000" TAGS="theirs">Their title</A>\n<DD>Theirs'
    expect(await importText(ports, file(item))).toMatchObject({ imported: 0, duplicate: 1 })
    expect(await everything(ports)).toMatchObject([{ ...own, updatedAt: START }])
  })

  test('leaves a page alone that an agent saved without a title', async () => {
    const ports = await testPorts()
    await saveBookmarks(ports, PROFILE, ['https://a.example/'])
    expect(await importText(ports, file('<DT><A HREF="https://a.example/">A</A>'))).toMatchObject({ duplicate: 1 })
    expect(await everything(ports)).toHaveLength(1)
  })

  test('reads the same whatever pieces the file arrives in', async () => {
    const item = '<DT><A HREF="https://a.example/?a=1&amp;b=2" TAGS="x,y">Ümläut &amp; 😀</A>\n<DD>Some words\n'
    const whole = await testPorts()
    await importText(whole, file(item))
    const pieces = await testPorts()
    await importLibrary(pieces, PROFILE, piecesOf([...file(item)]))
    const facts = ({ id: _, ...rest }: { id: string }) => rest
    expect((await everything(pieces)).map(facts)).toEqual((await everything(whole)).map(facts))
  })

  test('of an organization stays in the organization', async () => {
    const ports = await testPorts()
    const { rowId } = await ports.library.createOrganization('Client', START)
    const text = file('<DT><A HREF="https://a.example/">A</A>')
    await importLibrary(ports, { owner: rowId, readOnly: false }, piecesOf([text]))
    expect(await everything(ports)).toMatchObject([{ visibility: 'organization', organization: 'Client' }])
  })

  test.each([
    ['an empty file', ''],
    ['a text', 'Just some words'],
    ['a web page', '<!doctype html><html><body><p>Hello</p></body></html>'],
    ['JSON', '{"roots":{}}'],
    ['bytes', '\u0000\u0001\u0002']
  ])('of %s is refused in words for a person, and nothing is written', async (_, text) => {
    const ports = await testPorts()
    await expect(importText(ports, text)).rejects.toMatchObject({ name: 'Problem', code: 'invalid' })
    expect(await everything(ports)).toEqual([])
  })

  test('counts every reject and lists the first thousand', async () => {
    const ports = await testPorts()
    const bad = Array.from({ length: 1500 }, () => '<DT><A HREF="javascript:x">X</A>')
    const report = await importText(ports, file(...bad))
    expect(report).toMatchObject({ imported: 0, rejected: 1500, unlisted: 500 })
    expect(report.rejects).toHaveLength(1000)
    expect(report.rejects[0]?.line).toBeLessThan(report.rejects[999]?.line ?? 0)
  })

  test('of a file without bookmarks is no fault', async () => {
    const ports = await testPorts()
    expect(await importText(ports, HEAD + TAIL)).toEqual({ imported: 0, duplicate: 0, rejected: 0, rejects: [] })
  })
})

describe('tags of an import', () => {
  test.each([
    ['in another case are one', 'Web,web,WEB', ['Web']],
    ['lose their number sign', '#web,##dev', ['dev', 'web']],
    ['lose control characters and spaces around', ' we\u0007b , \u202ede v ', ['de v', 'web']],
    ['that are empty are dropped', ',, ,#,web', ['web']],
    ['are cut at 64 characters', 'x'.repeat(100), ['x'.repeat(64)]],
    ['however an accent is encoded are one', 'caf\u00e9,cafe\u0301', ['caf\u00e9']]
  ])('%s', async (_, tags, expected) => {
    const ports = await testPorts()
    await importText(ports, file(`<DT><A HREF="https://a.example/" TAGS="${tags}">A</A>`))
    expect(await everything(ports)).toMatchObject([{ tags: expected }])
  })

  test('are at most 64', async () => {
    const ports = await testPorts()
    const tags = Array.from({ length: 100 }, (_, index) => `tag${index}`).join(',')
    await importText(ports, file(`<DT><A HREF="https://a.example/" TAGS="${tags}">A</A>`))
    const [row] = await everything(ports)
    expect(row?.tags).toHaveLength(64)
  })

  test('hold the folder’s path', async () => {
    const ports = await testPorts()
    const work = '<DT><H3>Work</H3>\n<DL><p>'
    const client = '<DT><H3>Client</H3>\n<DL><p>'
    await importText(ports, file(work, client, '<DT><A HREF="https://a.example/">A</A>', '</DL><p>', '</DL><p>'))
    expect(await everything(ports)).toMatchObject([{ tags: ['Work/Client'] }])
  })
})

describe('texts of an import', () => {
  test('lose control and bidirectional-override characters', async () => {
    const ports = await testPorts()
    const item = '<DT><A HREF="https://a.example/">A\u0000 \u202eevil\u202c\u0007 title</A>\n<DD>Words\u0085 \u2066here'
    await importText(ports, file(item))
    expect(await everything(ports)).toMatchObject([{ title: 'A evil title', description: 'Words here' }])
  })

  test('are cut to what a bookmark holds', async () => {
    const ports = await testPorts()
    const item = `<DT><A HREF="https://a.example/">${'t'.repeat(600)}</A>\n<DD>${'d'.repeat(3000)}`
    await importText(ports, file(item))
    expect(await everything(ports)).toMatchObject([{ title: 't'.repeat(512), description: 'd'.repeat(2048) }])
  })

  test('that look like markup stay text', async () => {
    const ports = await testPorts()
    await importText(ports, file('<DT><A HREF="https://a.example/">&lt;img src=x onerror=alert(1)&gt;</A>'))
    expect(await everything(ports)).toMatchObject([{ title: '<img src=x onerror=alert(1)>' }])
  })
})

describe('over the API', () => {
  test('a file with a byte-order mark is imported', async () => {
    const service = await testService()
    const response = await post(service, `\ufeff${file('<DT><A HREF="https://a.example/">A</A>')}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ imported: 1, duplicate: 0, rejected: 0 })
  })

  test('a file of an unknown kind is the sender’s mistake', async () => {
    const response = await post(await testService(), 'Just some words')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid' } })
  })

  test('no file is the sender’s mistake', async () => {
    const response = await callApi(await testService(), 'POST', '/imports')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid' } })
  })
})

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
