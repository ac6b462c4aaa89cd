import type { Migration } from '../migration.ts'

/**
 * The indexes hold which tags a tag belongs to. Bookmarks with nested tags are indexed anew, in the background. A step may
 * change the names of several tags.
 */
export const steps: Migration = {
  version: 220,
  sql: `
    -- The tags whose names a step changed, and the names they had before.
    CREATE TABLE undo_tag_names (
      step_id INTEGER NOT NULL REFERENCES undo_steps (id) ON DELETE CASCADE,
      tag_id INTEGER NOT NULL REFERENCES tags (id),
      name TEXT NOT NULL,
      folded TEXT NOT NULL,
      PRIMARY KEY (step_id, tag_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO undo_tag_names SELECT id, tag_id, tag_name, tag_folded FROM undo_steps WHERE tag_id IS NOT NULL;
    ALTER TABLE undo_steps DROP COLUMN tag_folded;
    ALTER TABLE undo_steps DROP COLUMN tag_name;
    ALTER TABLE undo_steps DROP COLUMN tag_id;

    -- What a bookmark was in the trash before it was saved again, as JSON.
    ALTER TABLE import_restored ADD COLUMN before TEXT CHECK (json_valid(before));
    ALTER TABLE call_bookmarks ADD COLUMN before TEXT CHECK (json_valid(before));

    -- The organization that a step deletes.
    ALTER TABLE undo_steps ADD COLUMN organization_id INTEGER REFERENCES organizations (id);
    UPDATE undo_steps SET organization_id = (
      SELECT o.id FROM undo_bookmarks u JOIN organizations o ON o.id = json_extract(u.before, '$.organization')
      WHERE u.step_id = undo_steps.id AND o.deleted_at IS NOT NULL LIMIT 1);

    INSERT OR IGNORE INTO stale_tags (bookmark_id, tag_id, ahead)
      SELECT b.id, t.id, 0 FROM tags t JOIN bookmark_tags bt ON bt.tag_id = t.id JOIN bookmarks b ON b.id = bt.bookmark_id
      WHERE instr(t.name, '/') > 0 AND b.filters IS NOT NULL;
  `
}
