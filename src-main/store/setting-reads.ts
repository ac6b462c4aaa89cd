import { ClockNote } from '../contract/clock-note.ts'
import { Settings } from '../contract/settings.ts'
import type { ReadConnection } from './connection.ts'

/**
 * What can be asked about settings. A missing one has its default. Apart from the writes, because what knows the
 * defaults is much to load for a thread that starts.
 */
export function settingReads(db: ReadConnection) {
  const all = db.prepare('SELECT name, value FROM settings')
  const clock = db.prepare<[], string>("SELECT value FROM settings WHERE name = 'clock'").pluck()
  // Rows are in the order of their ids, which is nearly that of their times: no index by time is needed.
  const newest = db
    .prepare<[], number | null>(
      `SELECT max(at) FROM (
         SELECT * FROM (SELECT max(created_at, updated_at) AS at FROM bookmarks ORDER BY id DESC LIMIT 1)
         UNION ALL SELECT * FROM (SELECT at FROM undo_steps ORDER BY id DESC LIMIT 1)
         UNION ALL SELECT * FROM (SELECT at FROM calls ORDER BY id DESC LIMIT 1))`
    )
    .pluck()
  return {
    readClock: (): ClockNote | undefined => ClockNote.optional().catch(undefined).parse(parsed(clock.get())),
    newestTime: (): number | undefined => newest.get() ?? undefined,
    readSettings(): Settings {
      const rows = all.all() as { name: string; value: string }[]
      return Settings.parse(Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value)])))
    }
  }
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text)
}
