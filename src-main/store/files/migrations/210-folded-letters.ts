import type { Migration } from '../migration.ts'

/**
 * The indexes hold letters that differ in writing alone as one: `đ` as `d`, 學 as 学, and `C++` as a name. Every bookmark is
 * indexed anew, in the background.
 */
export const foldedLetters: Migration = {
  version: 210,
  sql: `
    INSERT INTO bookmark_texts (bookmark_texts) VALUES ('delete-all');
    INSERT INTO bookmark_titles (bookmark_titles) VALUES ('delete-all');
    INSERT INTO word_parts (word_parts) VALUES ('delete-all');
    DELETE FROM words;
    DELETE FROM filter_counts;
    DELETE FROM stale_tags;
    DELETE FROM unindexed_ranges;
    UPDATE bookmarks SET filters = NULL WHERE filters IS NOT NULL;
  `
}
