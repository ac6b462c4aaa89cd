import type { ClockNote } from '../contract/clock-note.ts'
import type { Settings } from '../contract/settings.ts'
import type { WriteConnection } from './connection.ts'

/** What the writing thread can do to settings. */
export function settingWrites(db: WriteConnection) {
  const put = db.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)')
  return {
    writeSettings: db.transaction((change: Partial<Settings>): void => {
      for (const [name, value] of Object.entries(change)) put.run(name, JSON.stringify(value))
    }),
    noteClock(note: ClockNote): void {
      put.run('clock', JSON.stringify(note))
    }
  }
}
