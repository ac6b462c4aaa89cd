import type { Migration } from '../migration.ts'

/** Texts of pages that the owner's browser gave, which reading the page without the owner's login never replaces. */
export const tabTexts: Migration = {
  version: 170,
  sql: 'ALTER TABLE page_texts ADD COLUMN from_tab INTEGER NOT NULL DEFAULT 0;'
}
