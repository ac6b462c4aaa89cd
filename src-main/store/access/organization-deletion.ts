import { LIMITS } from '../../contract/bookmark.ts'
import type { BookmarkFate, DeletionReport } from '../../contract/organization.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { readRow, readRows, readValue, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { readState } from '../bookmarks/bookmark-state.ts'
import { noteChange, type UndoStep } from '../bookmarks/undo-steps.ts'
import type { Written } from '../calls.ts'

/** Bookmarks a step; between two of them other writes get their turn. */
const STEP = 200

interface Owned {
  id: number
  pageKey: string | null
  createdAt: number
  deletedAt: number | null
}

/**
 * Deletes an organization step by step. Its bookmarks become the profile's, and nothing is lost on the way: of a page
 * that both have, one stays or becomes the living bookmark and the other lies in the trash, without the page's key,
 * because a page is one bookmark for each owner. All of it is one step that can be taken back, `undo`, also where it
 * was interrupted and goes on; `null` where there was no bookmark.
 */
export function deleteOrganizationSome(
  db: WriteConnection,
  rowId: number,
  fate: BookmarkFate,
  at: number
): Written<DeletionReport & { done: boolean; undo: number | null }> {
  const rows = readRows<Owned>(db)`
    SELECT id, page_key AS pageKey, created_at AS createdAt, deleted_at AS deletedAt
    FROM bookmarks WHERE organization_id = ${rowId} LIMIT ${STEP}`
  const became = { moved: 0, trashed: 0, merged: 0 }
  const touched = new Set<number>()
  const step: UndoStep = { id: begunStep(db, rowId), at }
  for (const row of rows) {
    const outcome = adopt(db, row, { fate, at, touched, step })
    if (outcome) became[outcome] += 1
  }
  searchIndex(db).refresh([...touched])
  const done = rows.length < STEP
  if (step.id !== null) run(db)`UPDATE undo_steps SET organization_id = ${rowId} WHERE id = ${step.id}`
  if (done) markDeleted(db, rowId, at)
  return { answer: { ...became, done, undo: step.id }, events: [{ kind: 'organizations' }, { kind: 'bookmarks' }] }
}

/** @param touched gets the row ids of the bookmarks that changed */
function adopt(
  db: WriteConnection,
  row: Owned,
  { fate, at, touched, step }: { fate: BookmarkFate; at: number; touched: Set<number>; step: UndoStep }
): keyof DeletionReport | undefined {
  const mine = row.pageKey === null ? undefined : ownBookmarkOf(db, row.pageKey)
  const merged = mine?.deletedAt === null && row.deletedAt === null && fate === 'profile'
  const living = row.deletedAt === null && fate === 'profile' && !merged
  if (mine && merged) {
    noted(db, step, mine.id, ['tags', 'createdAt'], () => mergeInto(db, mine.id, row, at))
    touched.add(mine.id)
  }
  // The page's key of the one that stays in the trash is not given back: its page is the other one's by now.
  if (mine && living) run(db)`UPDATE bookmarks SET page_key = NULL WHERE id = ${mine.id}`
  noted(
    db,
    step,
    row.id,
    OWN,
    () =>
      run(db)`
        UPDATE bookmarks SET organization_id = NULL, visibility = 'private',
          deleted_at = ${living ? null : (row.deletedAt ?? at)},
          updated_at = max(${at}, updated_at + 1), page_key = iif(${mine !== undefined && !living ? 1 : 0}, NULL, page_key)
        WHERE id = ${row.id}`
  )
  touched.add(row.id)
  if (row.deletedAt !== null) return undefined
  if (merged) return 'merged'
  return living ? 'moved' : 'trashed'
}

/** Fields of an organization's bookmark that its deletion changes. */
const OWN = ['organization', 'visibility', 'deletedAt', 'pageKey']

/** Makes a change of a bookmark, and notes what these fields were. */
function noted(db: WriteConnection, step: UndoStep, rowId: number, fields: string[], change: () => unknown): void {
  const before = readState(db, rowId, [...fields, 'updatedAt'])
  change()
  const { updatedAt = 0 } = readState(db, rowId, ['updatedAt'])
  noteChange(db, step, rowId, { before, changedAt: updatedAt })
}

function ownBookmarkOf(db: WriteConnection, pageKey: string): Pick<Owned, 'id' | 'deletedAt'> | undefined {
  return readRow<Pick<Owned, 'deletedAt' | 'id'>>(db)`
    SELECT id, deleted_at AS deletedAt FROM bookmarks WHERE ifnull(organization_id, 0) = 0 AND page_key = ${pageKey}`
}

/** Gives the profile's bookmark the tags of the organization's, and the older date. */
function mergeInto(db: WriteConnection, mine: number, { id, createdAt }: Owned, at: number): void {
  run(db)`
    INSERT OR IGNORE INTO bookmark_tags (bookmark_id, tag_id)
    SELECT ${mine}, tag_id FROM bookmark_tags
    WHERE bookmark_id = ${id} AND tag_id NOT IN (SELECT tag_id FROM bookmark_tags WHERE bookmark_id = ${mine})
    LIMIT max(0, ${LIMITS.tags} - (SELECT count(*) FROM bookmark_tags WHERE bookmark_id = ${mine}))`
  run(db)`
    UPDATE bookmarks SET created_at = min(created_at, ${createdAt}), updated_at = max(${at}, updated_at + 1)
    WHERE id = ${mine}`
}

/** Returns the step of a deletion that was begun and not taken back. */
function begunStep(db: WriteConnection, rowId: number): number | null {
  return readValue<number>(db)`SELECT id FROM undo_steps WHERE organization_id = ${rowId} AND id > 0` ?? null
}

/** Marks an organization without bookmarks as deleted. */
export function markDeleted(db: WriteConnection, rowId: number, at: number): void {
  // The name becomes free; no name begins with a line feed, because names are trimmed.
  run(db)`
    UPDATE organizations SET deleted_at = ${at}, folded = char(10) || public_id
      WHERE id = ${rowId} AND deleted_at IS NULL`
}
