import type { Migration } from '../migration.ts'

/** Bookmarks, tags, organizations, keys, sessions, settings and the words to find bookmarks by. */
export const library: Migration = {
  version: 10,
  sql: `
    CREATE TABLE organizations (
      id INTEGER PRIMARY KEY,
      public_id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      folded TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL
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
      CHECK ((visibility = 'organization') = (organization_id IS NOT NULL))
    ) STRICT;
    -- The same page is one bookmark for each owner; the profile counts as 0. The trash counts too.
    CREATE UNIQUE INDEX bookmarks_by_page ON bookmarks (ifnull(organization_id, 0), page_key)
      WHERE page_key IS NOT NULL;
    CREATE INDEX bookmarks_by_domain ON bookmarks (domain);

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

    CREATE VIRTUAL TABLE bookmark_words USING fts5 (
      title, tags, address, description, content,
      content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
    );

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
      last_client TEXT
    ) STRICT;

    CREATE TABLE sessions (
      hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
      created_at INTEGER NOT NULL,
      seen_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE settings (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL CHECK (json_valid(value))
    ) STRICT, WITHOUT ROWID;
  `
}
