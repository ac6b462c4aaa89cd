import Sqlite from 'better-sqlite3'
import { LIMITS } from '../../contract/bookmark.ts'
import type { BookmarkFate, DeletionPreview, DeletionReport, Organization } from '../../contract/organization.ts'
import { Problem } from '../../contract/problem.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { insert, readRow, readRows, readValue, run } from '../../database/sql.ts'
import { filterToken } from '../../search/filter-tokens.ts'
import { countWithToken } from '../../search/sql/filters.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { readState } from '../bookmarks/bookmark-state.ts'
import { recordChange, type UndoStep } from '../bookmarks/undo-steps.ts'
import type { Written } from '../calls.ts'
import { publicId } from '../public-id.ts'

/** @throws Problem `taken` if another organization has this name, in any case */
export function createOrganization(db: WriteConnection, name: string, createdAt: number): Written<Organization> {
  const id = publicId()
  const rowId = orTaken(
    `There is already an organization named ${name}.`,
    () =>
      insert(db)`
      INSERT INTO organizations (public_id, name, folded, created_at)
        VALUES (${id}, ${name}, ${foldName(name)}, ${createdAt})`
  )
  return { answer: { rowId, id, name, createdAt, bookmarks: 0, keys: 0 }, events: [{ kind: 'organizations' }] }
}

/**
 * Returns false if there is no such organization.
 *
 * @throws Problem `taken` if another organization has this name, in any case
 */
export function renameOrganization(db: WriteConnection, rowId: number, name: string): Written<boolean> {
  const { changes } = orTaken(
    `There is already an organization named ${name}.`,
    () =>
      run(db)`
      UPDATE organizations SET name = ${name}, folded = ${foldName(name)} WHERE id = ${rowId} AND deleted_at IS NULL`
  )
  return { answer: changes > 0, events: [{ kind: 'organizations' }, { kind: 'bookmarks' }] }
}

/**
 * Returns what deleting an organization would do. It runs on the writing thread, because it takes long for a large
 * organization, and reads on the reading thread would wait for it.
 */
export function previewDeletion(db: WriteConnection, rowId: number): Written<DeletionPreview> {
  const bookmarks = readValue<number>(db)`
    SELECT count(*) FROM bookmarks WHERE organization_id = ${rowId} AND deleted_at IS NULL`
  const keys = readRows<DeletionPreview['keys'][number]>(db)`
    SELECT public_id AS id, name, last_client AS client FROM api_keys
      WHERE organization_id = ${rowId} AND revoked_at IS NULL
    ORDER BY name COLLATE NOCASE`
  const duplicates = readValue<number>(db)`
    SELECT count(*) FROM bookmarks b JOIN bookmarks mine
      ON ifnull(mine.organization_id, 0) = 0 AND mine.page_key = b.page_key AND mine.deleted_at IS NULL
    WHERE b.organization_id = ${rowId} AND b.deleted_at IS NULL`
  return { answer: { bookmarks: bookmarks ?? 0, keys, duplicates: duplicates ?? 0 }, events: [] }
}

/** Returns all organizations, by name. */
export function listOrganizations(db: ReadConnection): Organization[] {
  const rows = readRows<Omit<Organization, 'bookmarks'>>(db)`
    SELECT id AS rowId, public_id AS id, name, created_at AS createdAt,
      (SELECT count(*) FROM api_keys k WHERE k.organization_id = o.id AND k.revoked_at IS NULL) AS keys
    FROM organizations o WHERE deleted_at IS NULL ORDER BY folded`
  return rows.map((row) => ({ ...row, bookmarks: countWithToken(db, filterToken.organization(row.rowId)) }))
}

/** Maximum number of bookmarks that one transaction moves. Other writes run between two transactions. */
const BATCH = 200

interface Owned {
  id: number
  pageKey: string | null
  createdAt: number
  deletedAt: number | null
}

/**
 * Deletes an organization in batches. The profile becomes the owner of its bookmarks, and none is lost. If both have the
 * same page, one bookmark stays outside the trash. The other is in the trash without its page key, because each owner has
 * one bookmark of a page. All batches are one undo step, also after an interruption; `undo` is `null` if there was no
 * bookmark.
 */
