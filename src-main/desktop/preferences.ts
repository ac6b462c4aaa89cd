import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Bounds = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() })

/** The settings of this desktop, kept outside the library: none of them belongs to the bookmarks. */
const Preferences = z.object({
  /** `null` for none. */
  shortcut: z.string().min(1).nullable().catch('CommandOrControl+Shift+Y'),
  /** The same for quick find, which `/` opens within capture. */
  findShortcut: z.string().min(1).nullable().catch(null),
  /** `undefined` while nobody chose. */
  tray: z.boolean().optional().catch(undefined),
  /** The owner was told that closing the window leaves Earmark in the tray. */
  trayExplained: z.boolean().catch(false),
  window: z.object({ bounds: Bounds, maximized: z.boolean() }).optional().catch(undefined)
})
export type Preferences = z.infer<typeof Preferences>

/** The preferences in a file of this folder. What is missing or unreadable has its default. */
export function openPreferences(folder: string): {
  read(): Preferences
  /** Remembers as well as it can: a disk that is full costs a preference, not the program. */
  write(change: Partial<Preferences>): void
} {
  const file = join(folder, 'preferences.json')
  let now = Preferences.safeParse(readJson(file)).data ?? Preferences.parse({})
  return {
    read: () => now,
    write(change) {
      now = { ...now, ...change }
      try {
        writeFileSync(`${file}.new`, JSON.stringify(now), { mode: 0o600 })
        renameSync(`${file}.new`, file)
      } catch {
        // It holds until Earmark ends.
      }
    }
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
