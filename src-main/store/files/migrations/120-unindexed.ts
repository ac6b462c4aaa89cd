import type { Migration } from '../migration.ts'

/**
 * Imports are written first and indexed afterwards. A bookmark whose row id is in one of these ranges is listed and
 * counted (its `filters` say under what), and its words are not in the indexes yet.
 */
export const unindexed: Migration = {
  version: 120,
  sql: `
    CREATE TABLE unindexed_ranges (
      first INTEGER PRIMARY KEY,
      last INTEGER NOT NULL CHECK (last >= first)
    ) STRICT;
    -- Sites are found by their tokens; nothing ever asked this index.
    DROP INDEX bookmarks_by_domain;

    -- Pages that a watched file gave before, so that what its owner deleted for good does not come back.
    CREATE TABLE watched_pages (
      -- Hashes of the file's path, and of a page's owner and key.
      source INTEGER NOT NULL,
      page INTEGER NOT NULL,
      PRIMARY KEY (source, page)
    ) STRICT, WITHOUT ROWID;
  `
}
