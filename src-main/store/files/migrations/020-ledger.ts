import type { Migration } from '../migration.ts'

/** What each key's clients called, and which bookmarks each call saved, so that one call can be undone. */
export const ledger: Migration = {
  version: 20,
  sql: `
    CREATE TABLE calls (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      key_id INTEGER NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
      at INTEGER NOT NULL,
      tool TEXT NOT NULL,
      client TEXT,
      results INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      undone_at INTEGER
    ) STRICT;
    CREATE INDEX calls_by_key ON calls (key_id, id);

    CREATE TABLE call_bookmarks (
      call_id INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
      bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
      PRIMARY KEY (call_id, bookmark_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX call_bookmarks_by_bookmark ON call_bookmarks (bookmark_id);
  `
}
