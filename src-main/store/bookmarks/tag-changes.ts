import type { UndoReport } from '../../contract/call.ts'
import { Problem } from '../../contract/problem.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { readRows, readValue, readValues, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { beginStep, type UndoStep } from './undo-steps.ts'

/**
 * Changes of a tag on all bookmarks that have it, as sets of rows: a step's rows in `undo_taggings` say which tags it
 * gave and took. For use inside a transaction.
 */

/** Bookmarks that are indexed again at once; more are left to the background, so that no other write waits long. */
const AT_ONCE = 200

/** 1 does what a step's rows say, -1 the opposite. */
type Direction = 1 | -1

export interface NamedTag {
  id: number
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
  else searchIndex(db).deferTags(step, direction)
  return bookmarks
}

/** Takes the tags of a step's last bookmarks, those above a row id. */
export function takeLastTags(db: WriteConnection, step: number, after: number, atOnce = AT_ONCE): void {
  takeTags(db, { step, direction: 1, after })
  const bookmarks = touchedBy(db, step, after)
  if (bookmarks.length <= atOnce) searchIndex(db).refresh(bookmarks)
  else searchIndex(db).deferTags(step, 1, after)
}

/**
 * Gives tags these names, and notes those they had. Nothing about their bookmarks changes but the words and tags they are
 * found by.
 *
 * @returns how many bookmarks have one of them
 * @throws Problem `taken` where a name is another tag's, which some bookmark or step knows
 */
export function renameTags(db: WriteConnection, step: UndoStep, named: NamedTag[], atOnce = AT_ONCE): number {
  const ids = JSON.stringify(named.map(({ id }) => id))
  const holders = named.map(
    ({ folded }) => readValue<number>(db)`
    SELECT id FROM tags WHERE folded = ${folded} AND id NOT IN (SELECT value FROM json_each(${ids}))`
  )
  const known = knownAmong(db, holders)
  const taken = named.find((_, at) => known.includes(holders[at]))
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
  // No name begins with a line feed, because names are trimmed.
  for (const id of [...before.map((one) => one.id), ...holders]) {
    if (id !== undefined) run(db)`UPDATE tags SET folded = char(10) || id WHERE id = ${id}`
  }
  for (const { id, name, folded } of named) run(db)`UPDATE tags SET name = ${name}, folded = ${folded} WHERE id = ${id}`
  // Whoever had such a name, known to nobody, takes the other in exchange, so that what was undone finds it again.
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

/** Returns those of the tags that a bookmark has, or that a change would bring back. */
function knownAmong(db: WriteConnection, tags: (number | undefined)[]): (number | undefined)[] {
  const some = tags.filter((tag) => tag !== undefined)
  if (some.length === 0) return []
  return readValues<number>(db)`
    SELECT one.value FROM json_each(${JSON.stringify(some)}) one
    WHERE EXISTS (SELECT 1 FROM bookmark_tags WHERE tag_id = one.value)
      OR one.value IN (SELECT tag_id FROM undo_taggings WHERE step_id > 0)
      OR one.value IN (SELECT tag_id FROM undo_tag_names WHERE step_id > 0)
      OR one.value IN (SELECT t.value FROM undo_bookmarks u JOIN json_each(u.before, '$.tags') t WHERE u.step_id > 0)`
}

/** Takes back what a step did to tags, and notes how to do it again. What was changed since, or would not change, stays as it is. */
export function takeTagsBack(db: WriteConnection, step: number, inverse: UndoStep, atOnce = AT_ONCE): UndoReport {
  const before = countBookmarks(db, step)
  forgetChangedSince(db, step)
  noteTaggings(db, step, inverse)
  const undone = applyStep(db, step, atOnce, -1)
  const names = readRows<NamedTag>(db)`
    SELECT tag_id AS id, name, folded FROM undo_tag_names WHERE step_id = ${step}`
  if (names.length === 0) return { undone, kept: before - undone }
  const renamed = renameTags(db, inverse, names, atOnce)
  return before === 0 ? { undone: renamed, kept: 0 } : { undone, kept: before - undone }
}

/** Notes the opposite of what a step did to tags: what taking it back does. */
function noteTaggings(db: WriteConnection, step: number, inverse: UndoStep): void {
  if (countBookmarks(db, step) === 0) return
  run(db)`
    INSERT INTO undo_taggings (step_id, bookmark_id, tag_id, given, changed_at)
    SELECT ${beginStep(db, inverse)}, bookmark_id, tag_id, -given, changed_at FROM undo_taggings WHERE step_id = ${step}`
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

/** Returns how many bookmarks have one of these tags. */
export function countWith(db: WriteConnection, tags: NamedTag[]): number {
  const ids = JSON.stringify(tags.map(({ id }) => id))
  return (
    readValue<number>(db)`
    SELECT count(DISTINCT bookmark_id) FROM bookmark_tags WHERE tag_id IN (SELECT value FROM json_each(${ids}))` ?? 0
  )
}
