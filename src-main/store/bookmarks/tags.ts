import { LIMITS } from '../../contract/bookmark.ts'
import { Problem } from '../../contract/problem.ts'
import type { Tag, TagMerge, TagReport } from '../../contract/tag.ts'
import { fitsTag, parentTags, tagsBelow } from '../../contract/tag-names.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { exists, readRow, readRows, readValue, readValues, run } from '../../database/sql.ts'
import { filterToken } from '../../search/filter-tokens.ts'
import { countWithToken } from '../../search/sql/filters.ts'
import type { Written } from '../calls.ts'
import { findOrMakeTag, findTag } from './bookmark-state.ts'
import { applyStep, countWith, type NamedTag, renameTags } from './tag-changes.ts'
import { beginStep } from './undo-steps.ts'

const CHANGED: Written<unknown>['events'] = [{ kind: 'tags' }, { kind: 'bookmarks' }]

/**
 * Renames a tag and its nested tags: if `work` becomes `job`, `work/client` becomes `job/client`. A tag without bookmarks
 * keeps its row, so that an undo restores the same tag, but is not listed.
 *
 * @param atOnce for tests: the maximum number of bookmarks that are indexed in the same transaction
 * @throws Problem `not-found` if there is no such tag, `taken` if bookmarks have another tag of that name, `invalid` if a
 *   name would be too long
 */
export function renameTag(
  db: WriteConnection,
  name: string,
  newName: string,
  at: number,
  atOnce?: number
): Written<TagReport> {
  const tag = usedTag(db, name)
  const below = tagsBelowOf(db, name).map((one) => moved(one, name, newName))
  if (tag === undefined && below.length === 0) throw noTag(name)
  const all = tag === undefined ? below : [{ id: tag, name: newName, folded: foldName(newName) }, ...below]
  // If another tag with the new name is used only in the trash or by an undo step, both tags become that one.
  const others = all.map((one) => otherThan(db, one, all))
  const pairs = all.flatMap(({ id }, index) => (others[index] === undefined ? [] : [[id, others[index]] as const]))
  const bookmarks = countWith(db, all)
  const step = { id: null, at }
  const named = all.map((one, index) => ({ ...one, id: others[index] ?? one.id }))
  renameTags(db, step, named, atOnce)
  if (pairs.length > 0) replaceEverywhere(db, pairs, beginStep(db, step), atOnce)
  return { answer: { bookmarks, undo: beginStep(db, step) }, events: CHANGED }
}

/**
 * Returns another tag that already has the new name of a tag.
 *
 * @throws Problem `taken` if bookmarks outside the trash have that other tag
 */
function otherThan(db: WriteConnection, { id, name }: NamedTag, all: NamedTag[]): number | undefined {
  const other = findTag(db, name)
  if (other === undefined || other === id || all.some((one) => one.id === other)) return undefined
  if (countWithToken(db, filterToken.tag(other)) === 0) return other
  throw new Problem('taken', `There is already a tag named ${name}. Merge the two tags to make them one.`)
}

/** Returns the nested tags of a tag, such as `work/client` for `work`. The tag itself need not exist. */
function tagsBelowOf(db: WriteConnection, name: string): NamedTag[] {
  const [first, last] = tagsBelow(foldName(name))
  return readRows<NamedTag>(db)`SELECT id, name, folded FROM tags WHERE folded BETWEEN ${first} AND ${last}`
}

/** Returns a nested tag with the name that it gets when its parent tag is renamed. */
function moved({ id, name }: NamedTag, parent: string, newParent: string): NamedTag {
  const rest = name.split('/').slice(parent.split('/').length)
  const newName = [newParent, ...rest].join('/')
  if (!fitsTag(newName)) {
    throw new Problem('invalid', `${newName} would be longer than ${LIMITS.tag} characters.`)
  }
  return { id, name: newName, folded: foldName(newName) }
}

/**
 * Merges several tags into one.
 *
 * @throws Problem `not-found` if a tag does not exist, `invalid` if all names are the same tag
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
  const pairs = others.map((tag) => [tag, target] as const)
  return { answer: replaceEverywhere(db, pairs, beginStep(db, { id: null, at }), atOnce), events: CHANGED }
}

/**
 * Removes a tag from all its bookmarks, also in the trash, as one undo step.
 *
 * @throws Problem `not-found` if there is no such tag
 */
