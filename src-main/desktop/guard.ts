import type { WebContents } from 'electron'
import { openOutside } from './outside.ts'

/**
 * Keeps a window on our own origin, whatever its page tries. Pages of others open in the system's browser.
 *
 * @param ours what becomes of a page of ours that is to open in another window, as by Ctrl and a click: it is followed in
 * this one, because in the browser nobody is logged in
 */
export function guard(contents: WebContents, origin: string, ours: 'follow' | 'ignore'): void {
  const stays = (address: string) => URL.canParse(address) && new URL(address).origin === origin
  contents.on('will-navigate', (event) => {
    if (stays(event.url)) return
    event.preventDefault()
    openOutside(event.url)
  })
  contents.on('will-redirect', (event) => {
    if (!stays(event.url)) event.preventDefault()
  })
  // It comes first for the main frame too, and stopped here that never gets to will-navigate.
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame && !stays(event.url)) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (stays(url)) {
      if (ours === 'follow') contents.loadURL(url).catch(() => {})
    } else openOutside(url)
    return { action: 'deny' }
  })
}
