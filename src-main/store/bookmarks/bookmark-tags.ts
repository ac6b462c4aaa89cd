import { LIMITS } from '../../contract/bookmark.ts'
import { foldName } from '../../core/fold-name.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { exists, insert, readValue, readValues, run } from '../../database/sql.ts'

/** Returns the row id of the tag with this name in any case. */
export function findTag(db: WriteConnection, name: string): number | undefined {
  return readValue<number>(db)`SELECT id FROM tags WHERE folded = ${foldName(name)}`
}

/** Returns the row id of a tag, which is made where there is none. */
export function findOrMakeTag(db: WriteConnection, name: string): number {
  return findTag(db, name) ?? insert(db)`INSERT INTO tags (name, folded) VALUES (${name}, ${foldName(name)})`
}

/** Returns the row ids of a bookmark's tags, in ascending order. */
export function tagIdsOf(db: WriteConnection, bookmark: number): number[] {
  return readValues<number>(db)`SELECT tag_id FROM bookmark_tags WHERE bookmark_id = ${bookmark} ORDER BY tag_id`
}

export function giveTag(db: WriteConnection, bookmark: number, tag: number): void {
  run(db)`INSERT OR IGNORE INTO bookmark_tags (bookmark_id, tag_id) VALUES (${bookmark}, ${tag})`
}

/** Gives a bookmark these tags, until it has as many as it may have. */
export function addTags(db: WriteConnection, bookmark: number, names: Iterable<string>): void {
  for (const name of names) {
    const isFull = exists(db)`
      SELECT 1 FROM bookmark_tags WHERE bookmark_id = ${bookmark} LIMIT 1 OFFSET ${LIMITS.tags - 1}`
    if (isFull) return
    giveTag(db, bookmark, findOrMakeTag(db, name))
  }
}

/**
 * Gives new bookmarks their tags.
 *
 * @param taggings `tagging` of how many row ids a bookmark is above the first, and its tag
 */
export function giveTags(db: WriteConnection, first: number, taggings: number[]): void {
  // In the order of tags, in which their index lies.
  run(db)`
    INSERT INTO bookmark_tags (bookmark_id, tag_id)
    SELECT ${first} + (value >> 32), value & 0xffffffff FROM json_each(${`[${taggings.join()}]`}) ORDER BY 2, 1`
}

/** Makes these a bookmark's only tags. */
export function replaceTags(db: WriteConnection, bookmark: number, tags: number[]): void {
  for (const tag of tagIdsOf(db, bookmark)) {
    if (tags.includes(tag)) continue
    run(db)`DELETE FROM bookmark_tags WHERE bookmark_id = ${bookmark} AND tag_id = ${tag}`
  }
  for (const tag of tags) giveTag(db, bookmark, tag)
}

/** Returns row ids in order, each once. */
export function ascending(ids: number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** Returns two row ids as one number, of which many take little room. The first is below 2 ** 21. */
export function tagging(bookmark: number, tag: number): number {
  return bookmark * 2 ** 32 + tag
}
