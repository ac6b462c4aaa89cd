import type { Migration } from '../migration.ts'

/**
 * What each import added, so that it can be undone as one, and texts and colors by their content, so that importing
 * them twice adds nothing.
 */
export const imports: Migration = {
  version: 70,
  sql: `
    CREATE TABLE imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      imported INTEGER NOT NULL DEFAULT 0,
      undone_at INTEGER
    ) STRICT;
    -- A transaction's new bookmarks have row ids without a gap.
    CREATE TABLE import_ranges (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      PRIMARY KEY (import_id, first)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX import_ranges_by_last ON import_ranges (last);
    -- Bookmarks that an import took out of the trash, and when they went there.
    CREATE TABLE import_restored (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
      deleted_at INTEGER NOT NULL,
      PRIMARY KEY (import_id, bookmark_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX import_restored_by_bookmark ON import_restored (bookmark_id);

    CREATE INDEX bookmarks_by_content ON bookmarks (type, substr(content, 1, 64)) WHERE page_key IS NULL;
  `
}
