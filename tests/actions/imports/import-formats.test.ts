import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import { undoImport } from '../../../src-main/actions/undo.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { FileItem, ReadBatch, ReadOptions } from '../../../src-main/contract/import-format.ts'
import { Problem } from '../../../src-main/contract/problem.ts'
import { openFormats } from '../../../src-main/formats/import-process.ts'
import { startNodeProcess } from '../../../src-main/host/own-program.ts'
import { bookmarkFiles, mozLz4 } from '../../support/bookmark-files.ts'
import { countTurns } from '../../support/measure.ts'
import { runs } from '../../support/runs.ts'
import { sharedPorts } from '../ports.ts'

const shared = sharedPorts()

async function* inPieces(bytes: Uint8Array, size = 16_384): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.slice(offset, offset + size)
}

/** The batches of a file, read in this process. */
async function batchesOf(bytes: Uint8Array, options?: ReadOptions, size?: number): Promise<ReadBatch[]> {
  const batches: ReadBatch[] = []
  for await (const batch of openFormats().readFile(inPieces(bytes, size), options)) batches.push(batch)
  return batches
}

async function itemsIn(bytes: Uint8Array, size?: number): Promise<FileItem[]> {
  return (await batchesOf(bytes, {}, size)).flatMap(({ items }) => items)
}

describe.each(bookmarkFiles)('$name', ({ bytes, records }) => {
  test('is recognized by its content, and every record is read, in pieces of any size', async () => {
    expect(await itemsIn(bytes)).toHaveLength(records)
    expect(await itemsIn(bytes, 1)).toEqual(await itemsIn(bytes))
  })

  test('is imported as its preview reports, adds nothing the second time, and is undone in one step', async () => {
    const ports = shared()
    const before = await ports.library.countBookmarks(PROFILE)
    const preview = await importLibrary(ports, PROFILE, inPieces(bytes), { dryRun: true })
    expect(await ports.library.countBookmarks(PROFILE)).toBe(before)
    const { undo = 0, ...report } = await importLibrary(ports, PROFILE, inPieces(bytes))
    expect(report).toEqual(preview)
    expect(report.imported + report.duplicate + report.rejected).toBe(records)
    expect(await ports.library.countBookmarks(PROFILE)).toBe(before + report.imported)
    expect(await importLibrary(ports, PROFILE, inPieces(bytes))).toMatchObject({
      imported: 0,
      duplicate: report.imported + report.duplicate,
      rejected: report.rejected
    })
    expect(await undoImport(ports, undo)).toEqual({ undone: report.imported, kept: 0 })
    expect(await ports.library.countBookmarks(PROFILE)).toBe(before)
  })
})

test('of mutated files every record is counted, or the file is refused', async () => {
  const ports = shared()
  const change = fc.record({
    kind: fc.constantFrom('cut', 'flip', 'insert', 'repeat', 'remove'),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 40, size: 'max' })
  })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...bookmarkFiles),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (file, changes) => {
        const bytes = changes.reduce(mutated, file.bytes)
        const items = await itemsIn(bytes).catch(refusal)
        const report = await importLibrary(ports, PROFILE, inPieces(bytes)).catch(refusal)
        if (items === 'refused' || report === 'refused') expect(report).toBe(items)
        else {
          const skipped = Object.values(report.skipped ?? {}).reduce((sum, count) => sum + count, 0)
          expect(report.imported + report.duplicate + report.rejected + skipped).toBe(items.length)
        }
      }
    ),
    { numRuns: runs(60, 300) }
  )
}, 120_000)

function mutated(
  bytes: Uint8Array,
  { kind, place, bytes: garbage }: { kind: string; place: number; bytes: Uint8Array }
): Uint8Array {
  const offset = Math.floor(place * bytes.length)
  const [before, after] = [bytes.slice(0, offset), bytes.slice(offset)]
  const parts: Record<string, Uint8Array[]> = {
    cut: [before],
    flip: [before, garbage, after.slice(garbage.length)],
    insert: [before, garbage, after],
    repeat: [bytes, after],
    remove: [before, after.slice(garbage.length)]
  }
  return new Uint8Array(Buffer.concat(parts[kind] ?? []))
}

