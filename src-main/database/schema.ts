import { SYNC_SCHEMA } from './sync-schema.ts'

/** The version of this schema, in SQLite's `user_version`. Versions are numbered in tens. */
export const SCHEMA_VERSION = 370

const BOOKMARKS = `
  CREATE TABLE organizations (
    id INTEGER PRIMARY KEY,
    public_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    -- The row of a deleted organization stays, because its keys and synchronization refer to it.
    deleted_at INTEGER
  ) STRICT;

  CREATE TABLE bookmarks (
    id INTEGER PRIMARY KEY,
    public_id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL CHECK (type IN ('link', 'image', 'color', 'text')),
    visibility TEXT NOT NULL CHECK (visibility IN ('private', 'organization', 'public')),
    organization_id INTEGER REFERENCES organizations (id),
    page_key TEXT,
    url TEXT,
    domain TEXT,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    -- The filter tokens under which the bookmark is counted and indexed; NULL in the trash.
    filters TEXT,
    -- When to read the page, in milliseconds since 1970; NULL if nothing remains to read.
    details_due INTEGER,
    -- A hash of the address without the parts that rarely distinguish pages.
    near_page INTEGER,
    picture TEXT REFERENCES pictures (hash) CHECK (picture IS NULL OR (type = 'image' AND url IS NULL)),
    -- 1 if the full-text indexes do not have the present words of the bookmark.
    to_index INTEGER,
    CHECK ((visibility = 'organization') = (organization_id IS NOT NULL))
  ) STRICT;
  -- The same page is one bookmark for each owner; the profile counts as 0. The trash is included.
  CREATE UNIQUE INDEX bookmarks_by_page ON bookmarks (ifnull(organization_id, 0), page_key)
    WHERE page_key IS NOT NULL;
  CREATE INDEX bookmarks_by_near_page ON bookmarks (ifnull(organization_id, 0), near_page)
    WHERE near_page IS NOT NULL AND deleted_at IS NULL;
  -- Filters by type and visibility are checked in this index without the rows.
  CREATE INDEX bookmarks_by_date ON bookmarks (created_at, id, type, visibility, organization_id, deleted_at)
    WHERE deleted_at IS NULL;
  CREATE INDEX bookmarks_by_title ON bookmarks (substr(coalesce(nullif(title, ''), domain, ''), 1, 32) COLLATE NOCASE)
    WHERE deleted_at IS NULL;
  CREATE INDEX bookmarks_by_site ON bookmarks (coalesce(domain, '~'), created_at DESC, id DESC) WHERE deleted_at IS NULL;
  -- Texts and colors by content, so that importing them again adds nothing.
  CREATE INDEX bookmarks_by_content ON bookmarks (type, substr(content, 1, 64)) WHERE page_key IS NULL;
  CREATE INDEX bookmarks_by_organization ON bookmarks (organization_id) WHERE organization_id IS NOT NULL;
  CREATE INDEX bookmarks_by_picture ON bookmarks (picture) WHERE picture IS NOT NULL;
  CREATE INDEX bookmarks_in_trash ON bookmarks (deleted_at, id) WHERE deleted_at IS NOT NULL;
  CREATE INDEX bookmarks_to_index ON bookmarks (id) WHERE to_index = 1;
  CREATE INDEX bookmarks_to_describe ON bookmarks (details_due, id, domain, deleted_at)
    WHERE details_due IS NOT NULL AND deleted_at IS NULL;

  CREATE TABLE trash_size (bookmarks INTEGER NOT NULL) STRICT;
  INSERT INTO trash_size VALUES (0);
  CREATE TRIGGER trash_grows AFTER UPDATE OF deleted_at ON bookmarks
    WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL
    BEGIN UPDATE trash_size SET bookmarks = bookmarks + 1; END;
  CREATE TRIGGER trash_shrinks AFTER UPDATE OF deleted_at ON bookmarks
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL
    BEGIN UPDATE trash_size SET bookmarks = bookmarks - 1; END;
  CREATE TRIGGER trash_purged AFTER DELETE ON bookmarks WHEN old.deleted_at IS NOT NULL
    BEGIN UPDATE trash_size SET bookmarks = bookmarks - 1; END;

  CREATE TABLE tags (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE bookmark_tags (
    bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
    tag_id INTEGER NOT NULL REFERENCES tags (id),
    PRIMARY KEY (bookmark_id, tag_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX bookmark_tags_by_tag ON bookmark_tags (tag_id, bookmark_id);

  CREATE TABLE openings (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    opened_at INTEGER NOT NULL
  ) STRICT;

  -- Bookmarks of a group that the owner said are not duplicates.
  CREATE TABLE not_duplicates (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    group_id TEXT NOT NULL
  ) STRICT;

  -- The version of the rules for page keys, and the last bookmark they were applied to; NULL after all of them.
  CREATE TABLE page_key_rules (
    rules INTEGER NOT NULL,
    up_to INTEGER
  ) STRICT;
  INSERT INTO page_key_rules VALUES (0, NULL);
`

