import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { Problem } from '../../../src-main/contract/problem.ts'
import { findRecovery, startEmpty } from '../../../src-main/store/files/recover-library.ts'
import { restoreLibraryFile } from '../../../src-main/store/files/restore-library-file.ts'
import { openLibrary } from '../../../src-main/store/open-library.ts'
import { runs } from '../../support/runs.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { link, PRIVATE } from '../library.ts'

const ROWS = 400
const NOW = Date.UTC(2026, 0, 2)
const ALL = { order: 'newest', page: 1, limit: 100 } as const

/** A library that was closed whole, and one as a killed process leaves it. */
let closed: string
let abandoned: string

beforeAll(async () => {
  closed = tempFolder(() => {})
  abandoned = tempFolder(() => {})
  const library = await openLibrary(closed)
  const drafts = Array.from({ length: ROWS }, (_, index) =>
    link(`https://site${index % 50}.example/${index}`, { title: `Page ${index}`, tags: [`tag${index % 20}`] })
  )
  await library.saveBookmarks(PRIVATE, drafts.slice(0, ROWS - 10))
  await library.saveBookmarks(PRIVATE, drafts.slice(ROWS - 10))
  for (const name of ['library.sqlite', 'library.sqlite-wal', 'library.seen']) {
    copyFileSync(join(closed, name), join(abandoned, name))
  }
  await library.close()
  return () => [closed, abandoned].map((folder) => rmSync(folder, { recursive: true }))
})

function copyOf(folder: string): string {
  const copy = tempFolder()
  for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(copy, name))
  return copy
}

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const mutation = fc.oneof(
  fc.record({
    kind: fc.constant('flip' as const),
    at: place,
    bytes: fc.uint8Array({ minLength: 1, maxLength: 64, size: 'max' })
  }),
  fc.record({ kind: fc.constant('header' as const), at: place, bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }) }),
  fc.record({ kind: fc.constant('page' as const), at: place, from: place }),
  fc.record({ kind: fc.constantFrom('zero' as const, 'empty page' as const, 'cut' as const), at: place }),
  fc.record({ kind: fc.constantFrom('emptied' as const, 'garbage' as const, 'gone' as const), at: place })
)
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never

const PAGE = 4096

/** What becomes of a library's bytes; `undefined` where its file is gone. */
function mutated(bytes: Buffer, change: Mutation): Buffer | undefined {
  const page = (share: number) => Math.floor((share * bytes.length) / PAGE) * PAGE
  switch (change.kind) {
    case 'flip':
      return overwritten(bytes, Math.floor(change.at * bytes.length), change.bytes)
    case 'header':
      return overwritten(bytes, Math.floor(change.at * 100), change.bytes)
    case 'page':
      return overwritten(bytes, page(change.at), bytes.subarray(page(change.from), page(change.from) + PAGE))
    case 'zero':
      return overwritten(bytes, page(change.at), new Uint8Array(PAGE))
    case 'empty page':
      // A page of a tree that says it has no cells.
      return overwritten(bytes, page(change.at) + 3, new Uint8Array(2))
    case 'cut':
      return bytes.subarray(0, Math.floor(change.at * bytes.length))
    case 'emptied':
      return Buffer.alloc(0)
    case 'garbage':
      return Buffer.from('this was a library once '.repeat(Math.ceil(change.at * 9000)))
    case 'gone':
      return undefined
  }
}

function overwritten(bytes: Buffer, at: number, some: Uint8Array): Buffer {
  const copy = Buffer.from(bytes)
  copy.set(some.subarray(0, bytes.length - at), at)
  return copy
}

test('of mutated library files none becomes an empty library without a word', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), mutation, async (wasKilled, change) => {
      const folder = copyOf(wasKilled ? abandoned : closed)
      const file = join(folder, 'library.sqlite')
      const after = mutated(readFileSync(file), change)
      if (after) writeFileSync(file, after)
      else rmSync(file)
      try {
        const outcome = await outcomeOf(folder)
        expect(outcome).toMatch(/^(whole|told|library-missing|library-damaged|not-a-library|store-too-new)$/)
        // What was not opened was not touched.
        if (!['whole', 'told'].includes(outcome))
          expect(existsSync(file) ? readFileSync(file) : undefined).toEqual(after)
      } finally {
        rmSync(folder, { recursive: true })
      }
    }),
    { numRuns: runs(10, 200) }
  )
}, 300_000)

