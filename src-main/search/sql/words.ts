import type { WriteConnection } from '../../database/connection.ts'
import { perConnection } from '../../database/sql.ts'

/** Words kept in memory, so that a text's usual words are not looked up again. */
const MOST_KEPT = 50_000

/**
 * Returns the list of distinct words of the library, to add to it. Words stay when the last bookmark that holds one goes.
 * A connection has one list: it remembers what it wrote.
 */
export const wordList = perConnection(createList)

function createList(db: WriteConnection) {
  const insert = db.prepare('INSERT OR IGNORE INTO words (word) VALUES (?)')
  const insertParts = db.prepare('INSERT INTO word_parts (rowid, word) VALUES (?, ?)')
  const newest = db.prepare<[], number>('SELECT ifnull(max(id), 0) FROM words').pluck()
  const kept = new Set<string>()
  let written = 0

  return {
    /** @param words folded, as `addFoldedWords` gives them */
    learn(words: Iterable<string>): void {
      // A transaction that was rolled back took its words along.
      if ((newest.get() ?? 0) < written) kept.clear()
      for (const word of words) {
        if (kept.has(word)) continue
        const { changes, lastInsertRowid } = insert.run(word)
        if (changes === 1) {
          insertParts.run(lastInsertRowid, word)
          written = Number(lastInsertRowid)
        }
        if (kept.size >= MOST_KEPT) kept.clear()
        kept.add(word)
      }
    }
  }
}