const ACCESS = `
  CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY,
    public_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    organization_id INTEGER REFERENCES organizations (id),
    read_only INTEGER NOT NULL,
    keychain TEXT NOT NULL DEFAULT 'shown-once' CHECK (keychain IN ('stored', 'shown-once', 'file')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    last_client TEXT,
    -- The last day of use as a number such as 20261231, and the calls on it.
    calls_day INTEGER NOT NULL DEFAULT 0,
    calls_on_day INTEGER NOT NULL DEFAULT 0,
    tags TEXT NOT NULL DEFAULT '[]'
  ) STRICT;

  CREATE TABLE sessions (
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    client TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key_id INTEGER NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    tool TEXT NOT NULL,
    client TEXT,
    results INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    refused TEXT,
    -- The step of the bookmarks that the call saved; NULL if it saved none. The call is deleted with the step.
    step_id INTEGER REFERENCES undo_steps (id) ON DELETE CASCADE,
    words TEXT
  ) STRICT;
  CREATE INDEX calls_by_key ON calls (key_id, id);
  CREATE INDEX calls_by_step ON calls (step_id) WHERE step_id IS NOT NULL;

  CREATE TABLE bookmark_savers (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    key_id INTEGER NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    client TEXT
  ) STRICT;
  CREATE INDEX bookmark_savers_by_key ON bookmark_savers (key_id);

  CREATE TABLE saved_searches (
    id INTEGER PRIMARY KEY,
    public_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,
    address TEXT NOT NULL
  ) STRICT;

  CREATE TABLE rules (
    -- Never reused: rules_pending refers to the rules up to an id.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id TEXT NOT NULL UNIQUE,
    query TEXT NOT NULL,
    tags TEXT NOT NULL CHECK (json_valid(tags)),
    visibility TEXT CHECK (visibility IN ('private', 'organization', 'public')),
    organization_id INTEGER REFERENCES organizations (id),
    matched INTEGER NOT NULL DEFAULT 0,
    matched_at INTEGER,
    -- A deleted rule can be restored for a day.
    deleted_at INTEGER,
    -- 1 if the browser extension saves a copy of each page.
    copies INTEGER NOT NULL DEFAULT 0 CHECK (copies IN (0, 1))
  ) STRICT;
  -- New bookmarks that rules still apply to when their pages are read.
  CREATE TABLE rules_pending (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    -- The newest rule when the bookmark was saved.
    newest_rule INTEGER NOT NULL,
    -- Row ids of the rules that matched so far, as JSON.
    applied TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(applied)),
    -- 1 for an imported bookmark that no rule was applied to yet, because its words are indexed later.
    deferred INTEGER NOT NULL DEFAULT 0 CHECK (deferred IN (0, 1))
  ) STRICT;
  CREATE INDEX rules_pending_deferred ON rules_pending (bookmark_id) WHERE deferred = 1;
`

