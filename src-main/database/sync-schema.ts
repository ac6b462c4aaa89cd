/** Tables and triggers for synchronization. Before it is set up, `sync_state` has no row and the triggers do nothing. */
export const SYNC_SCHEMA = `
  CREATE TABLE sync_state (
    device TEXT NOT NULL,
    name TEXT NOT NULL,
    folder TEXT NOT NULL,
    -- The name of the code in the keychain. It stays when the device gets another id.
    account TEXT NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
    -- 1 while records of other devices are merged, which are not changes by this one.
    merging INTEGER NOT NULL DEFAULT 0 CHECK (merging IN (0, 1)),
    -- The latest clock that was created or read.
    clock TEXT NOT NULL DEFAULT '',
    segment INTEGER NOT NULL DEFAULT 0,
    -- Row ids of the bookmarks that a snapshot still has to send.
    all_after INTEGER NOT NULL DEFAULT 0,
    all_up_to INTEGER NOT NULL DEFAULT 0,
    -- The segment before the last snapshot, complete or not; NULL before the first.
    snapshot INTEGER,
    -- The last part of it that was written.
    part INTEGER NOT NULL DEFAULT 0,
    -- When the last part was written; NULL until then.
    whole_at INTEGER,
    -- As JSON: the last segment of each other device that the snapshot includes.
    covers TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(covers)),
    -- The import of the bookmarks from other machines' snapshots, which can be undone as one.
    import_id INTEGER,
    -- No change is later than this, in milliseconds since 1970, even if the computer's clock was ahead.
    latest INTEGER
  ) STRICT;

  CREATE TABLE sync_devices (
    device TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    up_to INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    -- SHA-256 of the text of the segment up_to, in hexadecimal digits; NULL if it was read in a snapshot.
    digest TEXT
  ) STRICT;

  -- Changes as the triggers record them: some fields of a bookmark as bits, or all (-1); a tag that was added or removed;
  -- a highlight that was added, changed or removed; a permanently deleted bookmark; an organization, a saved search or a
  -- rule.
  CREATE TABLE sync_log (
    id INTEGER PRIMARY KEY,
    bookmark INTEGER,
    fields INTEGER,
    tag TEXT,
    gone TEXT,
    organization INTEGER,
    at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    search TEXT,
    rule TEXT,
    highlight TEXT
  ) STRICT;

  -- When a field was last changed, if that was later than the record's creation.
  CREATE TABLE sync_clocks (
    record TEXT NOT NULL,
    field TEXT NOT NULL,
    clock TEXT NOT NULL,
    PRIMARY KEY (record, field)
  ) STRICT, WITHOUT ROWID;

  -- The field '*' means all fields.
  CREATE TABLE sync_unsent (
    kind TEXT NOT NULL CHECK (kind IN ('bookmark', 'organization', 'alias', 'search', 'rule')),
    record TEXT NOT NULL,
    field TEXT NOT NULL,
    PRIMARY KEY (kind, record, field)
  ) STRICT, WITHOUT ROWID;

  -- Fields of a record that were received before the record itself, as JSON.
  CREATE TABLE sync_early (
    record TEXT PRIMARY KEY,
    fields TEXT NOT NULL CHECK (json_valid(fields)),
    kind TEXT
  ) STRICT, WITHOUT ROWID;

  -- A bookmark or organization that was merged into another.
  CREATE TABLE sync_aliases (
    record TEXT PRIMARY KEY,
    stays TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sync_aliases_by_stays ON sync_aliases (stays);

  -- The segment that is being written.
  CREATE TABLE sync_outbox (
    number INTEGER PRIMARY KEY,
    records TEXT NOT NULL CHECK (json_valid(records))
  ) STRICT;

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

  -- A name that begins with a line feed is temporary, while two tags exchange their names.
  CREATE TRIGGER sync_tag_renamed AFTER UPDATE OF name, folded ON tags WHEN (SELECT merging FROM sync_state) = 0
    BEGIN
      INSERT INTO sync_log (bookmark, tag) SELECT bookmark_id, old.folded FROM bookmark_tags
        WHERE tag_id = new.id AND old.folded NOT GLOB char(10) || '*' AND old.folded <> new.folded;
      INSERT INTO sync_log (bookmark, tag) SELECT bookmark_id, new.folded FROM bookmark_tags
        WHERE tag_id = new.id AND new.folded NOT GLOB char(10) || '*';
    END;

  CREATE TRIGGER sync_highlighted AFTER INSERT ON highlights WHEN (SELECT merging FROM sync_state) = 0
    BEGIN INSERT INTO sync_log (bookmark, highlight) VALUES (new.bookmark_id, new.id); END;

  CREATE TRIGGER sync_highlight_changed AFTER UPDATE ON highlights WHEN (SELECT merging FROM sync_state) = 0
    BEGIN INSERT INTO sync_log (bookmark, highlight) VALUES (new.bookmark_id, new.id); END;

  CREATE TRIGGER sync_highlight_gone AFTER DELETE ON highlights WHEN (SELECT merging FROM sync_state) = 0
    BEGIN INSERT INTO sync_log (bookmark, highlight) VALUES (old.bookmark_id, old.id); END;

  CREATE TRIGGER sync_read AFTER INSERT ON reading_places WHEN (SELECT merging FROM sync_state) = 0
    BEGIN INSERT INTO sync_log (bookmark, fields) VALUES (new.bookmark_id, 1 << 9); END;

  CREATE TRIGGER sync_read_on AFTER UPDATE ON reading_places WHEN (SELECT merging FROM sync_state) = 0
    BEGIN INSERT INTO sync_log (bookmark, fields) VALUES (new.bookmark_id, 1 << 9); END;

  CREATE TRIGGER sync_read_again AFTER DELETE ON reading_places WHEN (SELECT merging FROM sync_state) = 0
    BEGIN INSERT INTO sync_log (bookmark, fields) VALUES (old.bookmark_id, 1 << 9); END;

  CREATE TRIGGER sync_organization_made AFTER INSERT ON organizations WHEN (SELECT merging FROM sync_state) = 0
    BEGIN INSERT INTO sync_log (organization, fields) VALUES (new.id, -1); END;

  CREATE TRIGGER sync_organization_changed AFTER UPDATE OF name, deleted_at ON organizations
    WHEN (SELECT merging FROM sync_state) = 0
    BEGIN
      INSERT INTO sync_log (organization, fields) VALUES (
        new.id, (old.name IS NOT new.name) | (((old.deleted_at IS NOT new.deleted_at) << 1)));
    END;

  -- The bits are in the order of SEARCH_AND_RULE_FIELDS in store/sync/stamping.ts.
  CREATE TRIGGER sync_search_saved AFTER INSERT ON saved_searches WHEN (SELECT merging FROM sync_state) = 0
    BEGIN INSERT INTO sync_log (search, fields) VALUES (new.public_id, -1); END;

  CREATE TRIGGER sync_search_changed AFTER UPDATE OF name, address ON saved_searches
    WHEN (SELECT merging FROM sync_state) = 0
    BEGIN
      INSERT INTO sync_log (search, fields) VALUES (
        new.public_id, (old.name IS NOT new.name) | ((old.address IS NOT new.address) << 1));
    END;

  CREATE TRIGGER sync_search_gone AFTER DELETE ON saved_searches WHEN (SELECT merging FROM sync_state) = 0
    BEGIN INSERT INTO sync_log (search, fields) VALUES (old.public_id, 4); END;

  CREATE TRIGGER sync_rule_made AFTER INSERT ON rules WHEN (SELECT merging FROM sync_state) = 0
    BEGIN INSERT INTO sync_log (rule, fields) VALUES (new.public_id, -1); END;

  CREATE TRIGGER sync_rule_changed AFTER UPDATE OF query, tags, visibility, organization_id, deleted_at, copies ON rules
    WHEN (SELECT merging FROM sync_state) = 0
    BEGIN
      INSERT INTO sync_log (rule, fields) VALUES (new.public_id, (old.query IS NOT new.query)
        | ((old.tags IS NOT new.tags) << 1)
        | ((old.visibility IS NOT new.visibility OR old.organization_id IS NOT new.organization_id) << 2)
        | ((old.copies IS NOT new.copies) << 3)
        | ((old.deleted_at IS NOT new.deleted_at) << 4));
    END;
`
