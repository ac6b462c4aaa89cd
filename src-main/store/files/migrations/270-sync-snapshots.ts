import type { Migration } from '../migration.ts'

/** Snapshots: all bookmarks of a device, after which its earlier segments are needed by nobody. */
export const syncSnapshots: Migration = {
  version: 270,
  sql: `
    -- The segment after which the last snapshot was taken, or is being taken; null before the first.
    ALTER TABLE sync_state ADD COLUMN snapshot INTEGER;
    -- The last part of it that was written. Its bookmarks go up to all_after, those to come up to all_up_to.
    ALTER TABLE sync_state ADD COLUMN part INTEGER NOT NULL DEFAULT 0;
    -- When the last part was written; null until then.
    ALTER TABLE sync_state ADD COLUMN whole_at INTEGER;
    -- As JSON: the other devices as far as they are in it.
    ALTER TABLE sync_state ADD COLUMN covers TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(covers));
    -- The bookmarks of other machines' snapshots, which can be taken back as one.
    ALTER TABLE sync_state ADD COLUMN import_id INTEGER;
    ALTER TABLE imports ADD COLUMN joined INTEGER NOT NULL DEFAULT 0 CHECK (joined IN (0, 1));
    -- No change is later than this, in milliseconds since 1970: the clock may have leapt ahead.
    ALTER TABLE sync_state ADD COLUMN latest INTEGER;

    -- Kind of the record; null for what came before there were snapshots.
    ALTER TABLE sync_early ADD COLUMN kind TEXT;
  `
}
