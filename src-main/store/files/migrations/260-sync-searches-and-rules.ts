import type { Migration } from '../migration.ts'

/** Saved searches and rules are synchronized too. */
export const syncSearchesAndRules: Migration = {
  version: 260,
  sql: `
    ALTER TABLE sync_log ADD COLUMN search TEXT;
    ALTER TABLE sync_log ADD COLUMN rule TEXT;

    CREATE TABLE sync_unsent_now (
      kind TEXT NOT NULL CHECK (kind IN ('bookmark', 'organization', 'alias', 'search', 'rule')),
      record TEXT NOT NULL,
      field TEXT NOT NULL,
      PRIMARY KEY (kind, record, field)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO sync_unsent_now SELECT kind, record, field FROM sync_unsent;
    DROP TABLE sync_unsent;
    ALTER TABLE sync_unsent_now RENAME TO sync_unsent;
    INSERT INTO sync_unsent SELECT 'search', public_id, '*' FROM saved_searches, sync_state;
    INSERT INTO sync_unsent SELECT 'rule', public_id, '*' FROM rules, sync_state WHERE deleted_at IS NULL;

    -- The bits are in the order of SEARCH_AND_RULE_FIELDS in store/sync/stamping.ts.
    CREATE TRIGGER sync_search_saved AFTER INSERT ON saved_searches WHEN (SELECT merging FROM sync_state) = 0
      BEGIN INSERT INTO sync_log (search, fields) VALUES (new.public_id, -1); END;

    CREATE TRIGGER sync_search_changed AFTER UPDATE OF name, address ON saved_searches WHEN (SELECT merging FROM sync_state) = 0
      BEGIN
        INSERT INTO sync_log (search, fields) VALUES (
          new.public_id, (old.name IS NOT new.name) | ((old.address IS NOT new.address) << 1));
      END;

    CREATE TRIGGER sync_search_gone AFTER DELETE ON saved_searches WHEN (SELECT merging FROM sync_state) = 0
      BEGIN INSERT INTO sync_log (search, fields) VALUES (old.public_id, 4); END;

    CREATE TRIGGER sync_rule_made AFTER INSERT ON rules WHEN (SELECT merging FROM sync_state) = 0
      BEGIN INSERT INTO sync_log (rule, fields) VALUES (new.public_id, -1); END;

    CREATE TRIGGER sync_rule_changed AFTER UPDATE OF query, tags, visibility, organization_id, deleted_at ON rules
      WHEN (SELECT merging FROM sync_state) = 0
      BEGIN
        INSERT INTO sync_log (rule, fields) VALUES (new.public_id, (old.query IS NOT new.query)
          | ((old.tags IS NOT new.tags) << 1)
          | ((old.visibility IS NOT new.visibility OR old.organization_id IS NOT new.organization_id) << 2)
          | ((old.deleted_at IS NOT new.deleted_at) << 3));
      END;
  `
}
