import type { Migration } from '../migration.ts'

/** Rules for new bookmarks, and the bookmarks that they have yet to be applied to. */
export const rules: Migration = {
  version: 230,
  sql: `
    CREATE TABLE rules (
      -- Never given again: a bookmark in rule_turns awaits the rules up to an id.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      public_id TEXT NOT NULL UNIQUE,
      query TEXT NOT NULL,
      tags TEXT NOT NULL CHECK (json_valid(tags)),
      visibility TEXT CHECK (visibility IN ('private', 'organization', 'public')),
      organization_id INTEGER REFERENCES organizations (id),
      matched INTEGER NOT NULL DEFAULT 0,
      matched_at INTEGER,
      -- One that was deleted can be brought back for a day.
      deleted_at INTEGER
    ) STRICT;

    CREATE TABLE rule_turns (
      bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
      -- The rules up to this one were there when it was saved.
      newest_rule INTEGER NOT NULL,
      -- Row ids of those that matched so far, as JSON.
      applied TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(applied)),
      -- 0 while its page is yet to be read; more each time there is something new to look at.
      due INTEGER NOT NULL DEFAULT 1
    ) STRICT;
    CREATE INDEX rule_turns_due ON rule_turns (bookmark_id) WHERE due > 0;
  `
}
