import type { Migration } from '../migration.ts'

/**
 * Organizations can be deleted: their keys still name them, so the row stays. Keys count the calls of their last day
 * of use, `calls_day` being that day as the number 20261231. A session knows the token of its tab.
 */
export const owners: Migration = {
  version: 50,
  sql: `
    ALTER TABLE organizations ADD COLUMN deleted_at INTEGER;
    CREATE INDEX bookmarks_by_organization ON bookmarks (organization_id) WHERE organization_id IS NOT NULL;
    ALTER TABLE api_keys ADD COLUMN calls_day INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE api_keys ADD COLUMN calls_on_day INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN tab_hash BLOB CHECK (length(tab_hash) = 32);
  `
}
