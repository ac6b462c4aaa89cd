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
import { beforeAll, describe, expect, test } from 'vitest'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { Problem } from '../../src-main/contract/problem.ts'
import { findRecovery, restoreLibraryFile, startEmpty } from '../../src-main/database/restore.ts'
import { openLibrary } from '../../src-main/store/open-library.ts'
import { overwritePage, PAGE_SIZE } from '../store/damaged-file.ts'
import { link, PRIVATE, startedLibrary } from '../store/library.ts'
import { runs } from '../support/runs.ts'
import { tempFolder } from '../support/temp-folder.ts'

const ROWS = 400
const NOW = Date.UTC(2026, 0, 2)
const ALL = { order: 'newest', page: 1, limit: 100 } as const

/** A library that was closed, and the same one as a killed process leaves it. */
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

/** The changed bytes of a library; `undefined` if its file is removed. `share` chooses a place in the file. */
const MUTATIONS: Record<string, (bytes: Buffer, share: number, noise: Uint8Array) => Buffer | undefined> = {
  flip: (bytes, share, noise) => overwritten(bytes, Math.floor(share * bytes.length), noise),
  header: (bytes, share, noise) => overwritten(bytes, Math.floor(share * 100), noise.subarray(0, 8)),
  'another page': (bytes, share, noise) => {
    const from = pageAt(bytes, (noise[0] ?? 0) / 256)
    return overwritten(bytes, pageAt(bytes, share), bytes.subarray(from, from + PAGE_SIZE))
  },
  zeros: (bytes, share) => overwritten(bytes, pageAt(bytes, share), new Uint8Array(PAGE_SIZE)),
  'a page without cells': (bytes, share) => overwritten(bytes, pageAt(bytes, share) + 3, new Uint8Array(2)),
  cut: (bytes, share) => bytes.subarray(0, Math.floor(share * bytes.length)),
  emptied: () => Buffer.alloc(0),
  text: (_, share) => Buffer.from('this was a library once '.repeat(Math.ceil(share * 9000))),
  removed: () => undefined
}

function pageAt(bytes: Buffer, share: number): number {
  return Math.floor((share * bytes.length) / PAGE_SIZE) * PAGE_SIZE
}

function overwritten(bytes: Buffer, offset: number, replacement: Uint8Array): Buffer {
  const copy = Buffer.from(bytes)
  copy.set(replacement.subarray(0, bytes.length - offset), offset)
  return copy
}

const mutation = fc.record({
  kind: fc.constantFrom(...Object.keys(MUTATIONS)),
  share: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  noise: fc.uint8Array({ minLength: 1, maxLength: 64, size: 'max' })
})

test('no mutated library file is opened as an empty library', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), mutation, async (wasKilled, { kind, share, noise }) => {
      const folder = copyOf(wasKilled ? abandoned : closed)
      const file = join(folder, 'library.sqlite')
      const after = MUTATIONS[kind]?.(readFileSync(file), share, noise)
      if (after) writeFileSync(file, after)
      else rmSync(file)
      try {
        const outcome = await outcomeOf(folder)
        expect(outcome).toMatch(/^(whole|reported|library-missing|library-damaged|not-a-library|store-too-(new|old))$/)
        // A file that was not opened is unchanged.
        if (!['whole', 'reported'].includes(outcome))
          expect(existsSync(file) ? readFileSync(file) : undefined).toEqual(after)
      } finally {
        rmSync(folder, { recursive: true })
      }
    }),
    { numRuns: runs(10, 200) }
  )
}, 300_000)

/** `whole` if every bookmark is there, `reported` if the library is damaged, else the reason why it cannot be opened. */
async function outcomeOf(folder: string): Promise<string> {
  const opened = await openLibrary(folder).catch((error) => error as Error)
  if (opened instanceof Problem) return opened.code
  if (opened instanceof Error) return opened.message
  try {
    const count = await countAll(opened).catch((error: Error) => error)
    if (count === ROWS) return 'whole'
    if (count instanceof Problem && count.code === 'library-damaged') return 'reported'
    await expect.poll(() => opened.isDamaged()).toBe(true)
    return 'reported'
  } finally {
    await opened.close()
  }
}

async function countAll(library: Awaited<ReturnType<typeof openLibrary>>): Promise<number> {
  const { total } = await library.listBookmarks(ALL)
  const bookmarks = await library.readBookmarks(await library.matchingIds({ trash: 'without' }))
  return Math.min(total, bookmarks.length)
}

test('a missing library is reported, and no new one is created', async () => {
  const folder = copyOf(closed)
  rmSync(join(folder, 'library.sqlite'))
  await expect(openLibrary(folder)).rejects.toMatchObject({ code: 'library-missing' })
  expect(existsSync(join(folder, 'library.sqlite'))).toBe(false)
})

