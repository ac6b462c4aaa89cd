import { join } from 'node:path'
import { type BrowserWindow, clipboard, Menu, shell, type WebContents, type WebPreferences } from 'electron'
import type { MenuTexts } from './menu-texts.ts'
import { contextMenu } from './window-rules.ts'

/**
 * Keeps a window on Earmark's own origin. Other pages open in the system's browser.
 *
 * @param ours the effect of opening a page of Earmark in another window, for example by a click with Ctrl. `follow` loads
 *   it in this window, because the system's browser is not logged in
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
  // For the main frame, this event is before will-navigate, which would not occur if this event were prevented.
  contents.on('will-frame-navigate', (event) => {
    // A frame within a copy of a page is part of that copy.
    const isInCopy = event.url === 'about:srcdoc'
    if (!event.isMainFrame && !isInCopy && !stays(event.url)) event.preventDefault()
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
  if (protocol === 'http:' || protocol === 'https:') shell.openExternal(href).catch(ignoreMissingProgram)
  if (INSTALL_LINKS.some((link) => href.startsWith(link))) shell.openExternal(href).catch(ignoreMissingProgram)
}

/** Ignores that no program can open a link, because the system reports it. */
function ignoreMissingProgram(): void {}

export const PARTITION = 'persist:earmark'

/** Gives a window's page only the permissions of a web page, and the functions of its preload. */
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
export function addContextMenu(window: BrowserWindow, texts: () => MenuTexts): void {
  window.webContents.on('context-menu', (_event, clicked) => {
    const items = contextMenu(clicked, texts(), {
      openLink: openOutside,
      copyText: (text) => void clipboard.writeText(text).catch(() => {})
    })
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
  })
}