const UNDO_AND_IMPORTS = `
  CREATE TABLE undo_steps (
    -- Negative for the undo of a change, positive for a change and for the redo of one.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    -- The organization that the step deleted or restored.
    organization_id INTEGER REFERENCES organizations (id),
    kept_days INTEGER NOT NULL DEFAULT 1,
    -- Set for the step of an import or of a call, which stays listed. Other steps are deleted when they are undone.
    undone_at INTEGER
  ) STRICT;
  -- The values that a change replaced, as JSON. They are restored if the bookmark is unchanged since changed_at.
  CREATE TABLE undo_bookmarks (
    step_id INTEGER NOT NULL REFERENCES undo_steps (id) ON DELETE CASCADE,
    bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
    changed_at INTEGER NOT NULL,
    before TEXT NOT NULL CHECK (json_valid(before)),
    PRIMARY KEY (step_id, bookmark_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX undo_bookmarks_by_bookmark ON undo_bookmarks (bookmark_id);
  -- New bookmarks. Those of a transaction have consecutive row ids.
  CREATE TABLE undo_ranges (
    step_id INTEGER NOT NULL REFERENCES undo_steps (id) ON DELETE CASCADE,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (step_id, first)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX undo_ranges_by_last ON undo_ranges (last);
  -- SQLite gives the highest row ids to new bookmarks after they were purged.
  CREATE TRIGGER undo_purged AFTER DELETE ON bookmarks WHEN old.id > (SELECT ifnull(max(id), 0) FROM bookmarks)
    BEGIN
      UPDATE undo_ranges SET last = (SELECT ifnull(max(id), 0) FROM bookmarks)
        WHERE last > (SELECT ifnull(max(id), 0) FROM bookmarks);
    END;
  -- Tags that a merge or a deletion added to bookmarks (1) or removed (-1).
  CREATE TABLE undo_taggings (
    step_id INTEGER NOT NULL REFERENCES undo_steps (id) ON DELETE CASCADE,
    bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
    tag_id INTEGER NOT NULL REFERENCES tags (id),
    given INTEGER NOT NULL CHECK (given IN (1, -1)),
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (step_id, bookmark_id, tag_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX undo_taggings_by_bookmark ON undo_taggings (bookmark_id);
  CREATE TABLE undo_tag_names (
    step_id INTEGER NOT NULL REFERENCES undo_steps (id) ON DELETE CASCADE,
    tag_id INTEGER NOT NULL REFERENCES tags (id),
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    PRIMARY KEY (step_id, tag_id)
  ) STRICT, WITHOUT ROWID;

  -- Saved searches, rules and groups of not_duplicates before a change, as JSON; NULL for one that the change created.
  CREATE TABLE undo_places (
    step_id INTEGER NOT NULL REFERENCES undo_steps (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('search', 'rule', 'apart')),
    public_id TEXT NOT NULL,
    before TEXT CHECK (json_valid(before)),
    PRIMARY KEY (step_id, kind, public_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    step_id INTEGER NOT NULL UNIQUE REFERENCES undo_steps (id) ON DELETE CASCADE,
    imported INTEGER NOT NULL DEFAULT 0,
    -- 1 for the bookmarks that came from other machines when this one joined them.
    joined INTEGER NOT NULL DEFAULT 0 CHECK (joined IN (0, 1)),
    file TEXT
  ) STRICT;

  -- Hashes of a watched file's path, and of a page's owner and key.
  CREATE TABLE watched_pages (
    source INTEGER NOT NULL,
    page INTEGER NOT NULL,
    PRIMARY KEY (source, page)
  ) STRICT, WITHOUT ROWID;
`

/**
 * Two full-text indexes: `bookmark_texts` has all texts with word positions, `bookmark_titles` only titles and tags, for
 * the best matches and for prefixes. Both contain each row's filters as private-use characters.
 */
const SEARCH = `
  CREATE VIRTUAL TABLE bookmark_texts USING fts5 (
    title, tags, address, description, content, filters,
    content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
  );
  CREATE VIRTUAL TABLE bookmark_titles USING fts5 (
    words, filters,
    content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4 5 6',
    tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
  );
  CREATE TABLE filter_counts (
    filter TEXT PRIMARY KEY,
    bookmarks INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- The distinct words of all bookmarks, and their trigrams, to find words that contain a part or have a typo.
  CREATE TABLE words (
    id INTEGER PRIMARY KEY,
    word TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE VIRTUAL TABLE word_parts USING fts5 (word, content = '', detail = none, tokenize = 'trigram');
  -- How many bookmarks and page texts there were when the indexes were last merged.
  CREATE TABLE index_merge (bookmarks INTEGER NOT NULL, pages INTEGER NOT NULL DEFAULT 0) STRICT;
  INSERT INTO index_merge VALUES (0, 0);
`

