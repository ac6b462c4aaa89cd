import type { Migration } from '../migration.ts'

/** What the last segment of each device held, so that another one under its number is noticed. */
export const syncDigests: Migration = {
  version: 300,
  sql: `
    -- SHA-256 of the text of the segment up_to, in hexadecimal digits; null if that was read in a snapshot.
    ALTER TABLE sync_devices ADD COLUMN digest TEXT;
  `
}