export function deleteOrganizationBatch(
  db: WriteConnection,
  rowId: number,
  fate: BookmarkFate,
  at: number
): Written<DeletionReport & { done: boolean; undo: number | null }> {
  const rows = readRows<Owned>(db)`
    SELECT id, page_key AS pageKey, created_at AS createdAt, deleted_at AS deletedAt
    FROM bookmarks WHERE organization_id = ${rowId} LIMIT ${BATCH}`
  const became = { moved: 0, trashed: 0, merged: 0 }
  const touched = new Set<number>()
  const step: UndoStep = { id: findBegunStep(db, rowId), at }
  for (const row of rows) {
    const outcome = adopt(db, row, { fate, at, touched, step })
    if (outcome) became[outcome] += 1
  }
  searchIndex(db).refresh([...touched])
  const done = rows.length < BATCH
  if (step.id !== null) run(db)`UPDATE undo_steps SET organization_id = ${rowId} WHERE id = ${step.id}`
  if (done) markDeleted(db, rowId, at)
  return { answer: { ...became, done, undo: step.id }, events: [{ kind: 'organizations' }, { kind: 'bookmarks' }] }
}

/** @param touched receives the row ids of the changed bookmarks */
function adopt(
  db: WriteConnection,
  row: Owned,
  { fate, at, touched, step }: { fate: BookmarkFate; at: number; touched: Set<number>; step: UndoStep }
): keyof DeletionReport | undefined {
  const mine = row.pageKey === null ? undefined : ownBookmarkOf(db, row.pageKey)
  const merged = mine?.deletedAt === null && row.deletedAt === null && fate === 'profile'
  const living = row.deletedAt === null && fate === 'profile' && !merged
  if (mine && merged) {
    recordWhile(db, step, mine.id, ['tags', 'createdAt'], () => mergeInto(db, mine.id, row, at))
    touched.add(mine.id)
  }
  // The moved bookmark replaces the profile's bookmark in the trash. An undo does not restore the removed page key.
  if (mine && living) run(db)`UPDATE bookmarks SET page_key = NULL WHERE id = ${mine.id}`
  recordWhile(
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

/** Fields of a bookmark that the deletion of its organization changes. */
const OWN = ['organization', 'visibility', 'deletedAt', 'pageKey']

/** Changes a bookmark, and records the former values of these fields. */
function recordWhile(
  db: WriteConnection,
  step: UndoStep,
  rowId: number,
  fields: string[],
  change: () => unknown
): void {
  const before = readState(db, rowId, [...fields, 'updatedAt'])
  change()
  const { updatedAt = 0 } = readState(db, rowId, ['updatedAt'])
  recordChange(db, step, rowId, { before, changedAt: updatedAt })
}

function ownBookmarkOf(db: WriteConnection, pageKey: string): Pick<Owned, 'id' | 'deletedAt'> | undefined {
  return readRow<Pick<Owned, 'deletedAt' | 'id'>>(db)`
    SELECT id, deleted_at AS deletedAt FROM bookmarks WHERE ifnull(organization_id, 0) = 0 AND page_key = ${pageKey}`
}

/** Adds the tags of the organization's bookmark to the profile's bookmark, and sets the earlier date of the two. */
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

/** Returns the step of a deletion that was begun and not undone. */
function findBegunStep(db: WriteConnection, rowId: number): number | null {
  return readValue<number>(db)`SELECT id FROM undo_steps WHERE organization_id = ${rowId} AND id > 0` ?? null
}

/** Marks an organization without bookmarks as deleted. */
export function markDeleted(db: WriteConnection, rowId: number, at: number): void {
  // The name becomes free; no name begins with a line feed, because names are trimmed.
  run(db)`
    UPDATE organizations SET deleted_at = ${at}, folded = char(10) || public_id
      WHERE id = ${rowId} AND deleted_at IS NULL`
}

/**
 * Runs a write that sets a unique name.
 *
 * @throws Problem `taken` with this message if the name is in use
 */
export function orTaken<T>(message: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_CONSTRAINT_UNIQUE') {
      throw new Problem('taken', message)
    }
    throw error
  }
}
