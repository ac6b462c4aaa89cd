import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { searchIndex } from './search-index.ts'

const INDEXES = ['bookmark_texts', 'bookmark_titles']

/** Where the search index disagrees with the bookmarks, in words; nothing where it does not. */
export function indexFaults(db: ReadConnection): string[] {
  const missing = INDEXES.map((name) => [
    count(
      db,
      `bookmarks b WHERE deleted_at IS NULL AND to_index IS NULL
         AND NOT EXISTS (SELECT 1 FROM ${name}_docsize d WHERE d.id = b.id)`
    ),
    count(
      db,
      `${name}_docsize d WHERE NOT EXISTS
         (SELECT 1 FROM bookmarks b WHERE b.id = d.id AND deleted_at IS NULL)`
    )
  ])
  const [lacks, extra] = [0, 1].map((which) => Math.max(...missing.map((counts) => counts[which] ?? 0)))
  const miscounted = wrongCounts(db)
  return [
    ...(lacks ? [`bookmarks that are not in it: ${lacks}`] : []),
    ...(extra ? [`entries of no bookmark: ${extra}`] : []),
    ...(miscounted ? [`miscounted filters: ${miscounted}`] : [])
  ]
}

/** Rebuilds the full-text indexes and the counts from the bookmarks. */
export function rebuildIndex(db: WriteConnection): void {
  for (const name of INDEXES) db.exec(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`)
  db.exec('DELETE FROM filter_counts; UPDATE bookmarks SET filters = NULL, to_index = iif(deleted_at IS NULL, 1, NULL)')
  const index = searchIndex(db)
  while (index.indexBatch().length > 0);
}

function wrongCounts(db: ReadConnection): number {
  const expected = new Map<string, number>()
  const add = (filter: string, more: number) => expected.set(filter, (expected.get(filter) ?? 0) + more)
  for (const filters of db.prepare('SELECT filters FROM bookmarks WHERE filters IS NOT NULL').pluck().iterate()) {
    for (const filter of (filters as string).split(' ')) add(filter, 1)
  }
  const stored = db.prepare('SELECT filter, bookmarks FROM filter_counts').all() as Counted[]
  for (const { filter, bookmarks } of stored) add(filter, -bookmarks)
  return [...expected.values()].filter((difference) => difference !== 0).length
}

interface Counted {
  filter: string
  bookmarks: number
}

function count(db: ReadConnection, from: string): number {
  return db.prepare(`SELECT count(*) FROM ${from}`).pluck().get() as number
}
