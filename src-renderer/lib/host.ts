import type { CaptureBridge, DashboardBridge } from '../../src-main/contract/desktop.ts'

declare global {
  /** Offered by the desktop's preloads, each to its window; not there in a browser. */
  var earmarkDesktop: DashboardBridge | undefined
  var earmarkCapture: CaptureBridge | undefined
}

/** The functions the desktop app's window has beyond a browser's; `undefined` in a browser. */
export const host = globalThis.earmarkDesktop

/** The same for the window that captures. */
export const captureHost = globalThis.earmarkCapture

/**
 * Puts a text on the clipboard.
 *
 * @throws when the browser does not let this page use the clipboard
 */
export function writeClipboard(text: string): Promise<void> {
  return host?.copyText(text) ?? navigator.clipboard.writeText(text)
}
