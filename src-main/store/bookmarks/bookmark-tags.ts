import { foldName } from '../../core/fold-name.ts'
import type { WriteConnection } from '../connection.ts'

/** The tags of single bookmarks; for use inside a transaction. Tags are named by their row ids. */
export function bookmarkTags(db: WriteConnection) {
  const find = db.prepare<[string], number>('SELECT id FROM tags WHERE folded = ?').pluck()
  const insert = db.prepare('INSERT INTO tags (name, folded) VALUES (?, ?)')
  const read = db
    .prepare<[number], number>('SELECT tag_id FROM bookmark_tags WHERE bookmark_id = ? ORDER BY tag_id')
    .pluck()
  const give = db.prepare('INSERT OR IGNORE INTO bookmark_tags (bookmark_id, tag_id) VALUES (?, ?)')
  // In the order of tags, in which their index lies.
  const giveAll = db.prepare(
    `INSERT INTO bookmark_tags (bookmark_id, tag_id)
       SELECT ? + (value >> 32), value & 0xffffffff FROM json_each(?) ORDER BY 2, 1`
  )
  const take = db.prepare('DELETE FROM bookmark_tags WHERE bookmark_id = ? AND tag_id = ?')
  return {
    /** The tag with this name in any case. */
    find: (name: string) => find.get(foldName(name)),
    /** The row id of a tag, which is made where there is none. */
    findOrMake: (name: string): number =>
      find.get(foldName(name)) ?? Number(insert.run(name, foldName(name)).lastInsertRowid),
    /** In ascending order. */
    of: (bookmark: number) => read.all(bookmark),
    give(bookmark: number, tag: number): void {
      give.run(bookmark, tag)
    },
    /**
     * Gives new bookmarks their tags.
     *
     * @param taggings `tagging` of how many row ids a bookmark is above the first, and its tag
     */
    giveAll(first: number, taggings: number[]): void {
      giveAll.run(first, `[${taggings.join()}]`)
    },
    /** Makes these a bookmark's only tags. */
    replace(bookmark: number, tags: number[]): void {
      for (const tag of read.all(bookmark)) if (!tags.includes(tag)) take.run(bookmark, tag)
      for (const tag of tags) give.run(bookmark, tag)
    }
  }
}

/** Row ids in order, each once. */
export function ascending(ids: number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** Two row ids as one number, of which many take little room. The first is below 2 ** 21. */
export function tagging(bookmark: number, tag: number): number {
  return bookmark * 2 ** 32 + tag
}
