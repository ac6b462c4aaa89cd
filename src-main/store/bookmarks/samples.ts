/**
 * Sample bookmarks, to try Earmark. The setting `samples` has their ids. A sample that was edited is no longer treated as
 * a sample. The pages of samples are not fetched, and samples are removed before this machine synchronizes with others.
 */

import type { ImportDraft } from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { exists, readValue, readValues, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { Written } from '../calls.ts'
import { createPublicIds } from '../public-id.ts'
import { findSame, insertBookmark } from './bookmark-inserts.ts'

/**
 * Adds samples, except those that the library already has, and returns how many were added. Adds none while an earlier
 * sample is unedited.
 *
 * @throws Problem `taken` if this machine synchronizes with others
 */
export function addSamples(db: WriteConnection, drafts: ImportDraft[], at: number): Written<number> {
  if (exists(db)`SELECT 1 FROM sync_state`) {
    throw new Problem('taken', 'This machine synchronizes its bookmarks, and samples are not synchronized.')
  }
  const before = unedited(db)
  if (before.length > 0) return { answer: 0, events: [] }
  const newId = createPublicIds()
  const ids: string[] = []
  const rowIds: number[] = []
  for (const draft of drafts) {
    if (findSame(db, draft)) continue
    const id = newId()
    rowIds.push(insertBookmark(db, { ...draft, id, updatedAt: at, deletedAt: null }))
    ids.push(id)
  }
  run(db)`UPDATE bookmarks SET details_due = NULL WHERE id IN (SELECT value FROM json_each(${JSON.stringify(rowIds)}))`
  searchIndex(db).refresh(rowIds)
  run(db)`INSERT OR REPLACE INTO settings (name, value) VALUES ('samples', ${JSON.stringify({ at, ids })})`
  return { answer: ids.length, events: ids.length > 0 ? [{ kind: 'bookmarks' }] : [] }
}

/** Deletes the samples permanently, except those that were edited or are in the trash, and returns how many. */
export function removeSamples(db: WriteConnection): Written<number> {
  const rowIds = unedited(db)
  const list = JSON.stringify(rowIds)
  // Moves them to the trash first, which removes them from the index and the counts.
  run(db)`UPDATE bookmarks SET deleted_at = updated_at WHERE id IN (SELECT value FROM json_each(${list}))`
  searchIndex(db).refresh(rowIds)
  run(db)`DELETE FROM bookmarks WHERE id IN (SELECT value FROM json_each(${list}))`
  run(db)`DELETE FROM settings WHERE name = 'samples'`
  return { answer: rowIds.length, events: rowIds.length > 0 ? [{ kind: 'bookmarks' }] : [] }
}

/** Removes bookmarks from the list of samples, because the owner saved, imported or merged the same pages. */
export function claimSamples(db: WriteConnection, rowIds: number[]): void {
  run(db)`
    UPDATE settings SET value = json_set(value, '$.ids', json((
      SELECT json_group_array(s.value) FROM json_each(settings.value, '$.ids') s WHERE s.value NOT IN (
        SELECT public_id FROM bookmarks WHERE id IN (SELECT value FROM json_each(${JSON.stringify(rowIds)}))))))
      WHERE name = 'samples'`
}

/** Returns how many samples `removeSamples` would delete. */
export function countSamples(db: ReadConnection): number {
  return unedited(db).length
}

/** Returns the row ids of the samples that were never edited. Every edit changes the time of change. */
function unedited(db: Pick<ReadConnection, 'prepare'>): number[] {
  const stored = readValue<string>(db)`SELECT value FROM settings WHERE name = 'samples'`
  if (stored === undefined) return []
  return readValues<number>(db)`
    SELECT b.id FROM json_each(${stored}, '$.ids') s JOIN bookmarks b ON b.public_id = s.value
    WHERE b.deleted_at IS NULL AND b.updated_at = json_extract(${stored}, '$.at')`
}
