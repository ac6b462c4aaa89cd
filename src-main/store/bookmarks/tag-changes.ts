import type { UndoReport } from '../../contract/call.ts'
import { Problem } from '../../contract/problem.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { readRows, readValue, readValues, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { beginStep, type UndoStep } from './undo-steps.ts'

/**
 * Changes a tag on all its bookmarks, with SQL statements for sets of rows. `undo_taggings` has the tags that an undo
 * step added and removed. All functions are for use inside a transaction.
 */

/** Maximum number of bookmarks that are indexed in the same transaction; more are indexed in the background. */
const AT_ONCE = 200

/** 1 makes the changes that a step recorded, -1 the opposite changes. */
type Direction = 1 | -1

export interface NamedTag {
  id: number
  name: string
  folded: string
}

/** Makes the changes that a step recorded, each of which must change something. Returns the number of bookmarks. */
export function applyStep(db: WriteConnection, step: number, atOnce = AT_ONCE, direction: Direction = 1): number {
  const bookmarks = countBookmarks(db, step)
  run(db)`
    DELETE FROM bookmark_tags WHERE (bookmark_id, tag_id) IN
      (SELECT bookmark_id, tag_id FROM undo_taggings WHERE step_id = ${step} AND given = ${-direction})`
  run(db)`
    INSERT OR IGNORE INTO bookmark_tags (bookmark_id, tag_id)
    SELECT bookmark_id, tag_id FROM undo_taggings WHERE step_id = ${step} AND given = ${direction}`
  if (bookmarks <= atOnce) searchIndex(db).refresh(bookmarksOf(db, step))
  else searchIndex(db).deferTags(step, direction)
  return bookmarks
}

/**
 * Renames tags, and records their former names. Bookmarks keep their time of change.
 *
 * @returns how many bookmarks have one of the tags
 * @throws Problem `taken` if another tag, which a bookmark has or a step can restore, has one of the names
 */
export function renameTags(db: WriteConnection, step: UndoStep, named: NamedTag[], atOnce = AT_ONCE): number {
  const ids = JSON.stringify(named.map(({ id }) => id))
  const holders = named.map(
    ({ folded }) => readValue<number>(db)`
    SELECT id FROM tags WHERE folded = ${folded} AND id NOT IN (SELECT value FROM json_each(${ids}))`
  )
  const used = findUsed(db, holders)
  const taken = named.find((_, at) => used.includes(holders[at]))
  if (taken) {
    throw new Problem(
      'taken',
      `The name ${taken.name} is in use again. Undo later changes first, or rename the tag that has it.`
    )
  }
  run(db)`
    INSERT OR IGNORE INTO undo_tag_names (step_id, tag_id, name, folded)
    SELECT ${beginStep(db, step)}, id, name, folded FROM tags WHERE id IN (SELECT value FROM json_each(${ids}))`
  const before = readRows<NamedTag>(
    db
  )`SELECT id, name, folded FROM tags WHERE id IN (SELECT value FROM json_each(${ids}))`
  // Temporary names. No other name begins with a line feed, because names are trimmed.
  for (const id of [...before.map((one) => one.id), ...holders]) {
    if (id !== undefined) run(db)`UPDATE tags SET folded = char(10) || id WHERE id = ${id}`
  }
  for (const { id, name, folded } of named) run(db)`UPDATE tags SET name = ${name}, folded = ${folded} WHERE id = ${id}`
  // An unused tag that had one of the new names gets the former name of the renamed tag, so that an undo finds it.
  for (const [at, holder] of holders.entries()) {
    const own = before.find(({ id }) => id === named[at]?.id)
    if (holder !== undefined && own)
      run(db)`UPDATE OR IGNORE tags SET name = ${own.name}, folded = ${own.folded} WHERE id = ${holder}`
  }
  const bookmarks = readValues<number>(db)`
    SELECT DISTINCT bookmark_id FROM bookmark_tags WHERE tag_id IN (SELECT value FROM json_each(${ids}))`
  if (bookmarks.length <= atOnce) searchIndex(db).refresh(bookmarks)
  else for (const { id } of named) searchIndex(db).deferRenamed(id)
  return bookmarks.length
}