function refusal(error: unknown): 'refused' {
  if (error instanceof Problem && error.code === 'invalid') return 'refused'
  throw error
}

const html = strToU8('<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF="ftp://a.example/">A</A>\n')

describe('an archive', () => {
  test('is read without its passwords, pages and other files', async () => {
    const secret = strToU8('Title,URL,Username,Password,Notes,OTPAuth\nA,https://bank.example/,me,hunter2,,\n')
    const items = await itemsIn(
      zipSync({
        'Passwords.csv': secret,
        'Lesezeichen.html': html,
        'History.json': strToU8('{"history":[{"url":"https://b.example/"}]}'),
        'content/page.html': strToU8('<dl><dt><a href="https://c.example/">C</a>'),
        '__MACOSX/._Lesezeichen.html': html
      })
    )
    expect(items).toMatchObject([{ url: 'ftp://a.example/', file: 'Lesezeichen.html' }])
  })

  test('is named file by file in the rejects', async () => {
    const report = await importLibrary(shared(), PROFILE, inPieces(zipSync({ 'a.html': html, 'b.html': html })))
    expect(report.rejects).toEqual([
      { line: 3, name: 'A', reason: expect.stringContaining('ftp'), file: 'a.html' },
      { line: 3, name: 'A', reason: expect.stringContaining('ftp'), file: 'b.html' }
    ])
  })

  test('without bookmarks is refused with the names of its files', async () => {
    await expect(itemsIn(zipSync({ 'a.txt': strToU8('Hello') }))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/Its files: a\.txt\. Earmark reads: .*Pocket/)
    })
  })

  test('that is cut off is refused', async () => {
    const archive = zipSync({ 'a.html': html, 'b.html': html })
    await expect(itemsIn(archive.slice(0, -40))).rejects.toMatchObject({ code: 'invalid' })
  })

  test('with a damaged file yields the others, and rejects that file', async () => {
    const report = await importLibrary(
      shared(),
      PROFILE,
      inPieces(zipSync({ 'metadata_0.json': strToU8('[{"savedAt":"2024-01-01","slug":"a"'), 'b.html': html })),
      { dryRun: true }
    )
    expect(report.rejects).toMatchObject([
      { file: 'metadata_0.json', reason: expect.stringMatching(/damaged or cut off/) },
      { file: 'b.html', line: 3 }
    ])
  })

  test('that unpacks to more than 200 MB is refused before it is unpacked', async () => {
    const bomb = zipSync({ 'part_000000.csv': new Uint8Array(201_000_000), 'b.html': html }, { level: 9 })
    expect(bomb.length).toBeLessThan(1_000_000)
    const begun = process.memoryUsage().rss
    await expect(itemsIn(bomb)).rejects.toMatchObject({ code: 'invalid', message: expect.stringMatching(/200 MB/) })
    expect(process.memoryUsage().rss - begun).toBeLessThan(100_000_000)
  })
})

test('a small archive of very many records is read in several turns of the event loop', async () => {
  const lines = strToU8('<DT><A HREF="x:y">A</A>\n'.repeat(40_000))
  const packed = zipSync({ 'a.html': Buffer.concat([html, lines]) }, { level: 9 })
  expect(packed.length).toBeLessThan(16_384)
  const turns = countTurns()
  expect(await itemsIn(packed)).toHaveLength(40_001)
  // A turn takes a few milliseconds.
  expect(turns()).toBeGreaterThanOrEqual(8)
})

