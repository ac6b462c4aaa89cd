import type { ImportDraft } from '../../contract/library-import.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family, noEvents } from '../family.ts'

/** Rows deleted for good in one transaction; between two of them other writes get their turn. */
const BATCH = 500

/** The trash, and what is kept for a while. */
export const trash = family({
  here: trashReads,
  writes: trashWrites,
  emits: { purgeTrash: (purged) => (purged > 0 ? [{ kind: 'bookmarks' }] : []), forgetSteps: noEvents }
})

/** What the writing thread can do to the trash and to what is kept for a while. Each does a part. */
function trashWrites(db: WriteConnection) {
  const purge = db.prepare(
    `DELETE FROM bookmarks WHERE id IN
       (SELECT id FROM bookmarks WHERE deleted_at IS NOT NULL AND deleted_at < ? LIMIT ${BATCH})`
  )
  const oldStep = db.prepare<[number], number>('SELECT id FROM undo_steps WHERE at < ? ORDER BY id LIMIT 1').pluck()
  const forgetTaggings = db.prepare(
    `DELETE FROM undo_taggings WHERE (step_id, bookmark_id, tag_id) IN
       (SELECT step_id, bookmark_id, tag_id FROM undo_taggings WHERE step_id = ? LIMIT ${BATCH})`
  )
  const forgetStep = db.prepare('DELETE FROM undo_steps WHERE id = ?')
  const forgetTags = db.prepare(
    `DELETE FROM tags WHERE id IN (SELECT id FROM tags t WHERE NOT EXISTS
       (SELECT 1 FROM bookmark_tags bt WHERE bt.tag_id = t.id) LIMIT ${BATCH})`
  )
  const inUse = db
    .prepare<[], number>('SELECT EXISTS (SELECT 1 FROM undo_steps) OR EXISTS (SELECT 1 FROM stale_tags)')
    .pluck()

  return {
    /** Deletes for good what went to the trash before a time, and says how many; 0 when none is left. */
    purgeTrash: db.transaction((before: number): number => purge.run(before).changes),
    /**
     * Forgets steps from before a time, and tags nobody has where no step can bring them back. False when nothing is
     * left to forget.
     */
    forgetSteps: db.transaction((before: number): boolean => {
      const step = oldStep.get(before)
      if (step !== undefined) {
        if (forgetTaggings.run(step).changes < BATCH) forgetStep.run(step)
        return true
      }
      return inUse.get() === 0 && forgetTags.run().changes > 0
    })
  }
}

/** What can be asked about the trash. */
function trashReads(db: ReadConnection) {
  const find = db
    .prepare<[number, string], number>(
      `SELECT EXISTS (SELECT 1 FROM bookmarks
         WHERE ifnull(organization_id, 0) = ? AND page_key = ? AND deleted_at IS NOT NULL)`
    )
    .pluck()
  return {
    areInTrash: (drafts: Pick<ImportDraft, 'owner' | 'pageKey'>[]): boolean[] =>
      drafts.map(({ owner, pageKey }) => pageKey !== null && find.get(owner ?? 0, pageKey) === 1)
  }
}
