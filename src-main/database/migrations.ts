/** A step to a newer schema, in one transaction that also sets `user_version`. It runs no application code. */
export interface Migration {
  /** Numbered in tens. */
  version: number
  sql: string
}

/** Parts of the step to 310, by topic. */
const INDEXING_310 = `
  -- A changed tag was counted before its bookmarks were indexed again. Now the counts always match the filters.
  UPDATE filter_counts SET bookmarks = bookmarks - s.ahead
    FROM (SELECT char(57344) || 't' || tag_id AS token, sum(ahead) AS ahead FROM stale_tags GROUP BY tag_id) s
    WHERE filter = s.token;
  DROP INDEX bookmarks_by_title;
  DROP INDEX bookmarks_by_site;
  DROP INDEX bookmarks_to_index;
  -- Imported bookmarks are due to be read, and compared with others, before they are indexed too.
  UPDATE bookmarks SET details_due = updated_at WHERE unindexed = 1 AND details_due IS NULL AND url IS NOT NULL
    AND page_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM page_details WHERE bookmark_id = bookmarks.id);
  UPDATE page_key_rules SET up_to = 0 WHERE EXISTS (SELECT 1 FROM bookmarks WHERE unindexed = 1);
  ALTER TABLE bookmarks RENAME COLUMN unindexed TO to_index;
  UPDATE bookmarks SET to_index = NULL WHERE to_index = 1;
  UPDATE bookmarks SET to_index = 1 WHERE deleted_at IS NULL AND (filters IS NULL
    OR EXISTS (SELECT 1 FROM unindexed_ranges u WHERE bookmarks.id BETWEEN u.first AND u.last)
    OR id IN (SELECT bookmark_id FROM stale_tags));
  DROP TABLE stale_tags;
  DROP TABLE unindexed_ranges;
  CREATE INDEX bookmarks_by_title ON bookmarks (substr(coalesce(nullif(title, ''), domain, ''), 1, 32) COLLATE NOCASE)
    WHERE deleted_at IS NULL;
  CREATE INDEX bookmarks_by_site ON bookmarks (coalesce(domain, '~'), created_at DESC, id DESC) WHERE deleted_at IS NULL;
  CREATE INDEX bookmarks_to_index ON bookmarks (id) WHERE to_index = 1;
`
const LINKS_310 = ``
const RULES_310 = ``
const UNDO_310 = ``

/** Steps to `SCHEMA_VERSION`, oldest first. A released step is never edited. */
export const MIGRATIONS: Migration[] = [
  { version: 310, sql: [INDEXING_310, LINKS_310, RULES_310, UNDO_310].join('\n') }
]
