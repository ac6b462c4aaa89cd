import { globalShortcut } from 'electron'

/** The one key combination that works everywhere. */
export interface Shortcut {
  /** Takes this accelerator in place of the one before; `null` for none. False when the system refuses. */
  set(accelerator: string | null): boolean
}

export function createShortcut(onPressed: () => void): Shortcut {
  let held: string | undefined
  return {
    set(accelerator) {
      if (held !== undefined) globalShortcut.unregister(held)
      held = undefined
      if (accelerator === null) return true
      if (!register(accelerator, onPressed)) return false
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
