import type { CaptureBridge, DashboardBridge } from '../../src-main/contract/desktop.ts'

declare global {
  /** Set by the preload scripts of the desktop app, each in its window; `undefined` in a browser. */
  var earmarkDesktop: DashboardBridge | undefined
  var earmarkCapture: CaptureBridge | undefined
}

/** Functions of the desktop app's window; `undefined` in a browser. */
export const host = globalThis.earmarkDesktop

/** Functions of the capture window. */
export const captureHost = globalThis.earmarkCapture

/**
 * Puts a text on the clipboard.
 *
 * @throws when the browser does not let this page use the clipboard
 */
export function writeClipboard(text: string): Promise<void> {
  return host?.copyText(text) ?? navigator.clipboard.writeText(text)
}
