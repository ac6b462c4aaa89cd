import type { Migration } from '../migration.ts'

/**
 * What an import adds enters the indexes of titles, of near pages and of pages to read together with its words: each
 * costs as much as the row itself.
 */
export const settling: Migration = {
  version: 130,
  sql: `
    -- 1 for a bookmark in one of unindexed_ranges, unless it came as one of the trash.
    ALTER TABLE bookmarks ADD COLUMN unindexed INTEGER;
    UPDATE bookmarks SET unindexed = 1
      WHERE deleted_at IS NULL
        AND id IN (SELECT b.id FROM unindexed_ranges u JOIN bookmarks b ON b.id BETWEEN u.first AND u.last);
    DROP INDEX bookmarks_by_title;
    CREATE INDEX bookmarks_by_title ON bookmarks (
      substr(coalesce(nullif(title, ''), domain, ''), 1, 32) COLLATE NOCASE, id, type, visibility, organization_id,
      deleted_at, unindexed
    ) WHERE deleted_at IS NULL AND unindexed IS NULL;
  `
}
