import type { DashboardBridge } from '../src-main/contract/desktop.ts'

declare global {
  /** Offered by the desktop's preload; not there in a browser. */
  var earmarkDesktop: DashboardBridge | undefined
}

/** What the desktop app's window can do beyond a browser; `undefined` in a browser. */
export const host = globalThis.earmarkDesktop

/**
 * Puts a text on the clipboard.
 *
 * @throws when the browser does not let this page use the clipboard
 */
export function writeClipboard(text: string): Promise<void> {
  return host?.copyText(text) ?? navigator.clipboard.writeText(text)
}
