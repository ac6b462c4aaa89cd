import type { Migration } from '../migration.ts'

/** How the text of a page was set out, as JSON; null where nothing says so. */
export const textLayouts: Migration = {
  version: 180,
  sql: 'ALTER TABLE page_texts ADD COLUMN layout TEXT;'
}
