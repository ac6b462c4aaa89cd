import { Problem } from '../contract/problem.ts'
import { markdownOfText } from '../core/page-text.ts'
import { APPLICATION_ID, type WriteConnection } from './connection.ts'
import { markdownOfLayout, textWithPages } from './page-texts-340.ts'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'

/** A step to a newer schema, in one transaction that also sets `user_version`. */
export interface Migration {
  /** Numbered in tens. */
  version: number
  sql: string
  /** Functions that the SQL of the step calls. Like a released step, they are never edited. */
  functions?: Record<string, (...values: never[]) => string | null>
}

/** Parts of the step to 310, by topic. */
const INDEXING_310 = `
  -- A changed tag was counted before its bookmarks were indexed again. Now the counts always match the filters.
  UPDATE filter_counts SET bookmarks = bookmarks - s.ahead
    FROM (SELECT char(57344) || 't' || tag_id AS token, sum(ahead) AS ahead FROM stale_tags GROUP BY tag_id) s
    WHERE filter = s.token;
  DROP INDEX bookmarks_by_title;
  DROP INDEX bookmarks_by_site;
  DROP INDEX bookmarks_to_index;
  -- Imported bookmarks are due to be read, and compared with others, before they are indexed too.
  UPDATE bookmarks SET details_due = updated_at WHERE unindexed = 1 AND details_due IS NULL AND url IS NOT NULL
    AND page_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM page_details WHERE bookmark_id = bookmarks.id);
  UPDATE page_key_rules SET up_to = 0 WHERE EXISTS (SELECT 1 FROM bookmarks WHERE unindexed = 1);
  ALTER TABLE bookmarks RENAME COLUMN unindexed TO to_index;
  UPDATE bookmarks SET to_index = NULL WHERE to_index = 1;
  -- All of them, because the filters have the year and the month now.
  UPDATE bookmarks SET to_index = 1 WHERE deleted_at IS NULL;
  DROP TABLE stale_tags;
  DROP TABLE unindexed_ranges;
  CREATE INDEX bookmarks_by_title ON bookmarks (substr(coalesce(nullif(title, ''), domain, ''), 1, 32) COLLATE NOCASE)
    WHERE deleted_at IS NULL;
  CREATE INDEX bookmarks_by_site ON bookmarks (coalesce(domain, '~'), created_at DESC, id DESC) WHERE deleted_at IS NULL;
  CREATE INDEX bookmarks_to_index ON bookmarks (id) WHERE to_index = 1;
`
const LINKS_310 = `
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

  -- A running check continues, unless its links were still being selected: then it ends as cancelled.
  UPDATE link_rounds SET cancelled = 1, ended_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
    WHERE ended_at IS NULL AND choice IS NOT NULL;
  INSERT INTO requested_link_check (began_at, ended_at, cancelled, total, checked, broken, moved, failing, unclear)
    SELECT began_at, ended_at, cancelled, total, checked, broken, moved, failing, unclear FROM link_rounds
    WHERE asked = 1 ORDER BY id DESC LIMIT 1;
  -- Links without a round failed, and keep the time of their next check.
  INSERT INTO links_due (bookmark_id, due_at, requested)
    SELECT b.id,
      iif(q.bookmark_id IS NOT NULL AND (q.round IS NULL OR (r.asked = 1 AND r.ended_at IS NULL)), q.due,
        max(b.updated_at, ifnull(l.checked_at, 0), ifnull(d.read_at, 0)) + 2592000000),
      q.round IS NOT NULL AND r.asked = 1 AND r.ended_at IS NULL
    FROM bookmarks b LEFT JOIN links_to_check q ON q.bookmark_id = b.id LEFT JOIN link_rounds r ON r.id = q.round
      LEFT JOIN link_checks l ON l.bookmark_id = b.id LEFT JOIN page_details d ON d.bookmark_id = b.id
    WHERE b.url IS NOT NULL AND b.page_key IS NOT NULL AND b.deleted_at IS NULL
      AND (q.bookmark_id IS NOT NULL OR b.details_due IS NULL);
  DROP TRIGGER link_changed;
  DROP TRIGGER link_trashed;
  DROP TABLE links_to_check;
  DROP TABLE link_rounds;
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
const RULES_310 = `
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
  INSERT INTO rules_pending (bookmark_id, newest_rule, applied, deferred)
    SELECT bookmark_id, newest_rule, applied, due > 0 FROM rule_turns;
  DROP TABLE rule_turns;
