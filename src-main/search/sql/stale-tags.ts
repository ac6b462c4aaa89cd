import type { WriteConnection } from '../../store/connection.ts'
import { filterToken } from '../filter-tokens.ts'

/** Counts so many more bookmarks with a filter's token. */
export type Count = (filter: string, more: number) => void

/** Bookmarks whose tags changed while their entries in the index did not; for use inside a transaction. */
export function staleTags(db: WriteConnection) {
  const read = db.prepare<[number], { tag: number; ahead: number }>(
    'SELECT tag_id AS tag, ahead FROM stale_tags WHERE bookmark_id = ?'
  )
  const forget = db.prepare('DELETE FROM stale_tags WHERE bookmark_id = ?')
  const some = db.prepare<[number], number>('SELECT DISTINCT bookmark_id FROM stale_tags LIMIT ?').pluck()
  const any = db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM stale_tags)').pluck()
  const addRenamed = db.prepare(
    `INSERT OR IGNORE INTO stale_tags (bookmark_id, tag_id, ahead)
       SELECT b.id, bt.tag_id, 0 FROM bookmark_tags bt JOIN bookmarks b ON b.id = bt.bookmark_id
       WHERE bt.tag_id = ? AND b.filters IS NOT NULL`
  )
  const addChanged = db.prepare(
    `INSERT INTO stale_tags (bookmark_id, tag_id, ahead)
       SELECT b.id, u.tag_id, u.given * @direction FROM undo_taggings u JOIN bookmarks b ON b.id = u.bookmark_id
       WHERE u.step_id = @step AND u.bookmark_id > @after AND b.filters IS NOT NULL
     ON CONFLICT (bookmark_id, tag_id) DO UPDATE SET ahead = ahead + excluded.ahead`
  )
  const countChanged = db.prepare<[TagStep], { tag: number; more: number }>(
    `SELECT u.tag_id AS tag, sum(u.given) * @direction AS more FROM undo_taggings u
       JOIN bookmarks b ON b.id = u.bookmark_id
     WHERE u.step_id = @step AND u.bookmark_id > @after AND b.filters IS NOT NULL GROUP BY u.tag_id`
  )
  return {
    /** Takes a bookmark out: its counts follow from the row again. */
    take(rowId: number, count: Count): void {
      const changed = read.all(rowId)
      if (changed.length === 0) return
      for (const { tag, ahead } of changed) count(filterToken.tag(tag), -ahead)
      forget.run(rowId)
    },
    some: (most: number) => some.all(most),
    any: () => any.get() === 1,
    /** Adds the bookmarks with a tag. */
    addRenamed(tag: number): void {
      addRenamed.run(tag)
    },
    /** Adds the bookmarks that a step changed, and counts what it did. */
    addChanged(step: TagStep, count: Count): void {
      for (const { tag, more } of countChanged.all(step)) count(filterToken.tag(tag), more)
      addChanged.run(step)
    }
  }
}

/** What a step's taggings changed, or with -1 what taking them back did, of the bookmarks above a row id alone. */
export interface TagStep {
  step: number
  direction: 1 | -1
  after: number
}
