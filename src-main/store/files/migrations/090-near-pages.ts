import type { Migration } from '../migration.ts'

/**
 * What finds bookmarks of nearly the same page, and how far the keys of pages follow the rules of today. Both are filled
 * in the background: neither can be computed in SQL.
 */
export const nearPages: Migration = {
  version: 90,
  sql: `
    -- A hash of the address without what rarely tells two pages apart.
    ALTER TABLE bookmarks ADD COLUMN near_page INTEGER;
    CREATE INDEX bookmarks_by_near_page ON bookmarks (ifnull(organization_id, 0), near_page)
      WHERE near_page IS NOT NULL AND deleted_at IS NULL;
    -- The rules in force, and the last bookmark they were applied to; NULL once they are to all.
    CREATE TABLE page_key_rules (
      rules INTEGER NOT NULL,
      up_to INTEGER
    ) STRICT;
    INSERT INTO page_key_rules VALUES (0, NULL);
  `
}