/** `whole` where every bookmark is there, `told` where the library says that it is damaged, else why it is not opened. */
async function outcomeOf(folder: string): Promise<string> {
  const opened = await openLibrary(folder).catch((error) => error as Error)
  if (opened instanceof Problem) return opened.code
  if (opened instanceof Error) return opened.message
  try {
    const count = await countAll(opened).catch((error: Error) => error)
    if (count === ROWS) return 'whole'
    if (count instanceof Problem && count.code === 'library-damaged') return 'told'
    await expect.poll(() => opened.isDamaged()).toBe(true)
    return 'told'
  } finally {
    await opened.close()
  }
}

async function countAll(library: Awaited<ReturnType<typeof openLibrary>>): Promise<number> {
  const { total } = await library.listBookmarks(ALL)
  let seen = 0
  for (let after: number | null = 0; after !== null; ) {
    const part: { bookmarks: unknown[]; next: number | null } = await library.exportBookmarks({
      after,
      trash: 'without'
    })
    seen += part.bookmarks.length
    after = part.next
  }
  return Math.min(total, seen)
}

describe('a library that is gone', () => {
  test('is missed, and nothing is made in its place', async () => {
    const folder = copyOf(closed)
    rmSync(join(folder, 'library.sqlite'))
    await expect(openLibrary(folder)).rejects.toMatchObject({ code: 'library-missing' })
    expect(existsSync(join(folder, 'library.sqlite'))).toBe(false)
  })

  test('is missed where only its backups are left', async () => {
    const folder = tempFolder()
    const library = await openLibrary(folder)
    await library.backUp('manual-1.sqlite')
    await library.close()
    rmSync(join(folder, 'library.sqlite'))
    rmSync(join(folder, 'library.seen'))
    await expect(openLibrary(folder)).rejects.toMatchObject({ code: 'library-missing' })
    expect(findRecovery(folder)).toMatchObject({ backup: { name: 'manual-1.sqlite', bookmarks: 0 } })
  })
})

test('damage to a library whose process was killed is found in the background, and told at the next start', async () => {
  const folder = copyOf(closed)
  const file = join(folder, 'library.sqlite')
  writeFileSync(join(folder, 'library.seen'), '{"state":"open"}')
  damageIndex(file)
  const library = await openLibrary(folder)
  await library.begin()
  await expect.poll(() => library.isDamaged()).toBe(true)
  await library.close()
  await expect(openLibrary(folder)).rejects.toMatchObject({ code: 'library-damaged' })
})

test('a library whose process was killed, and that was closed before it was looked through, is so at the next start', async () => {
  const folder = copyOf(closed)
  const seen = join(folder, 'library.seen')
  writeFileSync(seen, '{"state":"open"}')
  await (await openLibrary(folder)).close()
  expect(JSON.parse(readFileSync(seen, 'utf8'))).toEqual({ state: 'open' })
  const library = await openLibrary(folder)
  await library.begin()
  await library.close()
  expect(JSON.parse(readFileSync(seen, 'utf8'))).toMatchObject({ state: 'closed' })
})

test('a command that has no threads looks through a library whose process was killed before it writes, not to read', async () => {
  const folder = copyOf(closed)
  const file = join(folder, 'library.sqlite')
  const seen = join(folder, 'library.seen')
  writeFileSync(seen, '{"state":"open"}')
  damageIndex(file)
  const reading = await openLibrary(folder, { inPlace: true })
  expect(await reading.countBookmarks(PROFILE)).toBeGreaterThan(0)
  expect(await reading.isDamaged()).toBe(false)
  await reading.close()
  expect(JSON.parse(readFileSync(seen, 'utf8'))).toEqual({ state: 'open' })
  const writing = await openLibrary(folder, { inPlace: true })
  await expect(writing.createOrganization('Acme', 1)).rejects.toMatchObject({ code: 'library-damaged' })
  await writing.close()
  expect(JSON.parse(readFileSync(seen, 'utf8'))).toEqual({ state: 'damaged' })
})

/** An index nobody reads at the start. */
function damageIndex(file: string): void {
  const root = rootOf(file, 'bookmarks_by_content')
  const bytes = readFileSync(file)
  bytes.fill(0xff, (root - 1) * PAGE, root * PAGE)
  writeFileSync(file, bytes)
}

function rootOf(file: string, name: string): number {
  const db = new Sqlite(file, { readonly: true })
  onTestFinished(() => {
    db.close()
  })
  return db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name) as number
}

