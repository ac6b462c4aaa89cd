import type { BrowserWindow } from 'electron'

/** A window is shown after this, in milliseconds, ready or not. */
const PATIENCE_MS = 2000

/**
 * Shows a window for the first time, once: when its page is drawn, which keeps it from flashing. On Wayland a hidden
 * window may never be drawn (electron/electron#48859), and a page may never come: then when it is loaded, or after 2 s.
 */
export function showWhenReady(window: BrowserWindow, show: () => void): void {
  const late = setTimeout(reveal, PATIENCE_MS)
  window.once('ready-to-show', reveal)
  window.webContents.once('did-finish-load', reveal)
  window.once('closed', () => clearTimeout(late))
  let shown = false

  function reveal(): void {
    clearTimeout(late)
    if (shown || window.isDestroyed()) return
    shown = true
    show()
  }
}