`
const UNDO_310 = `
  ALTER TABLE undo_steps ADD COLUMN kept_days INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE undo_steps ADD COLUMN undone_at INTEGER;
  CREATE TABLE undo_ranges (
    step_id INTEGER NOT NULL REFERENCES undo_steps (id) ON DELETE CASCADE,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (step_id, first)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX undo_ranges_by_last ON undo_ranges (last);
  CREATE TRIGGER undo_purged AFTER DELETE ON bookmarks WHEN old.id > (SELECT ifnull(max(id), 0) FROM bookmarks)
    BEGIN
      UPDATE undo_ranges SET last = (SELECT ifnull(max(id), 0) FROM bookmarks)
        WHERE last > (SELECT ifnull(max(id), 0) FROM bookmarks);
    END;

  -- The steps of imports get the ids after those of all steps, and the steps of calls the ids after these.
  CREATE TABLE undo_310 AS SELECT
    (SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'undo_steps') AS steps,
    (SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'imports') AS imports;

  INSERT INTO undo_steps (id, at, kept_days, undone_at)
    SELECT u.steps + i.id, i.at, 30, i.undone_at FROM undo_310 u, imports i;
  INSERT INTO undo_ranges (step_id, first, last)
    SELECT u.steps + r.import_id, r.first, r.last FROM undo_310 u, import_ranges r;
  INSERT INTO undo_bookmarks (step_id, bookmark_id, changed_at, before)
    SELECT u.steps + r.import_id, r.bookmark_id, i.at, ifnull(r.before, json_object('deletedAt', r.deleted_at))
    FROM undo_310 u, import_restored r JOIN imports i ON i.id = r.import_id;
  DROP TABLE import_ranges;
  DROP TABLE import_restored;
  CREATE TABLE imports_310 (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    step_id INTEGER NOT NULL UNIQUE REFERENCES undo_steps (id) ON DELETE CASCADE,
    imported INTEGER NOT NULL DEFAULT 0,
    joined INTEGER NOT NULL DEFAULT 0 CHECK (joined IN (0, 1))
  ) STRICT;
  INSERT INTO imports_310 (id, step_id, imported, joined)
    SELECT i.id, u.steps + i.id, i.imported, i.joined FROM undo_310 u, imports i;
  DROP TABLE imports;
  ALTER TABLE imports_310 RENAME TO imports;
  DELETE FROM sqlite_sequence WHERE name = 'imports';
  INSERT INTO sqlite_sequence (name, seq) SELECT 'imports', imports FROM undo_310;

  ALTER TABLE calls ADD COLUMN step_id INTEGER REFERENCES undo_steps (id) ON DELETE CASCADE;
  CREATE INDEX calls_by_step ON calls (step_id) WHERE step_id IS NOT NULL;
  INSERT INTO undo_steps (id, at, kept_days, undone_at)
    SELECT u.steps + u.imports + c.id, c.at, 90, c.undone_at FROM undo_310 u, calls c
    WHERE c.undone_at IS NOT NULL OR EXISTS (SELECT 1 FROM call_bookmarks WHERE call_id = c.id);
  UPDATE calls SET step_id = u.steps + u.imports + calls.id FROM undo_310 u
    WHERE EXISTS (SELECT 1 FROM undo_steps WHERE id = u.steps + u.imports + calls.id);
  INSERT INTO undo_ranges (step_id, first, last)
    SELECT c.step_id, b.bookmark_id, b.bookmark_id FROM call_bookmarks b JOIN calls c ON c.id = b.call_id
    WHERE b.before IS NULL;
  INSERT INTO undo_bookmarks (step_id, bookmark_id, changed_at, before)
    SELECT c.step_id, b.bookmark_id, c.at, b.before FROM call_bookmarks b JOIN calls c ON c.id = b.call_id
    WHERE b.before IS NOT NULL;
  DROP TABLE call_bookmarks;
  ALTER TABLE calls DROP COLUMN undone_at;
  -- A rule may have moved a restored bookmark to an organization since: its undo has to restore both.
  UPDATE undo_bookmarks SET before = json_set(before, '$.organization', NULL)
    WHERE before ->> '$.visibility' <> 'organization' AND json_type(before, '$.organization') IS NULL;
  DROP TABLE undo_310;
`

const STEP_320 = `
  ALTER TABLE sessions ADD COLUMN client TEXT;
  ALTER TABLE calls ADD COLUMN words TEXT;
  ALTER TABLE imports ADD COLUMN file TEXT;
  -- Saved searches, rules and groups of not_duplicates before a change, as JSON; NULL for one that the change created.
  CREATE TABLE undo_places (
    step_id INTEGER NOT NULL REFERENCES undo_steps (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('search', 'rule', 'apart')),
    public_id TEXT NOT NULL,
    before TEXT CHECK (json_valid(before)),
    PRIMARY KEY (step_id, kind, public_id)
  ) STRICT, WITHOUT ROWID;
  -- Bookmarks of a group that the owner said are not duplicates.
  CREATE TABLE not_duplicates (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    group_id TEXT NOT NULL
  ) STRICT;
`

const STEP_330 = `
  ALTER TABLE page_details ADD COLUMN preview_ratio REAL;
  -- The size of a picture is read with its colors.
  INSERT OR IGNORE INTO colors_due SELECT b.id FROM bookmarks b JOIN page_details d ON d.bookmark_id = b.id
    WHERE b.type = 'image' AND d.preview IS NOT NULL;
`

const STEP_340 = `
  ALTER TABLE page_texts ADD COLUMN markdown TEXT;
  UPDATE page_texts SET markdown = markdown_of_layout(text, layout), text = text_with_pages(text, layout)
    WHERE layout IS NOT NULL;
  UPDATE page_texts SET markdown = markdown_of_text(text) WHERE from_tab <> 0;
  ALTER TABLE page_texts DROP COLUMN layout;
  UPDATE undo_bookmarks SET before = json_set(before, '$.tabText', json_object('text', before ->> '$.tabText',
      'markdown', markdown_of_text(before ->> '$.tabText')))
    WHERE json_type(before, '$.tabText') = 'text';
  -- Where the owner stopped reading the text: in which of its blocks, and how far down in that, from 0 to 1.
  CREATE TABLE reading_places (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    block INTEGER NOT NULL,
    share REAL NOT NULL
  ) STRICT;
  DROP TRIGGER page_moved;
  CREATE TRIGGER page_moved AFTER UPDATE OF url ON bookmarks WHEN new.url IS NOT old.url
    BEGIN
      DELETE FROM page_details WHERE bookmark_id = new.id;
      DELETE FROM page_texts WHERE bookmark_id = new.id;
      DELETE FROM reading_places WHERE bookmark_id = new.id;
      UPDATE bookmarks SET details_due = iif(new.page_key IS NULL, NULL, new.updated_at) WHERE id = new.id;
    END;
`

const STEP_350 = `
  -- Passages that the owner marked in the text, as JSON of contract/highlight.ts.
  CREATE TABLE highlights (
    bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    highlight TEXT NOT NULL CHECK (json_valid(highlight)),
    PRIMARY KEY (bookmark_id, id)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE sync_log ADD COLUMN highlight TEXT;
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
`

const STEP_360 = `
  -- A copy of the page as it was, whose file is in the folder of copies. It stays if the address changes.
  CREATE TABLE page_copies (
    bookmark_id INTEGER PRIMARY KEY REFERENCES bookmarks (id) ON DELETE CASCADE,
    -- The SHA-256 of the file.
    hash TEXT NOT NULL CHECK (length(hash) = 64),
    size INTEGER NOT NULL,
    saved_at INTEGER NOT NULL
  ) STRICT;
`

const STEP_370 = `
  ALTER TABLE sessions DROP COLUMN tab_hash;
  ALTER TABLE rules ADD COLUMN copies INTEGER NOT NULL DEFAULT 0 CHECK (copies IN (0, 1));
  UPDATE sync_log SET fields = (fields & 7) | ((fields & 8) << 1) WHERE rule IS NOT NULL AND fields >= 0;
  DROP TRIGGER sync_rule_changed;
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

/** Steps to `SCHEMA_VERSION`, oldest first. A released step is never edited. */
const MIGRATIONS: Migration[] = [
  { version: 310, sql: [INDEXING_310, LINKS_310, RULES_310, UNDO_310].join('\n') },
  { version: 320, sql: STEP_320 },
  { version: 330, sql: STEP_330 },
  {
    version: 340,
    sql: STEP_340,
    functions: {
      markdown_of_layout: markdownOfLayout,
      text_with_pages: textWithPages,
      markdown_of_text: markdownOfText
    }
  },
  { version: 350, sql: STEP_350 },
  { version: 360, sql: STEP_360 },
  { version: 370, sql: STEP_370 }
]

/** The oldest schema that the steps start from. */
const OLDEST_VERSION = 300

/**
 * Creates the schema in an empty library, or upgrades an existing one step by step.
 *
 * @param backUp is called once, before the first step of an upgrade
 * @returns the new versions, in order
 * @throws Problem `store-too-new` or `store-too-old`
 */
export function migrate(db: WriteConnection, backUp: (from: number) => void, steps = MIGRATIONS): number[] {
  const stored = db.pragma('user_version', { simple: true }) as number
  assertSupported(stored, steps.at(-1)?.version)
  const pending =
    stored === 0 ? [{ version: SCHEMA_VERSION, sql: SCHEMA }] : steps.filter((step) => step.version > stored)
  if (pending.length > 0 && stored > 0) backUp(stored)
  for (const step of pending) {
    db.transaction(() => {
      for (const [name, work] of Object.entries(step.functions ?? {})) db.function(name, work as () => string | null)
      db.exec(step.sql)
      db.pragma(`application_id = ${APPLICATION_ID}`)
      db.pragma(`user_version = ${step.version}`)
    })()
  }
  return pending.map((step) => step.version)
}

/** @throws Problem `store-too-new` if a newer Earmark wrote this schema, `store-too-old` if no step starts from it */
export function assertSupported(stored: number, newest = SCHEMA_VERSION): void {
  if (stored > newest) {
    throw new Problem(
      'store-too-new',
      `This library was last opened by a newer version of Earmark (${stored} > ${newest}). Update Earmark to open it.`
    )
  }
  if (stored > 0 && stored < OLDEST_VERSION) {
    throw new Problem(
      'store-too-old',
      `This library was last opened by an early version of Earmark (${stored} < ${OLDEST_VERSION}) and cannot be upgraded. ` +
        'It was not changed. Export it with that version, then import the file into a new library.'
    )
  }
}