/** Returns the tags that a bookmark has or a step can restore. Moving a bookmark back to the trash restores no tag. */
function findUsed(db: WriteConnection, tags: (number | undefined)[]): (number | undefined)[] {
  const ids = tags.filter((tag) => tag !== undefined)
  if (ids.length === 0) return []
  return readValues<number>(db)`
    SELECT t.value FROM json_each(${JSON.stringify(ids)}) t
    WHERE EXISTS (SELECT 1 FROM bookmark_tags WHERE tag_id = t.value)
      OR t.value IN (SELECT tag_id FROM undo_taggings WHERE step_id > 0)
      OR t.value IN (SELECT tag_id FROM undo_tag_names WHERE step_id > 0)
      OR t.value IN (SELECT b.value FROM undo_bookmarks u JOIN json_each(u.before, '$.tags') b
        WHERE u.step_id > 0 AND json_type(u.before, '$.deletedAt') IS NOT 'integer')`
}

/** Undoes a step's changes of tags, and records the redo. Bookmarks that were changed since stay as they are. */
export function undoTags(db: WriteConnection, step: number, inverse: UndoStep, atOnce = AT_ONCE): UndoReport {
  const before = countBookmarks(db, step)
  forgetChanged(db, step)
  recordTaggings(db, step, inverse)
  const undone = applyStep(db, step, atOnce, -1)
  const names = readRows<NamedTag>(db)`
    SELECT tag_id AS id, name, folded FROM undo_tag_names WHERE step_id = ${step}`
  if (names.length === 0) return { undone, kept: before - undone }
  const renamed = renameTags(db, inverse, names, atOnce)
  return before === 0 ? { undone: renamed, kept: 0 } : { undone, kept: before - undone }
}

/** Records the opposite of a step's changes of tags, for its undo. */
function recordTaggings(db: WriteConnection, step: number, inverse: UndoStep): void {
  if (countBookmarks(db, step) === 0) return
  run(db)`
    INSERT INTO undo_taggings (step_id, bookmark_id, tag_id, given, changed_at)
    SELECT ${beginStep(db, inverse)}, bookmark_id, tag_id, -given, changed_at FROM undo_taggings WHERE step_id = ${step}`
}

/** Deletes a step's rows of bookmarks that were changed since, and rows whose undo would change nothing. */
function forgetChanged(db: WriteConnection, step: number): void {
  run(db)`
    DELETE FROM undo_taggings AS u WHERE step_id = ${step}
    AND changed_at <> (SELECT updated_at FROM bookmarks WHERE id = u.bookmark_id)`
  run(db)`
    DELETE FROM undo_taggings AS u WHERE step_id = ${step} AND (given = 1) <>
    EXISTS (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = u.bookmark_id AND bt.tag_id = u.tag_id)`
}

function countBookmarks(db: WriteConnection, step: number): number {
  return readValue<number>(db)`SELECT count(DISTINCT bookmark_id) FROM undo_taggings WHERE step_id = ${step}` ?? 0
}

function bookmarksOf(db: WriteConnection, step: number): number[] {
  return readValues<number>(db)`SELECT DISTINCT bookmark_id FROM undo_taggings WHERE step_id = ${step}`
}

/** Returns how many bookmarks have one of these tags. */
export function countWith(db: WriteConnection, tags: NamedTag[]): number {
  const ids = JSON.stringify(tags.map(({ id }) => id))
  return (
    readValue<number>(db)`
    SELECT count(DISTINCT bookmark_id) FROM bookmark_tags WHERE tag_id IN (SELECT value FROM json_each(${ids}))` ?? 0
  )
}
