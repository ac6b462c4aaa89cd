/** Library files that are made without a service: empty ones, and large ones with made-up bookmarks. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BookmarkDraft } from '../../src-main/contract/bookmark.ts'
import type { LinkCheck } from '../../src-main/contract/link-check.ts'
import { parseAddress } from '../../src-main/core/address.ts'
import { openReadConnection } from '../../src-main/database/connection.ts'
import { openLibraryFile } from '../../src-main/database/library-file.ts'
import { lastSeen } from '../../src-main/database/lock.ts'
import { saveBookmarks } from '../../src-main/store/bookmarks/bookmark-writes.ts'
import { indexWork } from '../../src-main/store/indexing.ts'
import { linkCheck } from '../../src-main/store/pages/links.ts'
import { randomFrom } from './runs.ts'

let empty: Buffer | undefined

/**
 * Puts an empty library, as a closed service leaves it, into a folder that has none. Every test uses a copy of one file:
 * creating the tables takes longer than most tests.
 *
 * @returns the library's file
 */
export function putEmptyLibrary(folder: string): string {
  const file = join(folder, 'library.sqlite')
  if (existsSync(file)) return file
  empty ??= makeEmptyLibrary()
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, empty, { mode: 0o600 })
  lastSeen(folder).closed()
  return file
}

function makeEmptyLibrary(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'earmark-empty-'))
  const file = join(folder, 'library.sqlite')
  openLibraryFile(file).close()
  const bytes = readFileSync(file)
  rmSync(folder, { recursive: true })
  return bytes
}

/** Reads the last link check from a library that another process may have open. */
export function linkCheckIn(data: string): LinkCheck | undefined {
  const db = openReadConnection(join(data, 'library.sqlite'))
  try {
    return linkCheck(db)
  } finally {
    db.close()
  }
}

export const PLACEMENT = { owner: null, visibility: 'private', savedAt: 1_700_000_000_000 } as const

/**
 * Fills the library in a folder with made-up bookmarks and indexes it, unless an earlier run already did.
 *
 * @returns how many bookmarks a second were saved; `null` if the library was there
 */
export function buildLibrary(folder: string, rows: number): number | null {
  const file = join(folder, 'library.sqlite')
  mkdirSync(folder, { recursive: true })
  const isNew = !existsSync(file)
  const db = openLibraryFile(file)
  const save = db.transaction(saveBookmarks)
  const corpus = createCorpus(7)
  const begun = performance.now()
  for (let done = 0; isNew && done < rows; done += 500) {
    const batch = Array.from({ length: Math.min(500, rows - done) }, () => corpus.next())
    save(db, PLACEMENT, batch)
  }
  const perSecond = isNew ? Math.round((rows * 1000) / (performance.now() - begun)) : null
  // A service does this in the background while nobody writes.
  const { mergeStep } = indexWork(db)
  while (mergeStep());
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return perSecond
}

const COMMON = 'the of and to in for with on how a your from using guide is an at by what new best why vs web'.split(
  ' '
)
const SYLLABLES =
  'ba be bo ca ce co da de di do fa fe fi ga ge go ha he hi ja jo ka ke ki la le li lo ma me mi mo na ne ni no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi wa we za zo tion ing er ly ment graph data net script press type server'.split(
    ' '
  )
/** As many Chinese characters as a newspaper uses. */
const HAN = Array.from({ length: 2500 }, (_, index) => String.fromCodePoint(0x4e00 + index * 8))
const KANA = [
  ...'あいうえおかきくけこさしすせそたちつてとなにのはひまもやらりるれろわをんアイウエカキクコサシスタチツテトナニハバパフプマミムメモラリルレロワンード'
]
const PARTS = ['MPU', 'ESP', 'STM', 'RFC', 'CVE', 'LM', 'NE', 'ATX']

/**
 * Makes up bookmarks like those people have: words follow Zipf's law, half of the titles are Chinese or Japanese, few sites
 * and tags are common, a few titles name a part (`MPU6050`), and a few bookmarks have the text of a page.
 */
export function createCorpus(seed: number): { next(): BookmarkDraft } {
  const random = randomFrom(seed)
  const vocabulary = [...COMMON, ...Array.from({ length: 60_000 }, makeWord)]
  const cjkWords = Array.from({ length: 20_000 }, () => makeRun(2 + Math.floor(random() * 2)))
  const sites = Array.from(
    { length: 5_000 },
    (_, index) => `${makeWord()}${index % 7}.${pick(['com', 'org', 'dev', 'io', 'jp', 'cn'])}`
  )
  const tags = Array.from({ length: 2_000 }, (_, index) => (index % 3 ? makeWord() : (cjkWords[index] ?? '')))

  function pick<T>(list: readonly T[]): T {
    return list[Math.floor(random() * list.length)] as T
  }

  /** Zipf's law: the word of rank r is about 1/r as frequent as the first. */
  function zipf<T>(list: readonly T[]): T {
    return list[Math.min(list.length - 1, Math.floor(list.length ** random() - 1))] as T
  }

  function makeWord(): string {
    return Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(SYLLABLES)).join('')
  }

  function makeRun(length: number): string {
    const from = random() < 0.7 ? HAN : KANA
    return Array.from({ length }, () => pick(from)).join('')
  }

  function text(words: number): string {
    return Array.from({ length: words }, () => zipf(vocabulary)).join(' ')
  }

  function title(): string {
    if (random() < 0.5) {
      const words = text(3 + Math.floor(random() * 7))
      return random() < 0.02 ? `${words} ${pick(PARTS)}${1000 + Math.floor(random() * 9000)}` : words
    }
    return Array.from({ length: 2 + Math.floor(random() * 5) }, () => zipf(cjkWords)).join('')
  }

  let made = 0
  return {
    next() {
      made += 1
      const path = text(2).replaceAll(' ', '-')
      const address = parseAddress(`https://${zipf(sites)}/${path}/${made}`)
      if ('fault' in address) throw new Error(address.fault)
      return {
        type: 'link',
        ...address,
        title: title(),
        description: random() < 0.6 ? text(8 + Math.floor(random() * 20)) : '',
        content: random() < 0.03 ? text(100 + Math.floor(random() * 200)) : '',
        tags: Array.from({ length: Math.floor(random() * 4) }, () => zipf(tags)),
        createdAt: 1_600_000_000_000 + made * 60_000
      }
    }
  }
}
