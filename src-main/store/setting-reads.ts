import { Settings } from '../contract/settings.ts'
import type { ReadConnection } from './connection.ts'

/**
 * What can be asked about settings. A missing one has its default. Apart from the writes, because what knows the
 * defaults is much to load for a thread that starts.
 */
export function settingReads(db: ReadConnection) {
  const all = db.prepare('SELECT name, value FROM settings')
  return {
    readSettings(): Settings {
      const rows = all.all() as { name: string; value: string }[]
      return Settings.parse(Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value)])))
    }
  }
}