describe('a compressed Firefox backup', () => {
  const children = Array.from({ length: 3000 }, (_, index) => ({
    typeCode: 1,
    uri: `https://a.example/${index}`,
    title: 'T'
  }))
  const text = JSON.stringify({ root: 'placesRoot', typeCode: 2, children: [{ root: 'toolbarFolder', children }] })

  test('that is larger than the LZ4 window is read completely', async () => {
    const bytes = mozLz4(strToU8(text))
    expect(bytes.length).toBeLessThan(text.length)
    const items = await itemsIn(bytes)
    expect(items.map((item) => 'url' in item && item.url)).toEqual(children.map(({ uri }) => uri))
  })

  test('that is cut off is refused', async () => {
    const bytes = mozLz4(strToU8(text))
    for (const length of [10, bytes.length / 2, bytes.length - 1]) {
      await expect(itemsIn(bytes.slice(0, length))).rejects.toMatchObject({ code: 'invalid' })
    }
  })
})

test('Omnivore’s texts and highlights are read with their pages', async () => {
  const page = (slug: string) => ({
    slug,
    title: slug,
    url: `https://${slug}.example/`,
    savedAt: '2024-05-01',
    labels: []
  })
  const items = await itemsIn(
    zipSync({
      'metadata_0_to_20.json': strToU8(JSON.stringify([page('a'), page('b'), page('c')])),
      'content/a.html': strToU8('<p>Text of a'),
      'highlights/a.md': strToU8('Of the page\n\n> Marked\n> twice \n\n#label\n\nMy note\n\n> Again '),
      'content/b.html': strToU8('<dl><dt><a href="https://x.example/">Text of b</a>'),
      'content/other.html': strToU8('<p>Nobody’s')
    })
  )
  expect(items).toMatchObject([
    {
      title: 'a',
      pageText: { text: 'Text of a' },
      description: 'Of the page',
      highlights: [
        { quote: 'Marked\ntwice', note: '#label\n\nMy note' },
        { quote: 'Again', note: '' }
      ]
    },
    { title: 'b', pageText: { text: 'Text of b' }, description: '', highlights: [] },
    { title: 'c' }
  ])
  expect(items[2]).not.toMatchObject({ pageText: expect.anything() })
})

/** Texts in encodings other than UTF-8, as iconv writes them. */
const ENCODED: [encoding: string, text: string, base64: string][] = [
  ['windows-1251', 'Рецепты борща', '0OX25e/y+yDh7vD54A=='],
  ['koi8-r', 'Рецепты борща', '8sXDxdDU2SDCz9LdwQ=='],
  ['shift_jis', '料理のレシピ', 'l7+XnYLMg4yDVoNz'],
  ['euc-jp', '料理のレシピ', 'zsHN/aTOpeylt6XU'],
  ['iso-2022-jp', '料理のレシピ', 'GyRCTkFNfSROJWwlNyVUGyhC'],
  ['gb18030', '新闻天气预报菜谱大全', '0MLOxczsxvjUpLGossvG17TzyKs='],
  ['big5', '新聞天氣預報食譜大全程式設計', 't3O7RKTRrvC5d7P4rbnD0KRqpf61e6ahs12tcA=='],
  ['euc-kr', '뉴스 날씨 요리', 'tLq9uiCzr76+IL/kuK4='],
  ['windows-874', 'สูตรอาหารไทย', 'ytm1w83Sy9LD5LfC'],
  ['windows-1252', 'Café à Genève', 'Q2Fm6SDgIEdlbuh2ZQ==']
]

describe.each(ENCODED)('%s', (encoding, text, base64) => {
  const line = (title: Uint8Array) =>
    Buffer.concat([strToU8('<DT><A HREF="https://a.example/">'), title, strToU8('</A>\n')])
  const title = Buffer.from(base64, 'base64')

  test.each([1, 16_384])('is detected and reported, in pieces of %i bytes', async (size) => {
    const file = Buffer.concat([strToU8('<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n'), line(title)])
    const batches = await batchesOf(new Uint8Array(file), {}, size)
    expect(batches).toMatchObject([{ items: [{ title: text }], encodings: [encoding] }])
  })

  test('is used if the file declares it, even after much ASCII', async () => {
    const head = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=${encoding}">\n`
    const file = Buffer.concat([strToU8(head), ...Array(3000).fill(line(strToU8('Plain'))), line(title)])
    const items = await itemsIn(new Uint8Array(file))
    expect(items.at(-1)).toMatchObject({ title: text })
  })
})

