import type Sqlite from 'better-sqlite3'

/**
 * Notes that a library is a copy of what a device was: its next round goes on as another one. Whether the device wrote
 * more since cannot be told from the folder, which may not be copied to this machine yet. A device that has read of
 * itself is such a copy.
 */
export function goOnAsCopy(db: Sqlite.Database): void {
  // A library from before there was synchronization has no such table.
  if (!db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sync_state'").get()) return
  db.exec(`
    INSERT OR REPLACE INTO sync_devices (device, name, up_to, seen_at)
    SELECT device, name, segment - (SELECT count(*) FROM sync_outbox), 0 FROM sync_state`)
}
