import type Sqlite from 'better-sqlite3'

/**
 * Marks a library as a copy, so that its next round makes it a new device. The folder cannot tell whether the former device
 * wrote more since, because it may not be copied to this machine yet. The mark is a row of `sync_devices` for the device
 * itself.
 *
 * @param hasLost whether rows are missing: then it reads everything again, also what it had written itself
 */
export function markAsCopy(db: Sqlite.Database, hasLost = false): void {
  // A library from before there was synchronization has no such table.
  if (!db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sync_state'").get()) return
  if (hasLost) db.exec('DELETE FROM sync_devices')
  // Before the first snapshot, which is after segment 0.
  const upTo = hasLost ? '-1' : 'ifnull((SELECT number - 1 FROM sync_outbox), segment)'
  db.exec(`
    INSERT OR IGNORE INTO sync_devices (device, name, up_to, seen_at) SELECT device, name, ${upTo}, 0 FROM sync_state`)
}
