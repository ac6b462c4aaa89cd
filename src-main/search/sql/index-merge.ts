import type { WriteConnection } from '../../database/connection.ts'

/** Pages of an index that one step writes: a few milliseconds, in which other writes wait. */
const STEP = 64

/** An index is merged again once the library has grown by this share, and by this many bookmarks or texts of pages. */
const GROWN = { share: 0.25, bookmarks: 500 }

const INDEXES = ['bookmark_texts', 'bookmark_titles', 'word_parts']

/**
 * Merges the pieces an index grows by into one, step by step. A search looks into every piece: at 100,000 bookmarks,
 * saved 500 at a time, one piece is searched in half the time that the pieces are that FTS5 leaves by itself.
 */
export function indexMerge(db: WriteConnection) {
  const merges = INDEXES.map((name) => db.prepare(`INSERT INTO ${name} (${name}, rank) VALUES ('merge', ${-STEP})`))
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck()
  const newest = db.prepare<[], number>('SELECT ifnull(max(id), 0) FROM bookmarks').pluck()
  const merged = db.prepare<[], { before: number; pages: number }>('SELECT bookmarks AS before, pages FROM index_merge')
  const setMerged = db.prepare('UPDATE index_merge SET bookmarks = ?, pages = 0')

  return {
    /** One step, where the library has grown enough. False when there is nothing to do. */
    mergeSome: db.transaction((): boolean => {
      const bookmarks = newest.get() ?? 0
      const { before, pages } = merged.get() ?? { before: 0, pages: 0 }
      if (bookmarks + pages < before * (1 + GROWN.share) + GROWN.bookmarks) return false
      for (const merge of merges) {
        const counted = changes.get() ?? 0
        merge.run()
        // A step that finds nothing to merge changes one row: the command itself (SQLite FTS5, section 6.8).
        if ((changes.get() ?? 0) - counted >= 2) return true
      }
      setMerged.run(bookmarks)
      return false
    })
  }
}
