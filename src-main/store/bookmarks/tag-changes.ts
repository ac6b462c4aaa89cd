import type { UndoReport } from '../../contract/call.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { WriteConnection } from '../connection.ts'
import { readRow, readValue, readValues, run } from '../statements.ts'
import { beginStep, type UndoStep } from './undo-steps.ts'

/**
 * Changes of a tag on all bookmarks that have it, as sets of rows: a step's rows in `undo_taggings` say which tags it
 * gave and took. For use inside a transaction.
 */

/** Bookmarks that are indexed again at once; more are left to the background, so that no other write waits long. */
const AT_ONCE = 200

/** 1 does what a step's rows say, -1 the opposite. */
type Direction = 1 | -1

interface Renamed {
  tagId: number
  name: string
  folded: string
}

/** Does what a step's rows say, each of which must make a difference, and returns how many bookmarks it concerns. */
export function applyStep(db: WriteConnection, step: number, atOnce = AT_ONCE, direction: Direction = 1): number {
  const bookmarks = countBookmarks(db, step)
  takeTags(db, { step, direction, after: 0 })
  run(db)`
    INSERT OR IGNORE INTO bookmark_tags (bookmark_id, tag_id)
    SELECT bookmark_id, tag_id FROM undo_taggings WHERE step_id = ${step} AND given = ${direction}`
  if (bookmarks <= atOnce) searchIndex(db).refresh(touchedBy(db, step, 0))
  else searchIndex(db).deferChanged(step, direction)
  return bookmarks
}

/** Takes the tags of a step's last bookmarks, those above a row id. */
export function takeLastTags(db: WriteConnection, step: number, after: number, atOnce = AT_ONCE): void {
  takeTags(db, { step, direction: 1, after })
  const bookmarks = touchedBy(db, step, after)
  if (bookmarks.length <= atOnce) searchIndex(db).refresh(bookmarks)
  else searchIndex(db).deferChanged(step, 1, after)
}

/** Renames a tag; nothing about its bookmarks changes but the words they are found by. Returns how many there are. */
export function setTagName(
  db: WriteConnection,
  tag: number,
  { name, folded }: { name: string; folded: string },
  atOnce = AT_ONCE
): number {
  run(db)`UPDATE tags SET name = ${name}, folded = ${folded} WHERE id = ${tag}`
  const bookmarks = bookmarksWith(db, tag)
  if (bookmarks.length <= atOnce) searchIndex(db).refresh(bookmarks)
  else searchIndex(db).deferRenamed(tag)
  return bookmarks.length
}

/** Takes back what a step did to tags, and notes how to do it again. What was changed since, or would not change, stays as it is. */
export function takeTagsBack(db: WriteConnection, step: number, inverse: UndoStep, atOnce = AT_ONCE): UndoReport {
  const before = countBookmarks(db, step)
  forgetChangedSince(db, step)
  noteTaggings(db, step, inverse)
  const undone = applyStep(db, step, atOnce, -1)
  const renamed = readRow<Renamed>(db)`
    SELECT tag_id AS tagId, tag_name AS name, tag_folded AS folded FROM undo_steps
    WHERE id = ${step} AND tag_id IS NOT NULL`
  if (!renamed) return { undone, kept: before - undone }
  noteName(db, renamed.tagId, inverse)
  if (!makeFree(db, renamed)) return { undone, kept: bookmarksWith(db, renamed.tagId).length }
  const named = setTagName(db, renamed.tagId, renamed, atOnce)
  return before === 0 ? { undone: named, kept: 0 } : { undone, kept: before - undone }
}

/** Notes the opposite of what a step did to tags: what taking it back does. */
function noteTaggings(db: WriteConnection, step: number, inverse: UndoStep): void {
  if (countBookmarks(db, step) === 0) return
  run(db)`
    INSERT INTO undo_taggings (step_id, bookmark_id, tag_id, given, changed_at)
    SELECT ${beginStep(db, inverse)}, bookmark_id, tag_id, -given, changed_at FROM undo_taggings WHERE step_id = ${step}`
}

/** Notes the name that a tag is about to lose. */
function noteName(db: WriteConnection, tag: number, inverse: UndoStep): void {
  run(db)`
    UPDATE undo_steps SET tag_id = ${tag}, (tag_name, tag_folded) = (SELECT name, folded FROM tags WHERE id = ${tag})
    WHERE id = ${beginStep(db, inverse)}`
}

/** Forgets what a step did to bookmarks that were changed since, and what taking back would not change. */
function forgetChangedSince(db: WriteConnection, step: number): void {
  run(db)`
    DELETE FROM undo_taggings AS u WHERE step_id = ${step}
    AND changed_at <> (SELECT updated_at FROM bookmarks WHERE id = u.bookmark_id)`
  run(db)`
    DELETE FROM undo_taggings AS u WHERE step_id = ${step} AND (given = 1) <>
    EXISTS (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = u.bookmark_id AND bt.tag_id = u.tag_id)`
}

/**
 * Makes a tag's former name free, if it is nobody's by now: a tag that no bookmark has and no change would bring back
 * takes the other name in exchange, so that what was undone finds it again.
 */
function makeFree(db: WriteConnection, { folded, tagId }: Renamed): boolean {
  const tag = readValue<number>(db)`SELECT id FROM tags WHERE folded = ${folded} AND id <> ${tagId}`
  if (tag === undefined) return true
  const isKnown = readValue(db)`
    SELECT EXISTS (SELECT 1 FROM bookmark_tags WHERE tag_id = ${tag})
      OR EXISTS (SELECT 1 FROM undo_taggings WHERE tag_id = ${tag} AND step_id > 0)
      OR EXISTS (SELECT 1 FROM undo_steps WHERE tag_id = ${tag} AND id > 0)
      OR EXISTS (SELECT 1 FROM undo_bookmarks u JOIN json_each(u.before, '$.tags') t
                 WHERE t.value = ${tag} AND u.step_id > 0)`
  if (isKnown === 1) return false
  const own = readRow<Omit<Renamed, 'tagId'>>(db)`SELECT name, folded FROM tags WHERE id = ${tagId}`
  // No name begins with a line feed, because names are trimmed.
  run(db)`UPDATE tags SET folded = char(10) || id WHERE id = ${tagId}`
  run(db)`UPDATE tags SET name = ${own?.name ?? ''}, folded = ${own?.folded ?? ''} WHERE id = ${tag}`
  return true
}

function takeTags(db: WriteConnection, bookmarks: { step: number; direction: Direction; after: number }): void {
  run(
    db,
    `DELETE FROM bookmark_tags WHERE (bookmark_id, tag_id) IN
       (SELECT bookmark_id, tag_id FROM undo_taggings
        WHERE step_id = @step AND bookmark_id > @after AND given = -@direction)`,
    bookmarks
  )
}

function countBookmarks(db: WriteConnection, step: number): number {
  return readValue<number>(db)`SELECT count(DISTINCT bookmark_id) FROM undo_taggings WHERE step_id = ${step}` ?? 0
}

function touchedBy(db: WriteConnection, step: number, after: number): number[] {
  return readValues<number>(db)`
    SELECT DISTINCT bookmark_id FROM undo_taggings WHERE step_id = ${step} AND bookmark_id > ${after}`
}

function bookmarksWith(db: WriteConnection, tag: number): number[] {
  return readValues<number>(db)`SELECT bookmark_id FROM bookmark_tags WHERE tag_id = ${tag}`
}
