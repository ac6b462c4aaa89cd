import type { Migration } from '../migration.ts'

/** The digest of the last segment read of each device, which shows that another segment took its number. */
export const syncDigests: Migration = {
  version: 300,
  sql: `
    -- SHA-256 of the text of the segment up_to, in hexadecimal digits; null if that was read in a snapshot.
    ALTER TABLE sync_devices ADD COLUMN digest TEXT;
  `
}
