import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { createBookmark } from '../../../src-main/actions/bookmarks/save-bookmarks.ts'
import { exportLibrary } from '../../../src-main/actions/imports/export-library.ts'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import type { Ports } from '../../../src-main/actions/ports.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { ImportReport } from '../../../src-main/contract/import-report.ts'
import { everything, quickPorts } from '../ports.ts'

async function* bytesOf(file: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof file === 'string' ? strToU8(file) : file
}

const importFile = (ports: Ports, file: string | Uint8Array) => importLibrary(ports, PROFILE, bytesOf(file))

const html = (...items: string[]) => `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${items.join('\n')}\n</DL><p>\n`

async function withDefault(defaultVisibility: 'private' | 'public'): Promise<Ports> {
  const ports = quickPorts()
  await ports.library.writeSettings({ defaultVisibility })
  return ports
}

describe.each(['private', 'public'] as const)('with the default visibility %s', (defaultVisibility) => {
  test('private links of Earmark’s own HTML stay private, others get the default', async () => {
    const from = quickPorts()
    await from.library.createOrganization('Acme', 1)
    const url = 'https://a.example/'
    await createBookmark(from, { type: 'link', url: `${url}mine`, visibility: 'private' })
    await createBookmark(from, { type: 'link', url: `${url}acme`, organization: 'Acme' })
    await createBookmark(from, { type: 'link', url: `${url}everyone`, visibility: 'public' })
    let file = ''
    for await (const piece of exportLibrary(from, 'html', {})) file += piece

    const to = await withDefault(defaultVisibility)
    expect(await importFile(to, file)).toMatchObject({ imported: 3, rejected: 0 })
    expect(await visibilities(to)).toEqual({
      [`${url}mine`]: 'private',
      [`${url}acme`]: 'private',
      [`${url}everyone`]: defaultVisibility
    })
    expect(await importFile(to, file)).toMatchObject({ imported: 0, duplicate: 3 })
  })

  test('PRIVATE="0" gets the default', async () => {
    const ports = await withDefault(defaultVisibility)
    await importFile(ports, html('<DT><A HREF="https://a.example/" PRIVATE="0">A</A>'))
    expect(await visibilities(ports)).toEqual({ 'https://a.example/': defaultVisibility })
  })
})

async function visibilities(ports: Ports): Promise<Record<string, string>> {
  return Object.fromEntries((await everything(ports)).map(({ url, visibility }) => [url, visibility]))
}

test('folders that differ only in their last names become different tags, however long they are', async () => {
  const ports = quickPorts()
  const outer = ['Research and development projects of the institute', 'International collaborations since 2019']
  const nested = (names: string[], url: string): string => {
    const [first, ...rest] = names
    if (first === undefined) return `<DT><A HREF="${url}">A</A>`
    return `<DT><H3>${first}</H3><DL><p>${nested(rest, url)}</DL>`
  }
  const last = ['Alpha', 'Beta', 'Gamma']
  const report = await importFile(
    ports,
    html(...last.map((name) => nested([...outer, name], `https://${name}.example/`)))
  )
  expect(report).not.toHaveProperty('dropped')
  const tags = (await everything(ports)).flatMap((bookmark) => bookmark.tags)
  expect(tags.sort()).toEqual(last.map((name) => [...outer, name].join('/')))
})

test('a folder’s name that is too long is cut, and counted', async () => {
  const ports = quickPorts()
  const file = html(
    `<DT><H3>${'n'.repeat(100)}</H3><DL><p><DT><H3>In it</H3><DL><p><DT><A HREF="https://a.example/">A</A>`
  )
  expect(await importFile(ports, file)).toMatchObject({ dropped: { 'ends of long tags': 1 } })
  expect((await everything(ports))[0]?.tags).toEqual([`${'n'.repeat(64)}/In it`])
})

