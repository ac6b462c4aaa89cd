import type { Migration } from '../migration.ts'

/**
 * Lists by a bookmark's own date and by title, the trash, steps that can be undone, and tags whose change the indexes
 * have yet to follow.
 */
export const editing: Migration = {
  version: 40,
  sql: `
    -- Whole lists at any depth are read from these without the rows; id breaks ties.
    CREATE INDEX bookmarks_by_date ON bookmarks (created_at, id, type, visibility, organization_id, deleted_at)
      WHERE deleted_at IS NULL;
    CREATE INDEX bookmarks_by_title ON bookmarks (
      substr(coalesce(nullif(title, ''), domain, ''), 1, 32) COLLATE NOCASE, id, type, visibility, organization_id, deleted_at
    ) WHERE deleted_at IS NULL;
    CREATE INDEX bookmarks_in_trash ON bookmarks (deleted_at, id) WHERE deleted_at IS NOT NULL;

    CREATE TABLE trash_size (bookmarks INTEGER NOT NULL) STRICT;
    INSERT INTO trash_size SELECT count(*) FROM bookmarks WHERE deleted_at IS NOT NULL;
    CREATE TRIGGER trash_grows AFTER UPDATE OF deleted_at ON bookmarks
      WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL
      BEGIN UPDATE trash_size SET bookmarks = bookmarks + 1; END;
    CREATE TRIGGER trash_shrinks AFTER UPDATE OF deleted_at ON bookmarks
      WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL
      BEGIN UPDATE trash_size SET bookmarks = bookmarks - 1; END;
    CREATE TRIGGER trash_purged AFTER DELETE ON bookmarks WHEN old.deleted_at IS NOT NULL
      BEGIN UPDATE trash_size SET bookmarks = bookmarks - 1; END;

    CREATE TABLE undo_steps (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      -- The tag whose name a step changed, and the name it had before.
      tag_id INTEGER REFERENCES tags (id),
      tag_name TEXT,
      tag_folded TEXT
    ) STRICT;
    -- What a change replaced, as JSON, in bookmarks that are still as the change left them at changed_at.
    CREATE TABLE undo_bookmarks (
      step_id INTEGER NOT NULL REFERENCES undo_steps (id) ON DELETE CASCADE,
      bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
      changed_at INTEGER NOT NULL,
      before TEXT NOT NULL CHECK (json_valid(before)),
      PRIMARY KEY (step_id, bookmark_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX undo_bookmarks_by_bookmark ON undo_bookmarks (bookmark_id);
    -- Tags that a merge or a deletion gave to (1) or took from (-1) bookmarks.
    CREATE TABLE undo_taggings (
      step_id INTEGER NOT NULL REFERENCES undo_steps (id) ON DELETE CASCADE,
      bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
      tag_id INTEGER NOT NULL REFERENCES tags (id),
      given INTEGER NOT NULL CHECK (given IN (1, -1)),
      changed_at INTEGER NOT NULL,
      PRIMARY KEY (step_id, bookmark_id, tag_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX undo_taggings_by_bookmark ON undo_taggings (bookmark_id);

    -- Bookmarks to index again after a change of a tag; ahead is what that already added to the tag's count.
    CREATE TABLE stale_tags (
      bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
      tag_id INTEGER NOT NULL REFERENCES tags (id),
      ahead INTEGER NOT NULL,
      PRIMARY KEY (bookmark_id, tag_id)
    ) STRICT, WITHOUT ROWID;
  `
}
