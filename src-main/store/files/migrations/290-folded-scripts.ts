import type { Migration } from '../migration.ts'

/**
 * The indexes hold every script without accents and in one case, the nasals of Devanagari as one sign, Thai and other
 * unspaced scripts in pairs of characters, and emoji. Every bookmark is indexed anew, in the background.
 */
export const foldedScripts: Migration = {
  version: 290,
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