test.each([
  ['UTF-8 with a few letters, whatever is declared', 'utf-8', 'windows-1251', 'Ünïcödé ß'],
  ['UTF-8 that is declared, with one letter', 'utf-8', 'utf-8', 'é'],
  ['GB2312 that could be UTF-8 by chance', 'gbk', 'gb2312', Buffer.from('cda8', 'hex')],
  ['UTF-8 with codes of a terminal', 'utf-8', 'utf-8', 'é \u001b(B']
])('%s is read in its real encoding', async (_, encoding, declared, title) => {
  const bytes = typeof title === 'string' ? strToU8(title) : title
  const head = strToU8(`<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=${declared}">\n`)
  const file = Buffer.concat([head, strToU8('<DL><p>\n<DT><A HREF="https://a.example/">'), bytes, strToU8('</A>\n')])
  const items = await itemsIn(new Uint8Array(file))
  expect(items).toMatchObject([{ title: new TextDecoder(encoding).decode(bytes) }])
})

test('the report has the encoding, and counts unreadable characters', async () => {
  const html = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n'
  const latin = Buffer.from(`${html}<DT><A HREF="https://latin.example/">Caf\u00e9 cr\u00e8me</A>\n`, 'latin1')
  expect(await importLibrary(shared(), PROFILE, inPieces(new Uint8Array(latin)), { dryRun: true })).toMatchObject({
    encodings: ['windows-1252']
  })
  const text = `${html}<DT><A HREF="https://damaged.example/">Пример статьи в Интернете \u00ff</A>\n`
  const damaged = Buffer.from(text.replace('\u00ff', 'FF')).toString('latin1').replace('FF', '\u00ff')
  const report = await importLibrary(shared(), PROFILE, inPieces(new Uint8Array(Buffer.from(damaged, 'latin1'))), {
    dryRun: true
  })
  expect(report).toMatchObject({ imported: 1, dropped: { 'unreadable characters': 1 } })
  expect(report).not.toHaveProperty('encodings')
  // A file that has U+FFFD from another program is still UTF-8.
  const lost = new TextEncoder().encode(
    'title,url,time_added,tags,status\nThat’s \ufffd\ufffd,https://a.example/,1,,unread\n'
  )
  expect(await importLibrary(shared(), PROFILE, inPieces(lost), { dryRun: true })).not.toHaveProperty('encodings')
})

test.each([
  ['{"bookmarks":[{"url":"https://a.example/","title":"A"}]}', /a JSON file with the fields bookmarks, url, title/],
  ['name,web\nA,https://a.example/\n', /a CSV file with the columns name, web; one of them has to be “url”/],
  ['https://a.example/,2024-01-01\n', /a CSV file without names of columns/],
  ['https://a.example/,Rust\n', /a CSV file without names of columns, or a list of addresses with commas/],
  ['url,title\nA,B\nC,D\n', /a CSV file with the columns url, title, but most of its rows have no address/],
  ['Title,URL,Username,Password\nA,https://a.example/,me,x\n', /a list of passwords/],
  ['<!DOCTYPE html><title>My page</title><body>Hello', /a web page, “My page”/],
  ['SQLite format 3\0...', /a SQLite database/],
  ['Dear diary,\ntoday', /a text that begins with “Dear diary, today”/],
  ['', /It is empty/]
])('a file of an unknown format is refused with a description of it: %s', async (text, seen) => {
  const refusal = await itemsIn(strToU8(text)).catch((error: Error) => error)
  expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringMatching(seen) })
  for (const name of ['Netscape HTML', 'Pocket', 'Instapaper', 'Pinboard']) expect(String(refusal)).toContain(name)
})

