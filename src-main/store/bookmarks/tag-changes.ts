import type { UndoReport } from '../../contract/call.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { WriteConnection } from '../connection.ts'

/** Bookmarks that are indexed again at once; more are left to the background, so that no other write waits long. */
const AT_ONCE = 200

interface Renamed {
  tagId: number
  name: string
  folded: string
}

/**
 * Changes of a tag on all bookmarks that have it, as sets of rows: a step's rows in `undo_taggings` say which tags it
 * gave and took. For use inside a transaction.
 */
export function tagChanges(db: WriteConnection, atOnce = AT_ONCE) {
  const sql = statements(db)
  const index = searchIndex(db)

  /** Does what the step's rows say (1), or the opposite (-1). Each of them must make a difference. */
  function apply(step: number, direction: 1 | -1): number {
    const bookmarks = sql.count.get(step) ?? 0
    sql.take.run({ step, direction, after: 0 })
    sql.give.run({ step, direction })
    if (bookmarks <= atOnce) index.refresh(sql.touched.all(step, 0))
    else index.deferChanged(step, direction)
    return bookmarks
  }

  /** Gives a tag another name; nothing about its bookmarks changes but the words they are found by. */
  function setName(tag: number, name: string, folded: string): number {
    sql.rename.run(name, folded, tag)
    const bookmarks = sql.tagged.all(tag)
    if (bookmarks.length <= atOnce) index.refresh(bookmarks)
    else index.deferRenamed(tag)
    return bookmarks.length
  }

  /** Whether a tag's former name is nobody's by now: one that nothing knows any more gives it up. */
  function isFree({ folded, tagId }: Renamed): boolean {
    const other = sql.holder.get(folded, tagId)
    return other === undefined || sql.removeUnused.run({ tag: other }).changes === 1
  }

  return {
    apply: (step: number) => apply(step, 1),
    /** Takes the tags of a step's last bookmarks, those above a row id. */
    takeLast(step: number, after: number): void {
      sql.take.run({ step, direction: 1, after })
      const bookmarks = sql.touched.all(step, after)
      if (bookmarks.length <= atOnce) index.refresh(bookmarks)
      else index.deferChanged(step, 1, after)
    },
    setName,
    /** Takes back what a step did to tags. What was changed since, or would not change, stays as it is. */
    takeBack(step: number): UndoReport {
      const before = sql.count.get(step) ?? 0
      sql.forgetChanged.run(step)
      sql.forgetVain.run({ step, direction: -1 })
      const undone = apply(step, -1)
      const name = sql.renamed.get(step)
      if (!name) return { undone, kept: before - undone }
      if (!isFree(name)) return { undone, kept: sql.tagged.all(name.tagId).length }
      const named = setName(name.tagId, name.name, name.folded)
      return before === 0 ? { undone: named, kept: 0 } : { undone, kept: before - undone }
    }
  }
}

function statements(db: WriteConnection) {
  return {
    take: db.prepare(
      `DELETE FROM bookmark_tags WHERE (bookmark_id, tag_id) IN
         (SELECT bookmark_id, tag_id FROM undo_taggings
          WHERE step_id = @step AND bookmark_id > @after AND given = -@direction)`
    ),
    give: db.prepare(
      `INSERT OR IGNORE INTO bookmark_tags (bookmark_id, tag_id)
         SELECT bookmark_id, tag_id FROM undo_taggings WHERE step_id = @step AND given = @direction`
    ),
    count: db
      .prepare<[number], number>('SELECT count(DISTINCT bookmark_id) FROM undo_taggings WHERE step_id = ?')
      .pluck(),
    forgetChanged: db.prepare(
      `DELETE FROM undo_taggings AS u WHERE step_id = ?
         AND changed_at <> (SELECT updated_at FROM bookmarks WHERE id = u.bookmark_id)`
    ),
    forgetVain: db.prepare(
      `DELETE FROM undo_taggings AS u WHERE step_id = @step AND (given = -@direction) <>
         EXISTS (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = u.bookmark_id AND bt.tag_id = u.tag_id)`
    ),
    touched: db
      .prepare<[number, number], number>(
        'SELECT DISTINCT bookmark_id FROM undo_taggings WHERE step_id = ? AND bookmark_id > ?'
      )
      .pluck(),
    tagged: db.prepare<[number], number>('SELECT bookmark_id FROM bookmark_tags WHERE tag_id = ?').pluck(),
    renamed: db.prepare<[number], Renamed>(
      `SELECT tag_id AS tagId, tag_name AS name, tag_folded AS folded FROM undo_steps
       WHERE id = ? AND tag_id IS NOT NULL`
    ),
    holder: db.prepare<[string, number], number>('SELECT id FROM tags WHERE folded = ? AND id <> ?').pluck(),
    removeUnused: db.prepare(
      `DELETE FROM tags WHERE id = @tag
         AND NOT EXISTS (SELECT 1 FROM bookmark_tags WHERE tag_id = @tag)
         AND NOT EXISTS (SELECT 1 FROM undo_taggings WHERE tag_id = @tag)
         AND NOT EXISTS (SELECT 1 FROM undo_steps WHERE tag_id = @tag)
         AND NOT EXISTS (SELECT 1 FROM undo_bookmarks u JOIN json_each(u.before, '$.tags') t WHERE t.value = @tag)`
    ),
    rename: db.prepare('UPDATE tags SET name = ?, folded = ? WHERE id = ?')
  }
}
