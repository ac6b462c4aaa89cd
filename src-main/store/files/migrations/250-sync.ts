import type { Migration } from '../migration.ts'

/** Tables and triggers for synchronization with other machines. The tables are empty until the owner sets it up. */
export const sync: Migration = {
  version: 250,
  sql: `
    CREATE TABLE sync_state (
      device TEXT NOT NULL,
      name TEXT NOT NULL,
      folder TEXT NOT NULL,
      -- The name under which the keychain has the code: the first device's, which may be another one by now.
      account TEXT NOT NULL,
      paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
      -- While records of other devices are merged, which are no changes of this one.
      merging INTEGER NOT NULL DEFAULT 0 CHECK (merging IN (0, 1)),
      -- The latest clock that was made or seen.
      clock TEXT NOT NULL DEFAULT '',
      segment INTEGER NOT NULL DEFAULT 0,
      -- Of the bookmarks from before, those with row ids in between are yet to be sent.
      all_after INTEGER NOT NULL DEFAULT 0,
      all_up_to INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE sync_devices (
      device TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      up_to INTEGER NOT NULL,
      seen_at INTEGER NOT NULL
    ) STRICT;

    -- Changes as triggers note them: some fields of a bookmark as bits, or all of them; a tag that it got or lost;
    -- a bookmark that is gone; an organization.
    CREATE TABLE sync_log (
      id INTEGER PRIMARY KEY,
      bookmark INTEGER,
      fields INTEGER,
      tag TEXT,
      gone TEXT,
      organization INTEGER,
      at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
    ) STRICT;

    -- When a field was last changed, where that was later than its record began.
    CREATE TABLE sync_clocks (
      record TEXT NOT NULL,
      field TEXT NOT NULL,
      clock TEXT NOT NULL,
      PRIMARY KEY (record, field)
    ) STRICT, WITHOUT ROWID;

    -- '*' stands for all fields.
    CREATE TABLE sync_unsent (
      kind TEXT NOT NULL CHECK (kind IN ('bookmark', 'organization', 'alias')),
      record TEXT NOT NULL,
      field TEXT NOT NULL,
      PRIMARY KEY (kind, record, field)
    ) STRICT, WITHOUT ROWID;

    -- Fields of a bookmark that came before the bookmark itself, as JSON.
    CREATE TABLE sync_early (
      record TEXT PRIMARY KEY,
      fields TEXT NOT NULL CHECK (json_valid(fields))
    ) STRICT, WITHOUT ROWID;

    -- A bookmark or organization that was united with another.
    CREATE TABLE sync_aliases (
      record TEXT PRIMARY KEY,
      stays TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX sync_aliases_by_stays ON sync_aliases (stays);

    -- The segment that is being written, until it is.
    CREATE TABLE sync_outbox (
      number INTEGER PRIMARY KEY,
      records TEXT NOT NULL CHECK (json_valid(records))
    ) STRICT;

    -- While nothing is set up, sync_state has no row, and none of these does anything.
    CREATE TRIGGER sync_saved AFTER INSERT ON bookmarks WHEN (SELECT merging FROM sync_state) = 0
      BEGIN INSERT INTO sync_log (bookmark, fields) VALUES (new.id, -1); END;

    -- The bits are in the order of BOOKMARK_FIELDS in store/sync/stamping.ts.
    CREATE TRIGGER sync_changed AFTER UPDATE OF type, url, title, description, content, created_at, updated_at, deleted_at,
      visibility, organization_id ON bookmarks WHEN (SELECT merging FROM sync_state) = 0
      BEGIN
        INSERT INTO sync_log (bookmark, fields) VALUES (new.id, ((old.type IS NOT new.type) << 0)
          | ((old.url IS NOT new.url) << 1)
          | ((old.title IS NOT new.title) << 2)
          | ((old.description IS NOT new.description) << 3)
          | ((old.content IS NOT new.content) << 4)
          | ((old.created_at IS NOT new.created_at) << 5)
          | ((old.updated_at IS NOT new.updated_at) << 6)
          | ((old.deleted_at IS NOT new.deleted_at) << 7)
          | ((old.visibility IS NOT new.visibility OR old.organization_id IS NOT new.organization_id) << 8));
      END;

    CREATE TRIGGER sync_gone AFTER DELETE ON bookmarks WHEN (SELECT merging FROM sync_state) = 0
      BEGIN INSERT INTO sync_log (gone) VALUES (old.public_id); END;

    CREATE TRIGGER sync_tagged AFTER INSERT ON bookmark_tags WHEN (SELECT merging FROM sync_state) = 0
      BEGIN
        INSERT INTO sync_log (bookmark, tag) SELECT new.bookmark_id, folded FROM tags WHERE id = new.tag_id;
      END;

    CREATE TRIGGER sync_untagged AFTER DELETE ON bookmark_tags WHEN (SELECT merging FROM sync_state) = 0
      BEGIN
        INSERT INTO sync_log (bookmark, tag) SELECT old.bookmark_id, folded FROM tags WHERE id = old.tag_id;
      END;

    -- A name that begins with a line feed is only held while two tags exchange theirs.
    CREATE TRIGGER sync_tag_renamed AFTER UPDATE OF name, folded ON tags WHEN (SELECT merging FROM sync_state) = 0
      BEGIN
        INSERT INTO sync_log (bookmark, tag) SELECT bookmark_id, old.folded FROM bookmark_tags
          WHERE tag_id = new.id AND old.folded NOT GLOB char(10) || '*' AND old.folded <> new.folded;
        INSERT INTO sync_log (bookmark, tag) SELECT bookmark_id, new.folded FROM bookmark_tags
          WHERE tag_id = new.id AND new.folded NOT GLOB char(10) || '*';
      END;

    CREATE TRIGGER sync_organization_made AFTER INSERT ON organizations WHEN (SELECT merging FROM sync_state) = 0
      BEGIN INSERT INTO sync_log (organization, fields) VALUES (new.id, -1); END;

    CREATE TRIGGER sync_organization_changed AFTER UPDATE OF name, deleted_at ON organizations WHEN (SELECT merging FROM sync_state) = 0
      BEGIN
        INSERT INTO sync_log (organization, fields) VALUES (
          new.id, (old.name IS NOT new.name) | (((old.deleted_at IS NOT new.deleted_at) << 1)));
      END;
  `
}
