import { globalShortcut } from 'electron'

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