test.each(['utf-16le', 'utf-16be'])('a file in %s is read', async (encoding) => {
  const bytes = Buffer.from('\ufeffhttps://a.example/ü\n', 'utf16le')
  if (encoding === 'utf-16be') bytes.swap16()
  expect(await itemsIn(new Uint8Array(bytes))).toMatchObject([{ url: 'https://a.example/ü' }])
})

test('a named encoding replaces the detected one; an unknown one is refused', async () => {
  const bytes = new Uint8Array(Buffer.from('url,title\nhttps://a.example/,\xcf\xf0\n', 'latin1'))
  expect(await batchesOf(bytes, { encoding: 'cp1251' })).toMatchObject([{ items: [{ title: 'Пр' }] }])
  const unknown = batchesOf(bytes, { encoding: 'klingon' })
  await expect(unknown).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('klingon') })
})

test('spaces and line breaks in a quoted address are read as browsers read them', async () => {
  const address = 'https://spaces.example/a b\n/c?q=d e'
  const json = JSON.stringify(address)
  const files = [
    `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF="${address}">A</A>\n`,
    `{"root":"placesRoot","typeCode":2,"children":[{"root":"toolbarFolder","children":[{"typeCode":1,"uri":${json}}]}]}`,
    `{"version":1,"roots":{"bookmark_bar":{"type":"folder","children":[{"type":"url","url":${json}}]}}}`,
    `url,title\n"${address}",A\n`
  ]
  const ports = shared()
  for (const file of files) {
    const { imported, duplicate, rejects, undo = 0 } = await importLibrary(ports, PROFILE, inPieces(strToU8(file)))
    expect({ imported, duplicate, rejects }).toEqual({ imported: 1, duplicate: 0, rejects: [] })
    const bookmarks = await ports.library.readBookmarks(await ports.library.matchingIds({ trash: 'without' }))
    expect(bookmarks.map(({ url }) => url)).toContain('https://spaces.example/a%20b/c?q=d%20e')
    await undoImport(ports, undo)
  }
  const several = strToU8('url,title\n"https://a.example/ https://b.example/",A\n')
  expect(await importLibrary(ports, PROFILE, inPieces(several))).toMatchObject({ rejected: 1 })
})

test('rejected records of a JSON file are named by their title or address', async () => {
  const url = (name: string, address: string) => ({ type: 'url', name, url: address })
  const children = [url('Bookmarklet', 'javascript:alert(1)'), url('', 'ftp://a.example/')]
  const file = strToU8(JSON.stringify({ roots: { bookmark_bar: { children } } }))
  const { rejects } = await importLibrary(shared(), PROFILE, inPieces(file), { dryRun: true })
  expect(rejects).toEqual([
    { name: 'Bookmarklet', reason: expect.stringContaining('javascript:') },
    { name: 'ftp://a.example/', reason: expect.stringContaining('ftp:') }
  ])
})

test('highlights of Pocket’s export are added to their bookmark', async () => {
  const highlights = [{ quote: 'One passage', created_at: 1_600_000_000 }, { quote: 'Another' }]
  const archive = zipSync({
    'part_000000.csv': strToU8('title,url,time_added,tags,status\nA,https://pocket.example/,1600000000,a,unread\n'),
    'annotations/part_000000.json': strToU8(
      JSON.stringify([{ url: 'https://pocket.example/', title: 'A', highlights }])
    )
  })
  const ports = shared()
  expect(await importLibrary(ports, PROFILE, inPieces(archive))).toMatchObject({ imported: 1, merged: 1, rejected: 0 })
  const bookmarks = await ports.library.readBookmarks(await ports.library.matchingIds({ trash: 'without' }))
  const bookmark = bookmarks.find(({ url }) => url === 'https://pocket.example/')
  expect(bookmark).toMatchObject({ title: 'A', description: '', tags: ['a', 'unread'] })
  const id = bookmark?.id ?? ''
  const saved = (await ports.library.readHighlights([id])).get(id)
  expect(saved?.map(({ quote }) => quote).sort()).toEqual(['Another', 'One passage'])
  expect(saved?.some(({ createdAt }) => createdAt === 1_600_000_000_000)).toBe(true)
})

