import type { ReadConnection } from '../../database/connection.ts'
import { readTuples } from '../../database/sql.ts'
import { foldWord } from '../../search/segment.ts'

/** Bookmarks looked through, rows read at once, and bookmarks found at most: the index does not hold what was deleted. */
const MOST_READ = 100_000
const BATCH = 2000
const MOST_FOUND = 1000

/** Of a text this much is looked through, in UTF-16 code units. */
const MOST_TEXT = 2000

type Row = [id: number, deletedAt: number, text: string]

/**
 * Returns the bookmarks of the trash that hold all words, whole or in part, in what a person sees of them. What went there
 * last comes first; of a large trash only so much is looked through.
 */
export function searchTrash(db: ReadConnection, words: string): number[] {
  const wanted = foldWord(words).split(/\s+/).filter(Boolean)
  const found: number[] = []
  let last: [deletedAt: number, id: number] = [Number.MAX_SAFE_INTEGER, 0]
  for (let read = 0; read < MOST_READ && found.length < MOST_FOUND; read += BATCH) {
    const rows = rowsBefore(db, last)
    for (const [id, , text] of rows) {
      const folded = foldWord(text)
      if (wanted.every((word) => folded.includes(word))) found.push(id)
    }
    const end = rows.at(-1)
    if (!end || rows.length < BATCH) break
    last = [end[1], end[0]]
  }
  return found.slice(0, MOST_FOUND)
}

function rowsBefore(db: ReadConnection, [deletedAt, id]: [deletedAt: number, id: number]): Row[] {
  return readTuples<Row>(db)`
    SELECT b.id, b.deleted_at, concat_ws(' ', b.title, b.url, b.description, substr(b.content, 1, ${MOST_TEXT}),
      (SELECT group_concat(t.name, ' ') FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id))
    FROM bookmarks b INDEXED BY bookmarks_in_trash
    WHERE b.deleted_at IS NOT NULL AND (b.deleted_at, b.id) < (${deletedAt}, ${id})
    ORDER BY b.deleted_at DESC, b.id DESC LIMIT ${BATCH}`
}