test('the text of an imported article is the searchable text of its page, and stays when the page is read', async () => {
  const ports = quickPorts()
  const content = '<h1>Head</h1><p>About <b>giraffes</b> at night'
  const article = { is_archived: 0, title: 'A', url: 'https://a.example/', content, published_by: ['A. Writer'] }
  expect(await importFile(ports, JSON.stringify([article]))).toMatchObject({ imported: 1 })
  const [bookmark] = await everything(ports)
  const id = bookmark?.id ?? ''
  expect(bookmark?.description).toBe('By A. Writer')
  expect(await ports.library.findStoredPage(id)).toMatchObject({ textFrom: 'import' })
  expect(await ports.library.readPageTexts([id])).toEqual(new Map([[id, 'Head\n\nAbout giraffes at night']]))
  expect((await ports.library.readPageText(id)).markdown).toBe('# Head\n\nAbout **giraffes** at night')
  const query = { words: 'giraffes night', page: 1, limit: 5 }
  expect(await ports.library.searchBookmarks(PROFILE, query)).toMatchObject({ total: 1 })
  const details = {
    kind: 'page',
    title: '',
    description: '',
    siteName: '',
    canonicalUrl: null,
    language: null
  } as const
  const fetched = { ...details, publishedAt: null, text: 'Please log in', markdown: null, icon: null, preview: null }
  const page = { id, url: 'https://a.example/', domain: 'a.example', attempts: 0 }
  await ports.library.saveDetails(page, fetched, 1)
  expect((await ports.library.readPageTexts([id])).get(id)).toContain('giraffes')
  await importFile(ports, JSON.stringify([{ ...article, content: '<p>Another text' }]))
  expect((await ports.library.readPageTexts([id])).get(id)).toContain('giraffes')
})

test('separators are counted as skipped', async () => {
  const file = html('<DT><A HREF="https://a.example/">A</A>', '<HR>', '<DT><A HREF="javascript:x">B</A>', '<HR>')
  expect(await importFile(quickPorts(), file)).toMatchObject({ imported: 1, rejected: 1, skipped: { separators: 2 } })
})

test('an existing link does not become private', async () => {
  const ports = await withDefault('public')
  await createBookmark(ports, { type: 'link', url: 'https://a.example/', title: 'Mine', tags: ['own'] })
  await importFile(ports, html('<DT><A HREF="https://a.example/" PRIVATE="1" TOREAD="1">Theirs</A>'))
  expect(await everything(ports)).toMatchObject([{ title: 'Mine', tags: ['own'], visibility: 'public' }])
})

describe('a record without a web address', () => {
  test.each([
    ['Shaarli’s note', '<DT><A HREF="?lY47tw" TAGS="recipe">Cakes</A>\n<DD>Butter\n\nSugar'],
    ['a note by its path', '<DT><A HREF="/shaare/lY47tw" TAGS="recipe">Cakes</A>\n<DD>Butter\n\nSugar'],
    ['a note that leads nowhere', '<DT><A HREF="" TAGS="recipe">Cakes</A>\n<DD>Butter\n\nSugar']
  ])('but with a text becomes a text: %s', async (_, item) => {
    const ports = quickPorts()
    expect(await importFile(ports, html(item))).toMatchObject({ imported: 1, rejected: 0 })
    expect(await everything(ports)).toMatchObject([
      { type: 'text', url: null, title: 'Cakes', content: 'Butter\n\nSugar', description: '', tags: ['recipe'] }
    ])
    expect(await importFile(ports, html(item))).toMatchObject({ imported: 0, duplicate: 1 })
  })

  test('becomes a text from a table too', async () => {
    const ports = quickPorts()
    const file = 'title,note,excerpt,url,folder,tags,created\nCakes,Butter,,,Unsorted,,2024-05-01T10:00:00Z\n'
    expect(await importFile(ports, file)).toMatchObject({ imported: 1, rejected: 0 })
    expect(await everything(ports)).toMatchObject([{ type: 'text', title: 'Cakes', content: 'Butter' }])
  })

  test('becomes a text of its title alone', async () => {
    const ports = quickPorts()
    await importFile(ports, html('<DT><A HREF="?lY47tw">Buy butter</A>'))
    expect(await everything(ports)).toMatchObject([{ type: 'text', content: 'Buy butter' }])
  })

  test.each([
    ['only a name', '<DT><A HREF="">Cakes</A>', /^no address$/],
    ['a script', '<DT><A HREF="javascript:alert(1)">Run</A>\n<DD>It runs', /^javascript: cannot be saved/],
    ['a file’s name', '<DT><A HREF="page.html">A</A>\n<DD>About it', /^not an address$/]
  ])('is rejected if it has %s', async (_, item, reason) => {
    const { imported, rejects } = await importFile(quickPorts(), html(item))
    expect(imported).toBe(0)
    expect(rejects).toEqual([
      { line: 3, name: /<A.*>(.*)<\/A>/.exec(item)?.[1], reason: expect.stringMatching(reason) }
    ])
  })

  test.each(['//a.example/x', 'a.example/x'])('becomes a link if only the scheme is missing: %s', async (address) => {
    const ports = quickPorts()
    expect(await importFile(ports, html(`<DT><A HREF="${address}">A</A>`))).toMatchObject({ imported: 1, rejects: [] })
    expect(await everything(ports)).toMatchObject([{ type: 'link', url: 'https://a.example/x' }])
  })
})

