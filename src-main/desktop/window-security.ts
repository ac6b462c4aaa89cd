import { join } from 'node:path'
import { type BrowserWindow, clipboard, Menu, shell, type WebContents, type WebPreferences } from 'electron'
import { contextMenu } from './window-rules.ts'

/**
 * Keeps a window on our own origin. Other pages open in the system's browser.
 *
 * @param ours the effect of opening a page of ours in another window, such as by a click with Ctrl: `follow` loads it in
 *   this window, because the browser is not logged in
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
  // For the main frame this event comes first, and preventing it here would skip will-navigate.
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

/** Prefixes of the links that install Earmark in an editor (src-renderer/features/keys/editors.ts). */
const INSTALL_LINKS = ['vscode:mcp/install?', 'cursor://anysphere.cursor-deeplink/mcp/install?']

/** Opens a page in the system's browser, or an install link in an editor. Other schemes could start any program. */
export function openOutside(address: string): void {
  if (!URL.canParse(address)) return
  const { protocol, href } = new URL(address)
  if (protocol === 'http:' || protocol === 'https:') shell.openExternal(href).catch(noProgram)
  if (INSTALL_LINKS.some((link) => href.startsWith(link))) shell.openExternal(href).catch(noProgram)
}

/** The system itself reports that no program opens the link. */
function noProgram(): void {}

export const PARTITION = 'persist:earmark'

/** Every window's page has the permissions of a browser page, and the functions of its preload. */
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

/** Adds a context menu to a window's page. */
export function giveContextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, clicked) => {
    const items = contextMenu(clicked, {
      openLink: openOutside,
      copyText: (text) => void clipboard.writeText(text).catch(() => {})
    })
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
  })
}
