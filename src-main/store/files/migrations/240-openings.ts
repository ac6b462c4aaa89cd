import type { Migration } from '../migration.ts'

/** When the owner last opened the page of a bookmark from Earmark, and an index to list by site. */
export const openings: Migration = {
  version: 240,
  sql: `
    CREATE TABLE openings (
      bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
      opened_at INTEGER NOT NULL
    ) STRICT;

    -- As bookmarks_by_title: what an import adds enters it together with its words.
    CREATE INDEX bookmarks_by_site ON bookmarks (
      coalesce(domain, '~'), created_at DESC, id DESC, type, visibility, organization_id, deleted_at, unindexed
    ) WHERE deleted_at IS NULL AND unindexed IS NULL;
  `
}
