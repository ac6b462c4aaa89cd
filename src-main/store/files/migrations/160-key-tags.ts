import type { Migration } from '../migration.ts'

/** Tags that everything gets that a key saves, as a JSON list. */
export const keyTags: Migration = {
  version: 160,
  sql: `ALTER TABLE api_keys ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';`
}
