import type { ImportDraft } from '../../contract/library-export.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readValue, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'
import { lastLogged, markAutomatic } from '../sync/stamping.ts'
import { forgetPurged } from './import-ranges.ts'

/** Rows deleted permanently in one transaction; between two of them other writes get their turn. */
const BATCH = 500

/**
 * Deletes permanently some of what went to the trash before a time, and returns how many; 0 when none is left. A time that
 * is no limit means that a person emptied the trash; otherwise other machines take the deletion as automatic.
 */
export function purgeTrash(db: WriteConnection, before: number): Written<number> {
  const logged = lastLogged(db)
  const { changes } = run(db)`
    DELETE FROM bookmarks WHERE id IN
    (SELECT id FROM bookmarks WHERE deleted_at IS NOT NULL AND deleted_at < ${before} LIMIT ${BATCH})`
  if (before < Number.MAX_SAFE_INTEGER) markAutomatic(db, logged)
  forgetPurged(db)
  return { answer: changes, events: changes > 0 ? [{ kind: 'bookmarks' }] : [] }
}

/**
 * Forgets some of the steps from before a time, and tags nobody has where no step can bring them back. False when
 * nothing is left to forget.
 */
export function forgetSteps(db: WriteConnection, before: number): Written<boolean> {
  const step = readValue<number>(db)`SELECT id FROM undo_steps WHERE at < ${before} ORDER BY id LIMIT 1`
  if (step === undefined) return { answer: forgetUnusedTags(db), events: [] }
  const { changes } = run(db)`
    DELETE FROM undo_taggings WHERE (step_id, bookmark_id, tag_id) IN
    (SELECT step_id, bookmark_id, tag_id FROM undo_taggings WHERE step_id = ${step} LIMIT ${BATCH})`
  if (changes < BATCH) run(db)`DELETE FROM undo_steps WHERE id = ${step}`
  return { answer: true, events: [] }
}

function forgetUnusedTags(db: WriteConnection): boolean {
  const inUse = readValue(
    db
  )`SELECT EXISTS (SELECT 1 FROM undo_steps) OR EXISTS (SELECT 1 FROM bookmarks WHERE to_index = 1)`
  if (inUse !== 0) return false
  const { changes } = run(db)`
    DELETE FROM tags WHERE id IN (SELECT id FROM tags t WHERE NOT EXISTS
    (SELECT 1 FROM bookmark_tags bt WHERE bt.tag_id = t.id) LIMIT ${BATCH})`
  return changes > 0
}

/** Returns whether the pages of the drafts are in the trash, each by itself. */
export function areInTrash(db: ReadConnection, drafts: Pick<ImportDraft, 'owner' | 'pageKey'>[]): boolean[] {
  return drafts.map(({ owner, pageKey }) => {
    if (pageKey === null) return false
    const found = readValue(db)`
      SELECT EXISTS (SELECT 1 FROM bookmarks
      WHERE ifnull(organization_id, 0) = ${owner ?? 0} AND page_key = ${pageKey} AND deleted_at IS NOT NULL)`
    return found === 1
  })
}
