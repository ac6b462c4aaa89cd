import { openMemory, type ReadConnection } from '../../store/connection.ts'
import { indexedRows, indexedTexts } from './indexed-row.ts'
import { UNINDEXED } from './unindexed.ts'

/** Bookmarks looked at in one step, some tens of milliseconds' work. */
const MOST = 500

/** Finds words in bookmarks whose turn to be indexed is yet to come, with an index of their own that lives in memory. */
export function unindexedMatches(db: ReadConnection) {
  const read = indexedRows(db)
  const some = db
    .prepare(`SELECT b.id FROM ${UNINDEXED} WHERE b.id > ? AND b.id <= ? ORDER BY b.id LIMIT ${MOST}`)
    .pluck()
  const schema = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'bookmark_texts'").pluck()

  return {
    /**
     * Those that a full-text expression matches among the first with row ids above `after`.
     *
     * @returns `upTo` where some were left out: the row id as far as was looked
     */
    matching(expression: string, after: number, last: number): { ids: number[]; upTo: number } {
      const rowIds = some.all(after, last) as number[]
      if (rowIds.length === 0) return { ids: [], upTo: last }
      const memory = openMemory()
      try {
        memory.exec(schema.get() as string)
        const add = memory.prepare(
          `INSERT INTO bookmark_texts (rowid, title, tags, address, description, content, filters)
           VALUES (?, ?, ?, ?, ?, ?, ?)`
        )
        for (const row of read(rowIds)) {
          const { title, tags, address, description, said } = indexedTexts(row)
          add.run(row.id, title, tags, address, description, said, row.filters)
        }
        const match = memory.prepare('SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH ?').pluck()
        return { ids: match.all(expression) as number[], upTo: rowIds.length < MOST ? last : (rowIds.at(-1) ?? last) }
      } finally {
        memory.close()
      }
    }
  }
}
