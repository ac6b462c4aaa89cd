import { Problem } from '../../contract/problem.ts'
import type { Tag, TagMerge, TagPart, TagReport } from '../../contract/tag.ts'
import { foldName } from '../../core/fold-name.ts'
import { filterToken } from '../../search/filter-tokens.ts'
import { countOf } from '../../search/sql/filter-counts.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family } from '../family.ts'
import { bookmarkTags } from './bookmark-tags.ts'
import { tagChanges } from './tag-changes.ts'

/** Bookmarks a part of a deletion: some 20 ms. */
const PART = 500

/** Tags. */
export const tags = family({
  slow: tagReads,
  writes: (db) => tagWrites(db),
  emits: {
    renameTag: () => [{ kind: 'tags' }, { kind: 'bookmarks' }],
    mergeTags: () => [{ kind: 'tags' }, { kind: 'bookmarks' }],
    deleteTagSome: ({ after }) => (after === null ? [{ kind: 'tags' }, { kind: 'bookmarks' }] : [])
  }
})

/**
 * What the writing thread can do to tags. A tag that no bookmark has any more keeps its row, so that undoing gives the
 * same tag back; it is listed nowhere.
 *
 * Each throws Problem `not-found` when there is no such tag.
 *
 * @param atOnce how many bookmarks a change indexes again before it answers
 */
export function tagWrites(db: WriteConnection, atOnce?: number) {
  const sql = statements(db)
  const tags = bookmarkTags(db)
  const changes = tagChanges(db, atOnce)

  const isListed = (tag: number) => countOf(db, filterToken.tag(tag)) > 0
  /** @param tag whose name the step changes */
  function begin(at: number, tag?: number): number {
    const { name, folded } = (tag === undefined ? undefined : sql.read.get(tag)) ?? { name: null, folded: null }
    return Number(sql.insertStep.run(at, tag ?? null, name, folded).lastInsertRowid)
  }

  function found(name: string): number {
    const tag = tags.find(name)
    if (tag === undefined) throw new Problem('not-found', `There is no tag named ${name}.`)
    return tag
  }

  function replace(from: number[], into: number, step: number): TagReport {
    sql.takeAll.run({ step, tags: JSON.stringify(from) })
    sql.giveInstead.run({ step, tag: into })
    return { bookmarks: changes.apply(step), undo: step }
  }

  return {
    /** @throws Problem `taken` when bookmarks have another tag of that name */
    renameTag: db.transaction((name: string, newName: string, at: number): TagReport => {
      const tag = found(name)
      const other = tags.find(newName)
      if (other === undefined || other === tag) {
        const undo = begin(at, tag)
        return { bookmarks: changes.setName(tag, newName, foldName(newName)), undo }
      }
      if (isListed(other)) {
        throw new Problem('taken', `There is already a tag named ${newName}. Merge the two tags to make them one.`)
      }
      // Only the trash still knows the other one: the two become one under the new name.
      const step = begin(at, other)
      changes.setName(other, newName, foldName(newName))
      return replace([tag], other, step)
    }),

    /** @throws Problem `invalid` when there is nothing to merge */
    mergeTags: db.transaction(({ from, into }: TagMerge, at: number): TagReport => {
      const target = tags.findOrMake(into)
      const others = [...new Set(from.map(found))].filter((tag) => tag !== target)
      if (others.length === 0) throw new Problem('invalid', 'Choose at least two different tags to merge.')
      return replace(others, target, begin(at))
    }),

    /**
     * Takes a tag from some of its bookmarks, so that no other write waits long.
     *
     * @param part what the part before answered
     */
    deleteTagSome: db.transaction((name: string, at: number, part?: TagPart): TagPart => {
      const tag = found(name)
      const { undo: step, bookmarks, after } = part ?? { undo: begin(at), bookmarks: 0, after: 0 }
      // The step was taken back meanwhile: the tag stays on what is left.
      if (!sql.isStep.get(step)) return { bookmarks, undo: step, after: null }
      const last = sql.some.all({ tag, after, limit: PART }).at(-1)
      const taken = last === undefined ? 0 : sql.takeSome.run({ step, tag, after, last }).changes
      if (taken > 0) changes.takeLast(step, after ?? 0)
      return { bookmarks: bookmarks + taken, undo: step, after: taken < PART ? null : (last ?? null) }
    })
  }
}

function statements(db: WriteConnection) {
  return {
    read: db.prepare<[number], { name: string; folded: string }>('SELECT name, folded FROM tags WHERE id = ?'),
    insertStep: db.prepare('INSERT INTO undo_steps (at, tag_id, tag_name, tag_folded) VALUES (?, ?, ?, ?)'),
    takeAll: db.prepare(
      `INSERT INTO undo_taggings (step_id, bookmark_id, tag_id, given, changed_at)
         SELECT @step, bt.bookmark_id, bt.tag_id, -1, b.updated_at
         FROM json_each(@tags) t JOIN bookmark_tags bt ON bt.tag_id = t.value JOIN bookmarks b ON b.id = bt.bookmark_id`
    ),
    giveInstead: db.prepare(
      `INSERT INTO undo_taggings (step_id, bookmark_id, tag_id, given, changed_at)
         SELECT DISTINCT @step, u.bookmark_id, @tag, 1, u.changed_at FROM undo_taggings u
         WHERE u.step_id = @step AND NOT EXISTS
           (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = u.bookmark_id AND bt.tag_id = @tag)`
    ),
    isStep: db.prepare('SELECT 1 FROM undo_steps WHERE id = ?'),
    some: db
      .prepare<[object], number>(
        'SELECT bookmark_id FROM bookmark_tags WHERE tag_id = @tag AND bookmark_id > @after ORDER BY bookmark_id LIMIT @limit'
      )
      .pluck(),
    takeSome: db.prepare(
      `INSERT INTO undo_taggings (step_id, bookmark_id, tag_id, given, changed_at)
         SELECT @step, bt.bookmark_id, bt.tag_id, -1, b.updated_at
         FROM bookmark_tags bt JOIN bookmarks b ON b.id = bt.bookmark_id
         WHERE bt.tag_id = @tag AND bt.bookmark_id > @after AND bt.bookmark_id <= @last`
    )
  }
}

/** What can be asked about tags. */
function tagReads(db: ReadConnection) {
  const list = db.prepare(
    `SELECT t.name, c.bookmarks FROM tags t JOIN filter_counts c ON c.filter = @mark || t.id
     WHERE c.bookmarks > 0 ORDER BY t.folded`
  )
  return {
    /** Tags that bookmarks outside the trash have, by name. */
    listTags: () => list.all({ mark: filterToken.anyTag }) as Tag[]
  }
}