test('a named format replaces the detected one; an unknown one is refused', async () => {
  const bytes = strToU8('a.example\n')
  expect(await batchesOf(bytes, { format: 'urls' })).toMatchObject([{ items: [{ url: 'a.example' }] }])
  await expect(batchesOf(bytes, { format: 'nothing' })).rejects.toMatchObject({ code: 'invalid' })
  for (const options of [{ format: 'nothing' }, { encoding: 'klingon' }]) {
    await expect(batchesOf(zipSync({ 'a.html': html }), options)).rejects.toMatchObject({ code: 'invalid' })
  }
})

describe('a large file', () => {
  const links = Array.from({ length: 10_000 }, (_, index) => `<DT><A HREF="https://a.example/${index}">A ${index}</A>`)
  const large = strToU8(`<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${links.join('\n')}\n`)

  async function* readInProcess(bytes: Uint8Array): AsyncGenerator<ReadBatch> {
    yield* openFormats(startNodeProcess).readFile(inPieces(bytes))
  }

  test('is read in a process, in batches that count all its records and bytes', async () => {
    const batches: ReadBatch[] = []
    for await (const batch of readInProcess(large)) batches.push(batch)
    expect(batches.length).toBeGreaterThan(10)
    expect(batches.flatMap(({ items }) => items)).toEqual(await itemsIn(large))
    expect(batches.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(large.length)
    expect(batches.reduce((sum, { found }) => sum + found, 0)).toBe(10_000)
  })

  test('comes in batches of bounded text, however long its texts are', async () => {
    const title = 'x'.repeat(1_000_000)
    const file = strToU8(JSON.stringify(Array.from({ length: 20 }, () => ({ is_archived: 0, title, url: title }))))
    let count = 0
    for await (const { items } of readInProcess(file)) {
      count += items.length
      expect(JSON.stringify(items).length).toBeLessThan(400_000)
    }
    expect(count).toBe(20)
  })

  test('that is damaged or of no known format is refused', async () => {
    const damaged = strToU8(`{"roots":{"bookmark_bar":{"children":[${'1,'.repeat(200_000)}`)
    await expect(readInProcess(damaged).next()).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/damaged/)
    })
    await expect(readInProcess(strToU8('words '.repeat(60_000))).next()).rejects.toMatchObject({ code: 'invalid' })
  })

  test('that takes too much memory is refused', async () => {
    const starting: typeof startNodeProcess = (program) => {
      const child = startNodeProcess<unknown, never>(program)
      return { ...child, send: (request) => ('options' in (request as object) ? child.kill() : child.send(request)) }
    }
    const items = openFormats(starting).readFile(inPieces(large))
    await expect(items.next()).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/memory or time/)
    })
  })
})

test('a small file of small texts is read without another process, also if it is compressed', async () => {
  const noProcess: typeof startNodeProcess = () => {
    throw new Error('a process was started')
  }
  const read = (bytes: Uint8Array) => openFormats(noProcess).readFile(inPieces(bytes)).next()
  const page = { typeCode: 1, uri: 'https://a.example/', title: 'A' }
  const json = JSON.stringify({
    root: 'placesRoot',
    typeCode: 2,
    children: [{ root: 'toolbarFolder', children: [page] }]
  })
  for (const bytes of [html, zipSync({ 'a.html': html }), mozLz4(strToU8(json))]) {
    expect((await read(bytes)).value?.items.length).toBeGreaterThan(0)
  }
  const large = zipSync({ 'a.html': Buffer.concat([html, new Uint8Array(1_000_000)]) })
  await expect(read(large)).rejects.toThrow('a process was started')
  const damaged = zipSync({ 'a.html': html }).subarray(0, 40)
  await expect(read(damaged)).rejects.toThrow('damaged or cut off')
  await expect(read(mozLz4(strToU8(json)).subarray(0, 10))).rejects.toThrow('damaged or cut off')
})
