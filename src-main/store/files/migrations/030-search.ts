import type { Migration } from '../migration.ts'

/**
 * Two indexes: `bookmark_texts` has every text and where its words stand, `bookmark_titles` only titles and tags, to
 * find the best matches fast and words by their beginning. Both also hold each row's filters as private-use tokens.
 * A row's `filters` says that, and under which of them, it is indexed; rows without are indexed in the background.
 */
export const search: Migration = {
  version: 30,
  sql: `
    DROP TABLE bookmark_words;
    ALTER TABLE bookmarks ADD COLUMN filters TEXT;
    CREATE INDEX bookmarks_to_index ON bookmarks (id) WHERE filters IS NULL AND deleted_at IS NULL;

    CREATE VIRTUAL TABLE bookmark_texts USING fts5 (
      title, tags, address, description, content, filters,
      content = '', contentless_delete = 1,
      tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
    );
    CREATE VIRTUAL TABLE bookmark_titles USING fts5 (
      words, filters,
      content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4 5 6',
      tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
    );
    CREATE VIRTUAL TABLE bookmark_vocabulary USING fts5vocab (bookmark_texts, row);

    CREATE TABLE filter_counts (
      filter TEXT PRIMARY KEY,
      bookmarks INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `
}