test('a missing library is reported if only its backups remain', async () => {
  const folder = tempFolder()
  const library = await openLibrary(folder)
  await library.backUp('manual-1.sqlite')
  await library.close()
  for (const name of ['library.sqlite', 'library.seen']) rmSync(join(folder, name))
  await expect(openLibrary(folder)).rejects.toMatchObject({ code: 'library-missing' })
  expect(findRecovery(folder)).toMatchObject({ backup: { name: 'manual-1.sqlite', bookmarks: 0 } })
})

/** A copy of the library as a killed process leaves it, with or without damage to an index that no start reads. */
function killedLibrary(isDamaged: boolean): { folder: string; seen: () => unknown } {
  const folder = copyOf(closed)
  writeFileSync(join(folder, 'library.seen'), '{"state":"open"}')
  if (isDamaged) overwritePage(join(folder, 'library.sqlite'), 'bookmarks_by_content', 0xff)
  return { folder, seen: () => JSON.parse(readFileSync(join(folder, 'library.seen'), 'utf8')) }
}

test('damage to the library of a killed process is found in the background, and reported at the next start', async () => {
  const { folder } = killedLibrary(true)
  const library = await openLibrary(folder)
  await library.begin()
  await expect.poll(() => library.isDamaged()).toBe(true)
  await library.close()
  await expect(openLibrary(folder)).rejects.toMatchObject({ code: 'library-damaged' })
})

test('the library of a killed process stays unchecked if it is closed before the check', async () => {
  const { folder, seen } = killedLibrary(false)
  await (await openLibrary(folder)).close()
  expect(seen()).toEqual({ state: 'open' })
  const library = await openLibrary(folder)
  await library.begin()
  await library.close()
  expect(seen()).toMatchObject({ state: 'closed' })
})

test('a command checks the library of a killed process before it writes, not before it reads', async () => {
  const { folder, seen } = killedLibrary(true)
  const reading = await openLibrary(folder, { inPlace: true })
  expect(await reading.countBookmarks(PROFILE)).toBeGreaterThan(0)
  expect(await reading.isDamaged()).toBe(false)
  await reading.close()
  expect(seen()).toEqual({ state: 'open' })
  const writing = await startedLibrary(folder, { inPlace: true })
  await expect(writing.createOrganization('Acme', 1)).rejects.toMatchObject({ code: 'library-damaged' })
  expect(seen()).toEqual({ state: 'damaged' })
})

describe('the log of a library that was not closed', () => {
  const opened = async (folder: string) => {
    const library = await openLibrary(folder, { inPlace: true })
    const lost = await library.lostLog()
    await library.close()
    return lost
  }

  test('is reported as lost if it is missing or empty', async () => {
    for (const lose of [(log: string) => rmSync(log), (log: string) => truncateSync(log)]) {
      const folder = copyOf(abandoned)
      lose(join(folder, 'library.sqlite-wal'))
      expect(await opened(folder)).toBe(true)
      expect(await opened(folder)).toBe(false)
    }
  })

  test('is not reported as lost if it exists, the library was closed, or nothing was written', async () => {
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

test('a library without a table is damaged', async () => {
  const folder = copyOf(closed)
  const db = new Sqlite(join(folder, 'library.sqlite'))
  db.exec('DROP TABLE settings')
  db.close()
  await expect(openLibrary(folder)).rejects.toMatchObject({ code: 'library-damaged' })
})

test('a library opens though its note cannot be written', async () => {
  const folder = copyOf(closed)
  rmSync(join(folder, 'library.seen'))
  mkdirSync(join(folder, 'library.seen'))
  const library = await startedLibrary(folder)
  expect(await library.listBookmarks(ALL)).toMatchObject({ total: ROWS })
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
    expect(await (await startedLibrary(folder)).listBookmarks(ALL)).toMatchObject({ total: 1 })
  })

  test('with an empty library keeps the old files and their log', async () => {
    const folder = copyOf(abandoned)
    const file = join(folder, 'library.sqlite')
    truncateSync(file, 5000)
    const log = readFileSync(`${file}-wal`)
    const kept = startEmpty(folder, NOW) ?? ''
    expect(statSync(join(kept, 'library.sqlite')).size).toBe(5000)
    expect(readFileSync(join(kept, 'library.sqlite-wal'))).toEqual(log)
    expect(await (await startedLibrary(folder)).listBookmarks(ALL)).toMatchObject({ total: 0 })
  })

  test('works with a folder in place of the library', async () => {
    const folder = tempFolder()
    mkdirSync(join(folder, 'library.sqlite'))
    await expect(openLibrary(folder)).rejects.toMatchObject({ code: 'not-a-library' })
    const kept = startEmpty(folder, NOW) ?? ''
    expect(statSync(join(kept, 'library.sqlite')).isDirectory()).toBe(true)
    expect(await (await startedLibrary(folder)).listBookmarks(ALL)).toMatchObject({ total: 0 })
  })

  test('is refused if the library is whole', () => {
    const folder = copyOf(closed)
    expect(() => startEmpty(folder, NOW)).toThrow(/can be opened/)
    expect(readdirSync(folder).filter((name) => name.startsWith('replaced'))).toEqual([])
  })
})
