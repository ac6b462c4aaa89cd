import type { Migration } from '../migration.ts'

/**
 * Pictures that have no address and so are kept themselves, each once however many bookmarks it has, and the colors of
 * images. The colors are looked for in the background: those of every picture that is here already, too.
 */
export const pictures: Migration = {
  version: 100,
  sql: `
    CREATE TABLE pictures (
      -- The SHA-256 of its bytes.
      hash TEXT PRIMARY KEY CHECK (length(hash) = 64),
      type TEXT NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      kept_at INTEGER NOT NULL,
      size INTEGER NOT NULL,
      -- Last, so that reading what stands before them does not touch them.
      preview BLOB NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;

    ALTER TABLE bookmarks ADD COLUMN picture TEXT REFERENCES pictures (hash)
      CHECK (picture IS NULL OR (type = 'image' AND url IS NULL));
    CREATE INDEX bookmarks_by_picture ON bookmarks (picture) WHERE picture IS NOT NULL;
    -- The trash counts; and nothing brings back a bookmark that was deleted for good.
    CREATE TRIGGER picture_let_go AFTER DELETE ON bookmarks
      WHEN old.picture IS NOT NULL AND NOT EXISTS (SELECT 1 FROM bookmarks WHERE picture = old.picture)
      BEGIN DELETE FROM pictures WHERE hash = old.picture; END;

    -- The colors that make up most of an image, in OKLab.
    CREATE TABLE picture_colors (
      bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
      l REAL NOT NULL,
      a REAL NOT NULL,
      b REAL NOT NULL,
      share REAL NOT NULL,
      PRIMARY KEY (bookmark_id, l, a, b)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX picture_colors_by_color ON picture_colors (l, a, b);

    -- Images whose colors are to be looked for.
    CREATE TABLE colors_due (
      bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE
    ) STRICT;
    INSERT INTO colors_due SELECT d.bookmark_id FROM page_details d JOIN bookmarks b ON b.id = d.bookmark_id
      WHERE d.preview IS NOT NULL AND b.type = 'image';
    CREATE TRIGGER picture_saved AFTER INSERT ON bookmarks WHEN new.picture IS NOT NULL
      BEGIN
        INSERT INTO colors_due SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM colors_due WHERE bookmark_id = new.id);
      END;
    CREATE TRIGGER preview_came AFTER INSERT ON page_details WHEN new.preview IS NOT NULL
      BEGIN
        INSERT INTO colors_due SELECT id FROM bookmarks WHERE id = new.bookmark_id AND type = 'image'
          AND NOT EXISTS (SELECT 1 FROM colors_due WHERE bookmark_id = new.bookmark_id);
      END;
    CREATE TRIGGER preview_changed AFTER UPDATE OF preview ON page_details WHEN new.preview IS NOT old.preview
      BEGIN
        DELETE FROM picture_colors WHERE bookmark_id = new.bookmark_id;
        DELETE FROM colors_due WHERE bookmark_id = new.bookmark_id;
        INSERT INTO colors_due SELECT id FROM bookmarks WHERE id = new.bookmark_id AND type = 'image'
          AND new.preview IS NOT NULL;
      END;
    CREATE TRIGGER preview_went AFTER DELETE ON page_details
      BEGIN
        DELETE FROM picture_colors WHERE bookmark_id = old.bookmark_id;
        DELETE FROM colors_due WHERE bookmark_id = old.bookmark_id;
      END;
  `
}
