import type { Migration } from '../migration.ts'

/** Which key a bookmark was saved with, and by which client, longer than the ledger is kept; and why calls were refused. */
export const savers: Migration = {
  version: 200,
  sql: `
    CREATE TABLE bookmark_savers (
      bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
      key_id INTEGER NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
      client TEXT
    ) STRICT;
    CREATE INDEX bookmark_savers_by_key ON bookmark_savers (key_id);
    INSERT OR REPLACE INTO bookmark_savers (bookmark_id, key_id, client)
      SELECT cb.bookmark_id, c.key_id, c.client FROM calls c JOIN call_bookmarks cb ON cb.call_id = c.id ORDER BY c.id;
    ALTER TABLE calls ADD COLUMN refused TEXT;
  `
}
