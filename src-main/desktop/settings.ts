import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { globalShortcut } from 'electron'
import { z } from 'zod'
import type { DesktopChange, DesktopSettings } from '../contract/desktop.ts'
import type { LoginItem, MenuItem } from './system-entries.ts'

/** The desktop's settings. Changes take effect at once. */
export interface Settings {
  read(): DesktopSettings
  change(change: DesktopChange): DesktopSettings
}

interface SettingsParts {
  preferences: { read(): Preferences; write(change: Partial<Preferences>): void }
  loginItem: LoginItem
  menuItem: MenuItem
  shortcut: Shortcut
  findShortcut: Shortcut
  /** Whether this desktop shows tray icons. `tray` has this value until the owner sets it. */
  trayShows: boolean
  /** The value of `shortcutByDesktop` in `DesktopSettings`. */
  shortcutByDesktop: boolean
  onChanged(settings: DesktopSettings): void
}

export function createSettings(parts: SettingsParts): Settings {
  const { preferences, loginItem, menuItem, shortcut, findShortcut, trayShows, shortcutByDesktop, onChanged } = parts
  let refused = !shortcut.set(preferences.read().shortcut)
  let findRefused = !findShortcut.set(preferences.read().findShortcut)

  function read(): DesktopSettings {
    const { tray = trayShows, shortcut, findShortcut } = preferences.read()
    return {
      launchAtLogin: loginItem.read(),
      inMenu: menuItem.read(),
      tray,
      shortcut,
      shortcutRefused: refused,
      findShortcut,
      findShortcutRefused: findRefused,
      shortcutByDesktop
    }
  }

  return {
    read,
    change({ launchAtLogin, inMenu, tray, shortcut: accelerator, findShortcut: findAccelerator }) {
      if (launchAtLogin !== undefined) loginItem.set(launchAtLogin)
      if (inMenu !== undefined) menuItem.set(inMenu)
      if (tray !== undefined) preferences.write({ tray })
      if (accelerator !== undefined) {
        refused = !shortcut.set(accelerator)
        preferences.write({ shortcut: accelerator })
      }
      if (findAccelerator !== undefined) {
        findRefused = !findShortcut.set(findAccelerator)
        preferences.write({ findShortcut: findAccelerator })
      }
      onChanged(read())
      return read()
    }
  }
}

/** A key combination that works in every program. */
interface Shortcut {
  /** Replaces the accelerator; `null` for none. @returns false if the system refuses it */
  set(accelerator: string | null): boolean
}

/**
 * On Wayland the desktop's portal decides about a shortcut: `register` succeeds before the owner has agreed
 * (electron/electron#52218), and `unregister` does nothing (electron_api_global_shortcut.cc), so events of replaced
 * keys still arrive and are ignored.
 */
export function createShortcut(onPressed: () => void): Shortcut {
  let current: string | undefined
  return {
    set(accelerator) {
      if (current !== undefined) globalShortcut.unregister(current)
      current = undefined
      if (accelerator === null) return true
      if (!register(accelerator, () => current === accelerator && onPressed())) return false
      current = accelerator
      return true
    }
  }
}

function register(accelerator: string, onPressed: () => void): boolean {
  try {
    return globalShortcut.register(accelerator, onPressed)
  } catch {
    return false // the text is no accelerator
  }
}

const Bounds = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() })

/** Settings of this desktop. They are not in the library, because they are not about bookmarks. */
const Preferences = z.object({
  /** `null` for none. */
  shortcut: z.string().min(1).nullable().catch('CommandOrControl+Shift+Y'),
  /** The accelerator of quick find; `null` for none. In the capture window, `/` opens quick find. */
  findShortcut: z.string().min(1).nullable().catch(null),
  /** `undefined` until the owner chooses. */
  tray: z.boolean().optional().catch(undefined),
  /** Whether the owner was told that Earmark stays in the tray after its window is closed. */
  trayExplained: z.boolean().catch(false),
  window: z.object({ bounds: Bounds, maximized: z.boolean() }).optional().catch(undefined)
})
type Preferences = z.infer<typeof Preferences>

/** Opens the preferences in a file of this folder. Missing and unreadable preferences have their defaults. */
export function openPreferences(folder: string): {
  read(): Preferences
  /** If the disk is full, the change is lost when Earmark ends. */
  write(change: Partial<Preferences>): void
} {
  const file = join(folder, 'preferences.json')
  let current = Preferences.safeParse(readJson(file)).data ?? Preferences.parse({})
  return {
    read: () => current,
    write(change) {
      current = { ...current, ...change }
      try {
        writeFileSync(`${file}.new`, JSON.stringify(current), { mode: 0o600 })
        renameSync(`${file}.new`, file)
      } catch {
        // The disk is full or read-only.
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
