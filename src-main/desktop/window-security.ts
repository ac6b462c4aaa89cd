import { join } from 'node:path'
import { type BrowserWindow, clipboard, Menu, shell, type WebContents, type WebPreferences } from 'electron'
import { contextMenu } from './window-rules.ts'

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

/** How the links begin by which an editor takes Earmark in: src-renderer/features/keys/editors.ts. */
const INSTALL_LINKS = ['vscode:mcp/install?', 'cursor://anysphere.cursor-deeplink/mcp/install?']

/**
 * Opens a page in the system's browser, or hands an editor the link that installs Earmark there. Any other scheme might
 * start any program, and is ignored.
 */
export function openOutside(address: string): void {
  if (!URL.canParse(address)) return
  const { protocol, href } = new URL(address)
  if (protocol === 'http:' || protocol === 'https:') shell.openExternal(href).catch(noProgram)
  if (INSTALL_LINKS.some((link) => href.startsWith(link))) shell.openExternal(href).catch(noProgram)
}

/** There is no such program here, which the system tells as it does in a browser. */
function noProgram(): void {}

export const PARTITION = 'persist:earmark'

/** The permissions of every window's page: those of a browser, and the functions of its preload. */
export function webPreferences(preload: 'dashboard' | 'capture'): WebPreferences {
  return {
    partition: PARTITION,
    preload: join(import.meta.dirname, `../preload/${preload}.cjs`),
    contextIsolation: true,
    sandbox: true,
    webSecurity: true,
    nodeIntegration: false,
    webviewTag: false,
    spellcheck: false
  }
}

/** Gives a window's page the menu of a right click. */
export function giveContextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, clicked) => {
    const items = contextMenu(clicked, {
      openLink: openOutside,
      copyText: (text) => void clipboard.writeText(text).catch(() => {})
    })
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
  })
}
