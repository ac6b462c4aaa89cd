import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { filterToken } from '../filter-tokens.ts'
import { searchIndex } from './search-index.ts'

const INDEXES = ['bookmark_texts', 'bookmark_titles']

/** A bookmark's turn to be indexed is yet to come. */
const IS_LATER = 'EXISTS (SELECT 1 FROM unindexed_ranges u WHERE b.id BETWEEN u.first AND u.last)'

/** Where the search index disagrees with the bookmarks, in words; nothing where it does not. */
export function indexFaults(db: ReadConnection): string[] {
  const missing = INDEXES.map((name) => [
    count(
      db,
      `bookmarks b WHERE filters IS NOT NULL AND NOT ${IS_LATER}
         AND NOT EXISTS (SELECT 1 FROM ${name}_docsize d WHERE d.id = b.id)`
    ),
    count(
      db,
      `${name}_docsize d WHERE NOT EXISTS
         (SELECT 1 FROM bookmarks b WHERE b.id = d.id AND filters IS NOT NULL AND NOT ${IS_LATER})`
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

/** Forgets the index and makes it anew, row by row. */
export function rebuildIndex(db: WriteConnection): void {
  for (const name of INDEXES) db.exec(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`)
  db.exec(
    'DELETE FROM filter_counts; DELETE FROM stale_tags; DELETE FROM unindexed_ranges; UPDATE bookmarks SET filters = NULL WHERE filters IS NOT NULL'
  )
  const index = searchIndex(db)
  while (index.rebuildSome());
}

function wrongCounts(db: ReadConnection): number {
  const expected = new Map<string, number>()
  const add = (filter: string, more: number) => expected.set(filter, (expected.get(filter) ?? 0) + more)
  for (const filters of db.prepare('SELECT filters FROM bookmarks WHERE filters IS NOT NULL').pluck().iterate()) {
    for (const filter of (filters as string).split(' ')) add(filter, 1)
  }
  // Changes of tags are counted at once and indexed later.
  for (const { tag, ahead } of db.prepare('SELECT tag_id AS tag, ahead FROM stale_tags').iterate() as Iterable<Stale>) {
    add(filterToken.tag(tag), ahead)
  }
  const stored = db.prepare('SELECT filter, bookmarks FROM filter_counts').all() as Counted[]
  for (const { filter, bookmarks } of stored) add(filter, -bookmarks)
  return [...expected.values()].filter((difference) => difference !== 0).length
}

interface Stale {
  tag: number
  ahead: number
}

interface Counted {
  filter: string
  bookmarks: number
}

function count(db: ReadConnection, from: string): number {
  return db.prepare(`SELECT count(*) FROM ${from}`).pluck().get() as number
}
