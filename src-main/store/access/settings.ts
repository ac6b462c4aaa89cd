import type { ClockNote } from '../../contract/clock-note.ts'
import type { Settings } from '../../contract/settings.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family, noEvents } from '../family.ts'

/** Settings, and what is known of the clock. */
export const settings = family({
  here: settingReads,
  writes: settingWrites,
  emits: { writeSettings: () => [{ kind: 'settings' }], noteClock: noEvents }
})

/** What the writing thread can do to settings. */
function settingWrites(db: WriteConnection) {
  const put = db.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)')
  return {
    writeSettings: db.transaction((change: Partial<Settings>): void => {
      for (const [name, value] of Object.entries(change)) if (value !== undefined) put.run(name, JSON.stringify(value))
    }),
    noteClock(note: ClockNote): void {
      put.run('clock', JSON.stringify(note))
    }
  }
}

/**
 * What can be asked about settings. A missing one has its default. What knows the defaults is loaded when asked: it is
 * much for a thread that starts.
 */
function settingReads(db: ReadConnection) {
  const stored = storedSettings(db)
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
    async readClock(): Promise<ClockNote | undefined> {
      const noted = parsed(clock.get())
      const contract = await import('../../contract/clock-note.ts')
      return contract.ClockNote.optional().catch(undefined).parse(noted)
    },
    newestTime: (): number | undefined => newest.get() ?? undefined,
    async readSettings(): Promise<Settings> {
      const chosen = stored()
      const contract = await import('../../contract/settings.ts')
      return contract.Settings.parse(chosen)
    }
  }
}

/** Reads what the owner chose, by its name; a default is not there. */
export function storedSettings(db: ReadConnection): () => Record<string, unknown> {
  const all = db.prepare('SELECT name, value FROM settings')
  return () => {
    const rows = all.all() as { name: string; value: string }[]
    return Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value)]))
  }
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text)
}
