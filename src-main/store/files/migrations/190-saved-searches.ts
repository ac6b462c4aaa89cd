import type { Migration } from '../migration.ts'

/** Searches that the owner keeps under a name. */
export const savedSearches: Migration = {
  version: 190,
  sql: `
    CREATE TABLE saved_searches (
      id INTEGER PRIMARY KEY,
      public_id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      folded TEXT NOT NULL UNIQUE,
      address TEXT NOT NULL
    ) STRICT;
  `
}
