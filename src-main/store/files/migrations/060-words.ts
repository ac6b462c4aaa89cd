import type { Migration } from '../migration.ts'

/**
 * The distinct words of all bookmarks, with an index of their parts of three letters: what is asked for words that
 * hold a part, or that are a letter or two away. Every bookmark is indexed anew, in the background.
 */
export const words: Migration = {
  version: 60,
  sql: `
    CREATE TABLE words (
      id INTEGER PRIMARY KEY,
      word TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE VIRTUAL TABLE word_parts USING fts5 (word, content = '', detail = none, tokenize = 'trigram');
    -- How many bookmarks there were when the indexes were last merged, each into one piece.
    CREATE TABLE index_merge (bookmarks INTEGER NOT NULL) STRICT;
    INSERT INTO index_merge VALUES (0);
    DROP TABLE bookmark_vocabulary;
    INSERT INTO bookmark_texts (bookmark_texts) VALUES ('delete-all');
    INSERT INTO bookmark_titles (bookmark_titles) VALUES ('delete-all');
    DELETE FROM filter_counts;
    DELETE FROM stale_tags;
    UPDATE bookmarks SET filters = NULL WHERE filters IS NOT NULL;
  `
}
