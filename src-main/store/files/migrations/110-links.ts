import type { Migration } from '../migration.ts'

/**
 * What checks of links found, which links wait for one, and the rounds they are checked in; and which page a bookmark's
 * page says it is, filled in the background with the keys.
 */
export const links: Migration = {
  version: 110,
  sql: `
    CREATE TABLE link_checks (
      bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
      state TEXT NOT NULL CHECK (state IN ('ok', 'moved', 'broken', 'failing', 'unclear')),
      -- What the bookmark is found by.
      mark TEXT CHECK (mark IN ('broken', 'moved')),
      fault TEXT,
      -- The address that moved, so that going back to it brings the mark back.
      moved_from TEXT,
      moved_to TEXT,
      failing_since INTEGER,
      checked_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX link_checks_by_mark ON link_checks (mark) WHERE mark IS NOT NULL;

    CREATE TABLE link_rounds (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      asked INTEGER NOT NULL CHECK (asked IN (0, 1)),
      began_at INTEGER NOT NULL,
      ended_at INTEGER,
      cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled IN (0, 1)),
      -- What it is yet to take in, and how far it is with that; NULL once it has all.
      choice TEXT,
      after INTEGER NOT NULL DEFAULT 0,
      total INTEGER NOT NULL DEFAULT 0,
      checked INTEGER NOT NULL DEFAULT 0,
      broken INTEGER NOT NULL DEFAULT 0,
      moved INTEGER NOT NULL DEFAULT 0,
      failing INTEGER NOT NULL DEFAULT 0,
      unclear INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- Links that wait for a check: of a round, or again because one failed (round is NULL).
    CREATE TABLE links_to_check (
      bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
      due INTEGER NOT NULL,
      round INTEGER REFERENCES link_rounds (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX links_to_check_by_due ON links_to_check (due);
    CREATE INDEX links_to_check_by_round ON links_to_check (round) WHERE round IS NOT NULL;

    -- A hash of the address a page gives as its own, as near_page is of a bookmark's; NULL where it is the same.
    ALTER TABLE page_details ADD COLUMN own_page INTEGER;
    CREATE INDEX page_details_by_own_page ON page_details (own_page) WHERE own_page IS NOT NULL;
    UPDATE page_key_rules SET rules = 0, up_to = NULL;

    -- Another address is another page. One that moved is remembered with the address it moved from.
    CREATE TRIGGER link_changed AFTER UPDATE OF url ON bookmarks WHEN new.url IS NOT old.url
      BEGIN
        DELETE FROM link_checks WHERE bookmark_id = new.id AND moved_from IS NULL;
        UPDATE link_checks SET mark = iif(moved_from = new.url, 'moved', NULL) WHERE bookmark_id = new.id;
      END;
    CREATE TRIGGER link_trashed AFTER UPDATE OF deleted_at ON bookmarks WHEN new.deleted_at IS NOT NULL
      BEGIN DELETE FROM links_to_check WHERE bookmark_id = new.id; END;
  `
}
