import type Sqlite from 'better-sqlite3'

/**
 * Marks a library as a copy, so that its next round makes it a new device. The folder cannot tell whether the former device
 * wrote more since, because it may not be copied to this machine yet. The mark is a row of `sync_devices` for the device
 * itself.
 */
export function markAsCopy(db: Sqlite.Database): void {
  // A library from before there was synchronization has no such table.
  if (!db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sync_state'").get()) return
  db.exec(`
    INSERT OR REPLACE INTO sync_devices (device, name, up_to, seen_at)
    SELECT device, name, segment - (SELECT count(*) FROM sync_outbox), 0 FROM sync_state`)
}