const PAGES = `
  CREATE TABLE page_details (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'failed')),
    -- Attempts since the page was last requested, and the reason why the last one failed.
    attempts INTEGER NOT NULL,
    fault TEXT,
    read_at INTEGER NOT NULL,
    -- What the bookmark has from the page. Text that a person or an agent wrote is not replaced.
    title TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '',
    site_name TEXT NOT NULL DEFAULT '',
    canonical_url TEXT,
    language TEXT,
    published_at INTEGER,
    -- Names of files among the pictures.
    icon TEXT,
    preview TEXT,
    own_page INTEGER,
    -- Of an image: the width of its preview divided by its height.
    preview_ratio REAL
  ) STRICT;
  CREATE INDEX page_details_by_own_page ON page_details (own_page) WHERE own_page IS NOT NULL;
  -- A separate table, because details are read with every bookmark that is listed.
  CREATE TABLE page_texts (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    -- What is searched: without marks.
    text TEXT NOT NULL,
    -- 1 if the browser extension sent the text. A later fetch does not replace it.
    from_tab INTEGER NOT NULL DEFAULT 0,
    -- What is read, unless the text of the page is plain.
    markdown TEXT
  ) STRICT;
  -- Where the owner stopped reading the text: in which of its blocks, and how far down in that, from 0 to 1.
  CREATE TABLE reading_places (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    block INTEGER NOT NULL,
    share REAL NOT NULL
  ) STRICT;
  -- Passages that the owner marked in the text, as JSON of contract/highlight.ts.
  CREATE TABLE highlights (
    bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    highlight TEXT NOT NULL CHECK (json_valid(highlight)),
    PRIMARY KEY (bookmark_id, id)
  ) STRICT, WITHOUT ROWID;
  -- A copy of the page as it was, whose file is in the folder of copies. It stays if the address changes.
  CREATE TABLE page_copies (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    -- The SHA-256 of the file.
    hash TEXT NOT NULL CHECK (length(hash) = 64),
    size INTEGER NOT NULL,
    saved_at INTEGER NOT NULL
  ) STRICT;
  -- Another address is another page.
  CREATE TRIGGER page_moved AFTER UPDATE OF url ON bookmarks WHEN new.url IS NOT old.url
    BEGIN
      DELETE FROM page_details WHERE bookmark_id = new.id;
      DELETE FROM page_texts WHERE bookmark_id = new.id;
      DELETE FROM reading_places WHERE bookmark_id = new.id;
      UPDATE bookmarks SET details_due = iif(new.page_key IS NULL, NULL, new.updated_at) WHERE id = new.id;
    END;

  -- Pictures without an address, which only the library has.
  CREATE TABLE pictures (
    -- The SHA-256 of the bytes.
    hash TEXT PRIMARY KEY CHECK (length(hash) = 64),
    type TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    kept_at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    -- Last, so that reading the other columns does not read them.
    preview BLOB NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;
  CREATE TRIGGER picture_let_go AFTER DELETE ON bookmarks
    WHEN old.picture IS NOT NULL AND NOT EXISTS (SELECT 1 FROM bookmarks WHERE picture = old.picture)
    BEGIN DELETE FROM pictures WHERE hash = old.picture; END;
  CREATE TABLE picture_colors (
    bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
    l REAL NOT NULL,
    a REAL NOT NULL,
    b REAL NOT NULL,
    share REAL NOT NULL,
    PRIMARY KEY (bookmark_id, l, a, b)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX picture_colors_by_color ON picture_colors (l, a, b);
  -- Images whose colors are computed in the background.
  CREATE TABLE colors_due (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE
  ) STRICT;
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

  CREATE TABLE link_checks (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('ok', 'moved', 'broken', 'failing', 'unclear')),
    -- The filter that finds the bookmark: is:broken or is:moved.
    mark TEXT CHECK (mark IN ('broken', 'moved')),
    fault TEXT,
    -- The address that moved, so that the mark returns with the address.
    moved_from TEXT,
    moved_to TEXT,
    failing_since INTEGER,
    checked_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX link_checks_by_mark ON link_checks (mark) WHERE mark IS NOT NULL;
  -- When each link is checked next. Links in the trash, and those whose pages were not read yet, have no row.
  CREATE TABLE links_due (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    due_at INTEGER NOT NULL,
    -- 1 for a link of the check that the owner requested.
    requested INTEGER NOT NULL DEFAULT 0 CHECK (requested IN (0, 1))
  ) STRICT;
  CREATE INDEX links_due_by_time ON links_due (requested, due_at);
  -- The check that the owner requested last.
  CREATE TABLE requested_link_check (
    began_at INTEGER NOT NULL,
    ended_at INTEGER,
    cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled IN (0, 1)),
    total INTEGER NOT NULL DEFAULT 0,
    checked INTEGER NOT NULL DEFAULT 0,
    broken INTEGER NOT NULL DEFAULT 0,
    moved INTEGER NOT NULL DEFAULT 0,
    failing INTEGER NOT NULL DEFAULT 0,
    unclear INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TRIGGER link_changed AFTER UPDATE OF url ON bookmarks WHEN new.url IS NOT old.url
    BEGIN
      DELETE FROM link_checks WHERE bookmark_id = new.id AND moved_from IS NULL;
      UPDATE link_checks SET mark = iif(moved_from = new.url, 'moved', NULL) WHERE bookmark_id = new.id;
      DELETE FROM links_due WHERE bookmark_id = new.id AND new.url IS NULL;
    END;
  CREATE TRIGGER link_trashed AFTER UPDATE OF deleted_at ON bookmarks WHEN new.deleted_at IS NOT NULL
    BEGIN DELETE FROM links_due WHERE bookmark_id = new.id; END;
  CREATE TRIGGER link_restored AFTER UPDATE OF deleted_at ON bookmarks
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL AND new.url IS NOT NULL AND new.page_key IS NOT NULL
    BEGIN
      INSERT INTO links_due (bookmark_id, due_at) SELECT new.id, new.updated_at
        WHERE NOT EXISTS (SELECT 1 FROM links_due WHERE bookmark_id = new.id);
    END;
`

/** The whole schema of a new library. */
export const SCHEMA = [BOOKMARKS, ACCESS, UNDO_AND_IMPORTS, SEARCH, PAGES, SYNC_SCHEMA].join('\n')
