import { globalShortcut } from 'electron'
import type { DesktopChange, DesktopSettings } from '../contract/desktop.ts'
import type { Preferences } from './preferences.ts'
import type { LoginItem, MenuItem } from './system-entries.ts'

/** The desktop's settings, in force from the moment they change. */
export interface Settings {
  read(): DesktopSettings
  change(change: DesktopChange): DesktopSettings
}

export interface SettingsParts {
  preferences: { read(): Preferences; write(change: Partial<Preferences>): void }
  loginItem: LoginItem
  menuItem: MenuItem
  shortcut: Shortcut
  findShortcut: Shortcut
  /** Whether a tray icon is seen here; what holds while nobody chose. */
  trayShows: boolean
  /** Whether the desktop decides about the shortcut; see `DesktopSettings`. */
  shortcutByDesktop: boolean
  /** Called after each change. */
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

/** The one key combination that works everywhere. */
export interface Shortcut {
  /** Takes this accelerator in place of the one before; `null` for none. False when the system refuses. */
  set(accelerator: string | null): boolean
}

/**
 * On Wayland the desktop's portal decides: `register` says yes before anybody was asked (electron/electron#52218), and
 * `unregister` does nothing (electron_api_global_shortcut.cc), so keys that were given up are still heard. Only those that
 * are held count.
 */
export function createShortcut(onPressed: () => void): Shortcut {
  let held: string | undefined
  return {
    set(accelerator) {
      if (held !== undefined) globalShortcut.unregister(held)
      held = undefined
      if (accelerator === null) return true
      if (!register(accelerator, () => held === accelerator && onPressed())) return false
      held = accelerator
      return true
    }
  }
}

function register(accelerator: string, onPressed: () => void): boolean {
  try {
    return globalShortcut.register(accelerator, onPressed)
  } catch {
    return false // it is no accelerator
  }
}