export function deleteTag(db: WriteConnection, name: string, at: number, atOnce?: number): Written<TagReport> {
  const tag = tagNamed(db, name)
  const step = beginStep(db, { id: null, at })
  recordRemoval(db, step, [tag])
  return { answer: { bookmarks: applyStep(db, step, atOnce), undo: step }, events: CHANGED }
}

/** Replaces the first tag of each pair with the second one, on all bookmarks. */
function replaceEverywhere(
  db: WriteConnection,
  pairs: (readonly [from: number, into: number])[],
  step: number,
  atOnce?: number
): TagReport {
  const json = JSON.stringify(pairs)
  recordRemoval(
    db,
    step,
    pairs.map(([from]) => from)
  )
  run(db)`
    INSERT INTO undo_taggings (step_id, bookmark_id, tag_id, given, changed_at)
    SELECT DISTINCT ${step}, u.bookmark_id, p.value ->> 1, 1, u.changed_at
    FROM json_each(${json}) p JOIN undo_taggings u ON u.tag_id = p.value ->> 0
    WHERE u.step_id = ${step} AND NOT EXISTS
      (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = u.bookmark_id AND bt.tag_id = p.value ->> 1)`
  return { bookmarks: applyStep(db, step, atOnce), undo: step }
}

/** Records that a step removes tags from all their bookmarks. */
function recordRemoval(db: WriteConnection, step: number, tags: number[]): void {
  run(db)`
    INSERT INTO undo_taggings (step_id, bookmark_id, tag_id, given, changed_at)
    SELECT ${step}, bt.bookmark_id, bt.tag_id, -1, b.updated_at
    FROM json_each(${JSON.stringify(tags)}) t JOIN bookmark_tags bt ON bt.tag_id = t.value JOIN bookmarks b ON b.id = bt.bookmark_id`
}

/** Returns a tag if a bookmark in or outside the trash has it. Tags without bookmarks are stored only for undo steps. */
function usedTag(db: WriteConnection, name: string): number | undefined {
  const tag = findTag(db, name)
  return tag !== undefined && exists(db)`SELECT 1 FROM bookmark_tags WHERE tag_id = ${tag}` ? tag : undefined
}

function tagNamed(db: WriteConnection, name: string): number {
  const tag = usedTag(db, name)
  if (tag === undefined) throw noTag(name)
  return tag
}

function noTag(name: string): Problem {
  return new Problem('not-found', `There is no tag named ${name}.`)
}

/** Returns the tags that bookmarks outside the trash have, by name. */
export function listTags(db: ReadConnection): Tag[] {
  return readRows<Tag>(db)`
    SELECT t.name, c.bookmarks FROM tags t JOIN filter_counts c ON c.filter = ${filterToken.tagPrefix} || t.id
    WHERE c.bookmarks > 0 ORDER BY t.folded`
}

/**
 * Returns the parents of nested tags, such as `work` for `work/client`, even if a parent is not a tag itself. Counts the
 * bookmarks that have the parent or a tag nested in it. While a change of a large tag is being indexed, the counts are
 * those from before the change.
 */
export function listTagParents(db: ReadConnection): Tag[] {
  const nested = readValues<string>(db)`
    SELECT t.name FROM tags t JOIN filter_counts c ON c.filter = ${filterToken.tagPrefix} || t.id
    WHERE c.bookmarks > 0 AND instr(t.name, '/') > 0 ORDER BY t.folded`
  const parents = new Map(nested.flatMap(parentTags).map((name) => [foldName(name), name]))
  return [...parents].map(([folded, spelled]) => {
    const tag = readRow<{ id: number; name: string }>(db)`SELECT id, name FROM tags WHERE folded = ${folded}`
    const below = filterToken.tagsBelow(folded)
    if (!tag) return { name: spelled, bookmarks: countWithToken(db, below) }
    const own = filterToken.tag(tag.id)
    const both = readValue<number>(db)`
      SELECT count(*) FROM bookmark_titles WHERE bookmark_titles MATCH ${`"${own}" AND "${below}"`}`
    return { name: tag.name, bookmarks: countWithToken(db, own) + countWithToken(db, below) - (both ?? 0) }
  })
}
