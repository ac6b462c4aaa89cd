import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BookmarkDraft } from '../../src-main/contract/bookmark.ts'
import { saveBookmarks } from '../../src-main/store/bookmarks/bookmark-writes.ts'
import { openReadConnection } from '../../src-main/store/connection.ts'
import { openLibraryFile } from '../../src-main/store/files/open-library-file.ts'
import { indexWork } from '../../src-main/store/search/indexing.ts'
import { randomFrom } from '../support/random.ts'
import { createCorpus } from './corpus.ts'

const PLACEMENT = { owner: null, visibility: 'private', savedAt: 1_700_000_000_000 } as const

/** A bookmark that is looked for. */
export interface Known {
  id: string
  title: string
  domain: string
  url: string
}

/**
 * Fills the library in this folder, unless an earlier run left it there.
 *
 * @param drafts real bookmarks; made-up ones where absent
 */
export function fillLibrary(folder: string, rows: number, drafts?: BookmarkDraft[]) {
  const file = join(folder, 'library.sqlite')
  mkdirSync(folder, { recursive: true })
  const isNew = !existsSync(file)
  const db = openLibraryFile(file)
  const save = db.transaction(saveBookmarks)
  const { mergeSome } = indexWork(db)
  const corpus = createCorpus(7)
  const begun = performance.now()
  for (let done = 0; isNew && done < rows; done += 500) {
    save(
      db,
      PLACEMENT,
      drafts?.slice(done, done + 500) ?? Array.from({ length: Math.min(500, rows - done) }, () => corpus.next())
    )
  }
  const filled = isNew ? Math.round((rows * 1000) / (performance.now() - begun)) : null
  // What the service does by itself while nobody writes.
  while (mergeSome());
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return { filledPerSecond: filled, fileMB: Math.round(statSync(file).size / 1e6), ...sizes(file) }
}

/** Size of the indexes by which bookmarks are found, in MB. */
function sizes(file: string) {
  const db = openReadConnection(file)
  const bytes = (table: string) => db.prepare(`SELECT sum(length(block)) FROM ${table}_data`).pluck().get() as number
  const indexMB = Math.round(
    ['bookmark_texts', 'bookmark_titles', 'word_parts'].reduce((sum, t) => sum + bytes(t), 0) / 1e6
  )
  db.close()
  return { indexMB }
}

/** How many bookmarks a second are saved, one, a hundred and five hundred a transaction, in a copy of the library. */
export function insertRates(file: string) {
  const db = openLibraryFile(file)
  const save = db.transaction(saveBookmarks)
  const corpus = createCorpus(1_000_003)
  const rate = (batch: number, times: number) => {
    const drafts = Array.from({ length: times }, () => Array.from({ length: batch }, () => corpus.next()))
    const begun = performance.now()
    for (const some of drafts) save(db, PLACEMENT, some)
    return Math.round((batch * times * 1000) / (performance.now() - begun))
  }
  const rates = { single: rate(1, 500), batchesOf100: rate(100, 20), batchesOf500: rate(500, 8) }
  db.close()
  return rates
}

/** Two thousand bookmarks from all of the library. */
export function sampleOf(file: string, rows: number): Known[] {
  const db = openReadConnection(file)
  const one = db.prepare('SELECT public_id AS id, title, domain, url FROM bookmarks WHERE id = ?')
  const random = randomFrom(17)
  const tries = Array.from({ length: Math.min(rows, 2000) }, () => one.get(1 + Math.floor(random() * rows)))
  const sample = tries.filter((row) => row !== undefined) as Known[]
  db.close()
  return sample
}

/** Some words of a title, of four letters and more, in any order. */
export function someWords(title: string, count: number, random: () => number): string | undefined {
  const words = [...new Set(title.split(' '))].filter((word) => /^[a-z]{4,}$/.test(word))
  if (words.length < count) return undefined
  return words
    .map((word) => ({ word, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ word }) => word)
    .join(' ')
}

/** Neighbouring characters of a Chinese or Japanese title. */
export function someCharacters(title: string, count: number, random: () => number): string | undefined {
  const characters = [...title]
  if (/[a-z]/.test(title) || characters.length < count) return undefined
  const start = Math.floor(random() * (characters.length - count + 1))
  return characters.slice(start, start + count).join('')
}