describe('the log of a library that was left open', () => {
  const opened = async (folder: string) => {
    const library = await openLibrary(folder, { inPlace: true })
    const lost = await library.lostLog()
    await library.close()
    return lost
  }

  test('is missed where it is gone or empty', async () => {
    for (const lose of [(log: string) => rmSync(log), (log: string) => truncateSync(log)]) {
      const folder = copyOf(abandoned)
      lose(join(folder, 'library.sqlite-wal'))
      expect(await opened(folder)).toBe(true)
      expect(await opened(folder)).toBe(false)
    }
  })

  test('is not missed where it is there, nor after the library was closed, nor where nothing was written', async () => {
    expect(await opened(copyOf(abandoned))).toBe(false)
    expect(await opened(copyOf(closed))).toBe(false)
    const folder = copyOf(closed)
    const library = await openLibrary(folder, { inPlace: true })
    expect(await library.purgeTrash(0)).toBe(0)
    const copy = copyOf(folder)
    await library.close()
    expect(readFileSync(join(copy, 'library.seen'), 'utf8')).toBe('{"state":"open"}')
    rmSync(join(copy, 'library.sqlite-wal'), { force: true })
    expect(await opened(copy)).toBe(false)
  })
})

test('a library of the right name that lacks a table, or says an older version, is damaged', async () => {
  for (const sql of ['DROP TABLE settings', 'PRAGMA user_version = 60']) {
    const folder = copyOf(closed)
    const db = new Sqlite(join(folder, 'library.sqlite'))
    db.exec(sql)
    db.close()
    await expect(openLibrary(folder)).rejects.toMatchObject({ code: 'library-damaged' })
  }
})

test('a note that cannot be written stops nobody', async () => {
  const folder = copyOf(closed)
  rmSync(join(folder, 'library.seen'))
  mkdirSync(join(folder, 'library.seen'))
  const library = await openLibrary(folder)
  expect(await library.listBookmarks(ALL)).toMatchObject({ total: ROWS })
  await library.close()
})

describe('recovery', () => {
  test('takes the newest backup that is whole', async () => {
    const folder = tempFolder()
    const library = await openLibrary(folder)
    await library.saveBookmarks(PRIVATE, [link('https://a.example/')])
    await library.backUp('daily-2026-01-01.sqlite')
    await library.saveBookmarks(PRIVATE, [link('https://b.example/')])
    const newest = await library.backUp('daily-2026-01-02.sqlite')
    await library.close()
    expect(findRecovery(folder)).toMatchObject({ backup: { name: 'daily-2026-01-02.sqlite', bookmarks: 2 } })
    truncateSync(newest.path, newest.bytes / 2)
    expect(findRecovery(folder)).toMatchObject({ backup: { name: 'daily-2026-01-01.sqlite', bookmarks: 1 } })
    truncateSync(join(folder, 'library.sqlite'), 1000)
    await expect(openLibrary(folder)).rejects.toMatchObject({ code: 'library-damaged' })
    await restoreLibraryFile(join(folder, 'library.sqlite'), findRecovery(folder).backup?.path ?? '', NOW)
    const again = await openLibrary(folder)
    expect(await again.listBookmarks(ALL)).toMatchObject({ total: 1 })
    await again.close()
  })

  test('with an empty library keeps what was there, its log too', async () => {
    const folder = copyOf(abandoned)
    const file = join(folder, 'library.sqlite')
    truncateSync(file, 5000)
    const log = readFileSync(`${file}-wal`)
    const kept = startEmpty(folder, NOW) ?? ''
    expect(statSync(join(kept, 'library.sqlite')).size).toBe(5000)
    expect(readFileSync(join(kept, 'library.sqlite-wal'))).toEqual(log)
    const library = await openLibrary(folder)
    expect(await library.listBookmarks(ALL)).toMatchObject({ total: 0 })
    await library.close()
  })

  test('works where a folder has the library’s name', async () => {
    const folder = tempFolder()
    mkdirSync(join(folder, 'library.sqlite'))
    await expect(openLibrary(folder)).rejects.toMatchObject({ code: 'not-a-library' })
    const kept = startEmpty(folder, NOW) ?? ''
    expect(statSync(join(kept, 'library.sqlite')).isDirectory()).toBe(true)
    await (await openLibrary(folder)).close()
  })

  test('is refused where the library is whole', () => {
    const folder = copyOf(closed)
    expect(() => startEmpty(folder, NOW)).toThrow(/can be opened/)
    expect(readdirSync(folder).filter((name) => name.startsWith('replaced'))).toEqual([])
  })
})
