import type { Migration } from '../migration.ts'

/** The indexes hold which tags a tag belongs to. Bookmarks with nested tags are indexed anew, in the background. */
export const nestedTags: Migration = {
  version: 220,
  sql: `
    INSERT OR IGNORE INTO stale_tags (bookmark_id, tag_id, ahead)
      SELECT b.id, t.id, 0 FROM tags t JOIN bookmark_tags bt ON bt.tag_id = t.id JOIN bookmarks b ON b.id = bt.bookmark_id
      WHERE instr(t.name, '/') > 0 AND b.filters IS NOT NULL;
  `
}
