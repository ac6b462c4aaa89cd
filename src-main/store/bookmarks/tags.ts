import { Problem } from '../../contract/problem.ts'
import type { Tag, TagMerge, TagPart, TagReport } from '../../contract/tag.ts'
import { foldName } from '../../core/fold-name.ts'
import { filterToken } from '../../search/filter-tokens.ts'
import { countOf } from '../../search/sql/filter-counts.ts'
import type { Written } from '../calls.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { exists, insert, readRow, readRows, readValues, run } from '../statements.ts'
import { findOrMakeTag, findTag } from './bookmark-tags.ts'
import { applyStep, setTagName, takeLastTags } from './tag-changes.ts'

/** Bookmarks a part of a deletion: some 20 ms. */
const PART = 500

const CHANGED: Written<unknown>['events'] = [{ kind: 'tags' }, { kind: 'bookmarks' }]

/**
 * Renames a tag. A tag that no bookmark has any more keeps its row, so that undoing gives the same tag back; it is listed
 * nowhere.
 *
 * @param atOnce for tests: how many bookmarks it indexes again before it answers
 * @throws Problem `not-found` when there is no such tag, `taken` when bookmarks have another tag of that name
 */
export function renameTag(
  db: WriteConnection,
  name: string,
  newName: string,
  at: number,
  atOnce?: number
): Written<TagReport> {
  const tag = tagNamed(db, name)
  const other = findTag(db, newName)
  const named = { name: newName, folded: foldName(newName) }
  if (other === undefined || other === tag) {
    const undo = beginStep(db, at, tag)
    return { answer: { bookmarks: setTagName(db, tag, named, atOnce), undo }, events: CHANGED }
  }
  if (countOf(db, filterToken.tag(other)) > 0) {
    throw new Problem('taken', `There is already a tag named ${newName}. Merge the two tags to make them one.`)
  }
  // Only the trash still knows the other one: the two become one under the new name.
  const step = beginStep(db, at, other)
  setTagName(db, other, named, atOnce)
  return { answer: replaceEverywhere(db, [tag], other, step, atOnce), events: CHANGED }
}

/**
 * Makes one tag of several.
 *
 * @throws Problem `not-found` when there is no such tag, `invalid` when there is nothing to merge
 */
export function mergeTags(
  db: WriteConnection,
  { from, into }: TagMerge,
  at: number,
  atOnce?: number
): Written<TagReport> {
  const target = findOrMakeTag(db, into)
  const others = [...new Set(from.map((name) => tagNamed(db, name)))].filter((tag) => tag !== target)
  if (others.length === 0) throw new Problem('invalid', 'Choose at least two different tags to merge.')
  return { answer: replaceEverywhere(db, others, target, beginStep(db, at), atOnce), events: CHANGED }
}

/**
 * Takes a tag from some of its bookmarks, so that no other write waits long.
 *
 * @param part what the part before answered
 * @throws Problem `not-found` when there is no such tag
 */
export function deleteTagSome(
  db: WriteConnection,
  name: string,
  at: number,
  part?: TagPart,
  atOnce?: number
): Written<TagPart> {
  const answer = deletePart(db, tagNamed(db, name), part ?? { undo: beginStep(db, at), bookmarks: 0, after: 0 }, atOnce)
  return { answer, events: answer.after === null ? CHANGED : [] }
}

function deletePart(
  db: WriteConnection,
  tag: number,
  { undo: step, bookmarks, after }: TagPart,
  atOnce?: number
): TagPart {
  // The step was taken back meanwhile: the tag stays on what is left.
  if (!exists(db)`SELECT 1 FROM undo_steps WHERE id = ${step}`) return { bookmarks, undo: step, after: null }
  const last = readValues<number>(db)`
    SELECT bookmark_id FROM bookmark_tags WHERE tag_id = ${tag} AND bookmark_id > ${after}
    ORDER BY bookmark_id LIMIT ${PART}`.at(-1)
  if (last === undefined) return { bookmarks, undo: step, after: null }
  const { changes: taken } = run(db)`
    INSERT INTO undo_taggings (step_id, bookmark_id, tag_id, given, changed_at)
    SELECT ${step}, bt.bookmark_id, bt.tag_id, -1, b.updated_at
    FROM bookmark_tags bt JOIN bookmarks b ON b.id = bt.bookmark_id
    WHERE bt.tag_id = ${tag} AND bt.bookmark_id > ${after} AND bt.bookmark_id <= ${last}`
  takeLastTags(db, step, after ?? 0, atOnce)
  return { bookmarks: bookmarks + taken, undo: step, after: taken < PART ? null : last }
}

/** Gives the bookmarks that have any of these tags another instead. */
function replaceEverywhere(
  db: WriteConnection,
  from: number[],
  into: number,
  step: number,
  atOnce?: number
): TagReport {
  run(db)`
    INSERT INTO undo_taggings (step_id, bookmark_id, tag_id, given, changed_at)
    SELECT ${step}, bt.bookmark_id, bt.tag_id, -1, b.updated_at
    FROM json_each(${JSON.stringify(from)}) t JOIN bookmark_tags bt ON bt.tag_id = t.value JOIN bookmarks b ON b.id = bt.bookmark_id`
  run(db)`
    INSERT INTO undo_taggings (step_id, bookmark_id, tag_id, given, changed_at)
    SELECT DISTINCT ${step}, u.bookmark_id, ${into}, 1, u.changed_at FROM undo_taggings u
    WHERE u.step_id = ${step} AND NOT EXISTS
      (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = u.bookmark_id AND bt.tag_id = ${into})`
  return { bookmarks: applyStep(db, step, atOnce), undo: step }
}

/** @param tag whose name the step changes */
function beginStep(db: WriteConnection, at: number, tag: number | null = null): number {
  const named = readRow<{ name: string; folded: string }>(db)`SELECT name, folded FROM tags WHERE id = ${tag}`
  return insert(db)`
    INSERT INTO undo_steps (at, tag_id, tag_name, tag_folded)
      VALUES (${at}, ${tag}, ${named?.name ?? null}, ${named?.folded ?? null})`
}

function tagNamed(db: WriteConnection, name: string): number {
  const tag = findTag(db, name)
  if (tag === undefined) throw new Problem('not-found', `There is no tag named ${name}.`)
  return tag
}

/** Returns the tags that bookmarks outside the trash have, by name. */
export function listTags(db: ReadConnection): Tag[] {
  return readRows<Tag>(db)`
    SELECT t.name, c.bookmarks FROM tags t JOIN filter_counts c ON c.filter = ${filterToken.anyTag} || t.id
    WHERE c.bookmarks > 0 ORDER BY t.folded`
}
