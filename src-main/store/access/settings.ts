import type { ClockNote, Settings } from '../../contract/settings.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRows, readValue, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'

const PUT = 'INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)'

export function writeSettings(db: WriteConnection, change: Partial<Settings>): Written<void> {
  for (const [name, value] of Object.entries(change)) if (value !== undefined) run(db, PUT, name, JSON.stringify(value))
  return { answer: undefined, events: [{ kind: 'settings' }] }
}

export function noteClock(db: WriteConnection, note: ClockNote): Written<void> {
  run(db, PUT, 'clock', JSON.stringify(note))
  return { answer: undefined, events: [] }
}

/** Returns the settings. A setting that is not stored has its default. */
export async function readSettings(db: ReadConnection): Promise<Settings> {
  const chosen = storedSettings(db)
  // Loaded only when needed, because loading the contract with zod slows down the start of a thread.
  const contract = await import('../../contract/settings.ts')
  return contract.Settings.parse(chosen)
}

/** Returns the settings that the owner changed, by name, without defaults. */
export function storedSettings(db: ReadConnection): Record<string, unknown> {
  const rows = readRows<{ name: string; value: string }>(db)`SELECT name, value FROM settings`
  return Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value)]))
}

/** Returns the last stored note about the computer's clock; `undefined` if there is none. */
export async function readClock(db: ReadConnection): Promise<ClockNote | undefined> {
  const noted = readValue<string>(db)`SELECT value FROM settings WHERE name = 'clock'`
  const contract = await import('../../contract/settings.ts')
  return contract.ClockNote.optional()
    .catch(undefined)
    .parse(noted && JSON.parse(noted))
}

/** Returns the time of the last bookmark and the last change; `undefined` in a library that was never used. */
export function newestTime(db: ReadConnection): number | undefined {
  // Rows are in the order of their ids, which is nearly that of their times: no index by time is needed.
  const newest = readValue<number | null>(db)`
    SELECT max(at) FROM (
    SELECT * FROM (SELECT max(created_at, updated_at) AS at FROM bookmarks ORDER BY id DESC LIMIT 1)
    UNION ALL SELECT * FROM (SELECT at FROM undo_steps ORDER BY id DESC LIMIT 1)
    UNION ALL SELECT * FROM (SELECT at FROM calls ORDER BY id DESC LIMIT 1))`
  return newest ?? undefined
}