describe('the report of dropped details', () => {
  async function droppedOf(file: string | Uint8Array): Promise<ImportReport['dropped']> {
    return (await importFile(quickPorts(), file)).dropped
  }

  test('counts user names and passwords in addresses', async () => {
    const file = 'https://ann:pass@a.example/\nhttps://a.example/b\nhttps://ann@a.example/c\n'
    expect(await droppedOf(file)).toEqual({ 'user names and passwords in addresses': 2 })
  })

  test('counts details by kind, of imported records only', async () => {
    const file = html(
      '<DT><A HREF="https://a.example/" ICON="data:,x" SHORTCUTURL="a">A</A>',
      '<DT><A HREF="https://b.example/" ICON="data:,x">B</A>',
      '<DT><A HREF="javascript:x" ICON="data:,x">Run</A>'
    )
    expect(await droppedOf(file)).toEqual({ icons: 2, keywords: 1 })
  })

  test('counts texts that are cut', async () => {
    const tags = Array.from({ length: 70 }, (_, index) => `t${index}`)
    const file = html(
      `<DT><A HREF="https://a.example/" TAGS="${tags.join(',')}">${'t'.repeat(600)}</A>\n<DD>${'d'.repeat(3000)}`,
      `<DT><A HREF="https://b.example/" TAGS="${'t'.repeat(80)}">B${' '.repeat(600)}</A>`,
      '<DT><A HREF="https://c.example/" TAGS="t">C</A>\n<DD>Short'
    )
    expect(await droppedOf(file)).toEqual({
      'ends of long titles': 1,
      'ends of long descriptions': 1,
      'ends of long tags': 1,
      'tags beyond the 64th': 1
    })
  })

  test('counts contents that are cut', async () => {
    const note = { title: 'Long', content: { type: 'text', text: 'x'.repeat(100_001) }, tags: [], createdAt: 1 }
    expect(await droppedOf(JSON.stringify({ bookmarks: [note] }))).toEqual({ 'ends of long texts': 1 })
  })

  test('counts files of an archive without bookmarks', async () => {
    const archive = zipSync({
      'part_000000.csv': strToU8('title,url,time_added,tags,status\nA,https://a.example/,1700000000,,unread\n'),
      'annotations/': new Uint8Array(),
      'annotations/part_000000.json': strToU8('[{"highlights":[]}]')
    })
    expect(await droppedOf(archive)).toEqual({ 'other files of the archive': 1 })
  })

  test('is left out if nothing is dropped', async () => {
    expect(await importFile(quickPorts(), 'https://a.example/\n')).not.toHaveProperty('dropped')
  })
})
