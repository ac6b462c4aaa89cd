import { Settings } from '../contract/settings.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'

/** What the writing thread can do to settings. */
export function settingWrites(db: WriteConnection) {
  const put = db.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)')
  return {
    writeSettings: db.transaction((change: Partial<Settings>): void => {
      for (const [name, value] of Object.entries(change)) put.run(name, JSON.stringify(value))
    })
  }
}

/** What can be asked about settings. A missing one has its default. */
export function settingReads(db: ReadConnection) {
  const all = db.prepare('SELECT name, value FROM settings')
  return {
    readSettings(): Settings {
      const rows = all.all() as { name: string; value: string }[]
      return Settings.parse(Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value)])))
    }
  }
}
