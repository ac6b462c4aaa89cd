import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import { readItems } from '../../../src-main/actions/imports/read-items.ts'
import { undoImport } from '../../../src-main/actions/imports/undo-import.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import type { ImportedItem } from '../../../src-main/contract/import-format.ts'
import { Problem } from '../../../src-main/contract/problem.ts'
import { containers, formats } from '../../../src-main/formats/all.ts'
import { bookmarkFiles, mozLz4 } from '../../support/bookmark-files.ts'
import { countTurns } from '../../support/count-turns.ts'
import { runs } from '../../support/runs.ts'
import { sharedPorts } from '../ports.ts'

const shared = sharedPorts()

async function* inPieces(bytes: Uint8Array, size = 16_384): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

async function itemsIn(bytes: Uint8Array, size?: number): Promise<(ImportedItem & { file?: string })[]> {
  const found: ImportedItem[] = []
  for await (const item of readItems({ formats, containers }, inPieces(bytes, size))) found.push(item)
  return found
}

describe.each(bookmarkFiles)('$name', ({ bytes, records }) => {
  test('is recognised by its content, and every record of it is found', async () => {
    expect(await itemsIn(bytes)).toHaveLength(records)
    expect(await itemsIn(bytes, 1)).toEqual(await itemsIn(bytes))
  })

  test('imports as its preview says, adds nothing the second time, and is undone as one', async () => {
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

test('of mutated files every record is accounted for, or the file is refused', async () => {
  const ports = shared()
  const change = fc.record({
    kind: fc.constantFrom('cut', 'flip', 'insert', 'repeat', 'remove'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 40, size: 'max' })
  })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...bookmarkFiles),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (file, all) => {
        const bytes = all.reduce((sofar, one) => mutated(sofar, one), file.bytes)
        const items = await itemsIn(bytes).catch(refusal)
        const report = await importLibrary(ports, PROFILE, inPieces(bytes)).catch(refusal)
        if (items === 'refused' || report === 'refused') expect(report).toBe(items)
        else expect(report.imported + report.duplicate + report.rejected).toBe(items.length)
      }
    ),
    { numRuns: runs(60, 300) }
  )
}, 120_000)

function mutated(
  bytes: Uint8Array,
  { kind, at, bytes: some }: { kind: string; at: number; bytes: Uint8Array }
): Uint8Array {
  const place = Math.floor(at * bytes.length)
  const [before, after] = [bytes.slice(0, place), bytes.slice(place)]
  const parts: Record<string, Uint8Array[]> = {
    cut: [before],
    flip: [before, some, after.slice(some.length)],
    insert: [before, some, after],
    repeat: [bytes, after],
    remove: [before, after.slice(some.length)]
  }
  return new Uint8Array(Buffer.concat(parts[kind] ?? []))
}

function refusal(error: unknown): 'refused' {
  if (error instanceof Problem && error.code === 'invalid') return 'refused'
  throw error
}

const html = strToU8('<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF="ftp://a.example/">A</A>\n')

describe('an archive', () => {
  test('gives its bookmarks and nothing of the passwords, pages and cards beside them', async () => {
    const secret = strToU8('Title,URL,Username,Password,Notes,OTPAuth\nA,https://bank.example/,me,hunter2,,\n')
    const found = await itemsIn(
      zipSync({
        'Passwords.csv': secret,
        'Lesezeichen.html': html,
        'History.json': strToU8('{"history":[{"url":"https://b.example/"}]}'),
        'content/page.html': strToU8('<dl><dt><a href="https://c.example/">C</a>'),
        '__MACOSX/._Lesezeichen.html': html
      })
    )
    expect(found).toMatchObject([{ url: 'ftp://a.example/', file: 'Lesezeichen.html' }])
  })

  test('names the file a reject is in', async () => {
    const report = await importLibrary(shared(), PROFILE, inPieces(zipSync({ 'a.html': html, 'b.html': html })))
    expect(report.rejects).toEqual([
      { line: 3, reason: expect.stringContaining('ftp'), file: 'a.html' },
      { line: 3, reason: expect.stringContaining('ftp'), file: 'b.html' }
    ])
  })

  test('without bookmarks is refused', async () => {
    await expect(itemsIn(zipSync({ 'a.txt': strToU8('Hello') }))).rejects.toMatchObject({ code: 'invalid' })
  })

  test('that inflates to a thousand times its size is read as it comes', async () => {
    const bomb = zipSync({ 'part_000000.csv': new Uint8Array(50_000_000).fill(97), 'b.html': html }, { level: 9 })
    const before = process.memoryUsage().rss
    expect(await itemsIn(bomb)).toHaveLength(1)
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })
})

test('a small archive of very many records lets others have their turn while it is read', async () => {
  const lines = strToU8('<DT><A HREF="x:y">A</A>\n'.repeat(40_000))
  const packed = zipSync({ 'a.html': Buffer.concat([html, lines]) }, { level: 9 })
  expect(packed.length).toBeLessThan(16_384)
  const turns = countTurns()
  expect(await itemsIn(packed)).toHaveLength(40_001)
  // Of a few milliseconds each.
  expect(turns()).toBeGreaterThanOrEqual(8)
})

describe('a compressed Firefox backup', () => {
  const children = Array.from({ length: 3000 }, (_, index) => ({
    typeCode: 1,
    uri: `https://a.example/${index}`,
    title: 'T'
  }))
  const text = JSON.stringify({ root: 'placesRoot', typeCode: 2, children: [{ root: 'toolbarFolder', children }] })

  test('of more than what LZ4 looks back over is read whole', async () => {
    const bytes = mozLz4(strToU8(text))
    expect(bytes.length).toBeLessThan(text.length)
    const found = await itemsIn(bytes)
    expect(found.map((one) => 'url' in one && one.url)).toEqual(children.map(({ uri }) => uri))
  })

  test('that is cut off gives what is there, and says so', async () => {
    const bytes = mozLz4(strToU8(text))
    const found = await itemsIn(bytes.slice(0, bytes.length / 2))
    expect(found.length).toBeGreaterThan(1000)
    expect(found.filter((one) => 'fault' in one)).not.toEqual([])
  })
})

test.each(['utf-16le', 'utf-16be'])('a file in %s is read', async (encoding) => {
  const bytes = Buffer.from('\ufeffhttps://a.example/ü\n', 'utf16le')
  if (encoding === 'utf-16be') bytes.swap16()
  expect(await itemsIn(new Uint8Array(bytes))).toMatchObject([{ url: 'https://a.example/ü' }])
})

test('a format the owner names is taken whatever the content says; an unknown one is refused', async () => {
  const bytes = strToU8('a.example\n')
  const found = []
  for await (const item of readItems({ formats, containers }, inPieces(bytes), 'urls')) found.push(item)
  expect(found).toMatchObject([{ url: 'a.example' }])
  const unknown = readItems({ formats, containers }, inPieces(bytes), 'nothing')
  await expect(unknown.next()).rejects.toMatchObject({ code: 'invalid' })
})
