import type { Migration } from '../migration.ts'

/**
 * What pages say of themselves, and which bookmarks wait to be asked. Those that were saved before wait behind all that
 * are saved from now on.
 */
export const pageDetails: Migration = {
  version: 80,
  sql: `
    -- When a bookmark's page is to be read, in milliseconds since 1970; NULL once nothing is left to try.
    ALTER TABLE bookmarks ADD COLUMN details_due INTEGER;
    UPDATE bookmarks SET details_due = 0 WHERE page_key IS NOT NULL;
    CREATE INDEX bookmarks_to_describe ON bookmarks (details_due, id, domain, deleted_at)
      WHERE details_due IS NOT NULL AND deleted_at IS NULL;

    CREATE TABLE page_details (
      bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'failed')),
      -- Attempts since it was last asked for, and why the last one failed.
      attempts INTEGER NOT NULL,
      fault TEXT,
      read_at INTEGER NOT NULL,
      -- What the bookmark has from the page: nothing a person or an agent wrote is replaced.
      title TEXT NOT NULL DEFAULT '',
      description TEXT NOT NULL DEFAULT '',
      site_name TEXT NOT NULL DEFAULT '',
      canonical_url TEXT,
      language TEXT,
      published_at INTEGER,
      -- Names of files among the pictures.
      icon TEXT,
      preview TEXT
    ) STRICT;
    -- Beside the details, which are read with every bookmark shown.
    CREATE TABLE page_texts (
      bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
      text TEXT NOT NULL
    ) STRICT;

    -- Texts of pages that the indexes have taken in since they were last merged.
    ALTER TABLE index_merge ADD COLUMN pages INTEGER NOT NULL DEFAULT 0;

    -- Another address is another page.
    CREATE TRIGGER page_moved AFTER UPDATE OF url ON bookmarks WHEN new.url IS NOT old.url
      BEGIN
        DELETE FROM page_details WHERE bookmark_id = new.id;
        DELETE FROM page_texts WHERE bookmark_id = new.id;
        UPDATE bookmarks SET details_due = iif(new.page_key IS NULL, NULL, new.updated_at) WHERE id = new.id;
      END;
  `
}
