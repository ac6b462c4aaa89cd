import { BrowserWindow, nativeTheme, screen } from 'electron'
import { MESSAGES } from './channels.ts'
import { askToLeave, askToReload } from './dialogs.ts'
import type { MenuTexts } from './menu-texts.ts'
import { createCrashes, type WindowState, windowPlace } from './window-rules.ts'
import { addContextMenu, guard, webPreferences } from './window-security.ts'

/** The dashboard's window. It is created when it is first shown. */
export interface DashboardWindow {
  window(): BrowserWindow | undefined
  show(): void
  /** Opens a bookmark's panel after the page is loaded. */
  showBookmark(id: string): void
  /** Goes one page back or forward, if there is one. */
  go(way: 'back' | 'forward'): void
}

interface DashboardOptions {
  origin: string
  texts: () => MenuTexts
  state(): WindowState | undefined
  onState(state: WindowState): void
  /** The effect of closing the window; see `onClosing`. */
  closing(): 'hide' | 'quit'
  onHidden(): void
  onGone(): void
  onShown(): void
  /** Called with each load of the page, which follows a change of the language. */
  onLoaded(): void
  /** Called if the owner decides that the page stays open, so that quitting is cancelled. */
  onStays(): void
  quit(): void
}

/** Background colors until the page is drawn, as in src-renderer/app/theme.ts. */
const BACKGROUND = { light: '#f6f7f9', dark: '#15171c' }

export function createDashboard(options: DashboardOptions): DashboardWindow {
  let current: BrowserWindow | undefined

  function create(): BrowserWindow {
    const state = options.state()
    const window = hiddenWindow(state)
    guard(window.webContents, options.origin, 'follow')
    addContextMenu(window, options.texts)
    window.webContents.on('did-finish-load', options.onLoaded)
    showWhenReady(window, () => {
      // Maximizing also shows the window, so it must not happen before the page is drawn.
      if (state?.maximized) window.maximize()
      window.show()
    })
    window.on('show', options.onShown)
    window.on('close', (event) => {
      options.onState({ bounds: window.getNormalBounds(), maximized: window.isMaximized() })
      if (options.closing() === 'quit') return
      event.preventDefault()
      window.hide()
      options.onHidden()
    })
    window.on('closed', () => {
      current = undefined
      options.onGone()
    })
    reloadAfterCrash(window, options.quit)
    askBeforeClosing(window, options.onStays)
    void window.loadURL(options.origin).catch(() => {})
    return window
  }

  function show(): void {
    if (!current) {
      current = create()
      return
    }
    if (current.isMinimized()) current.restore()
    current.show()
    current.focus()
  }

  return {
    window: () => current,
    show,
    showBookmark(id) {
      show()
      const contents = current?.webContents
      if (contents?.isLoading()) contents.once('did-finish-load', () => contents.send(MESSAGES.showBookmark, id))
      else contents?.send(MESSAGES.showBookmark, id)
    },
    go(way) {
      const history = current?.webContents.navigationHistory
      if (way === 'back' && history?.canGoBack()) history.goBack()
      if (way === 'forward' && history?.canGoForward()) history.goForward()
    }
  }
}

/** Creates the window at its last position, if that display still exists. */
function hiddenWindow(state: WindowState | undefined): BrowserWindow {
  const [main, ...others] = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map((display) => display.workArea)
  return new BrowserWindow({
    ...windowPlace(state, main ? [main, ...others] : []),
    minWidth: 480,
    minHeight: 360,
    title: 'Earmark',
    show: false,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: webPreferences('dashboard')
  })
}

/** Reloads the page after its process has crashed, and asks the owner after repeated crashes. */
function reloadAfterCrash(window: BrowserWindow, quit: () => void): void {
  const next = createCrashes()
  const reload = () => window.isDestroyed() || window.webContents.reload()
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    const way = next(reason)
    if (way === 'reload') reload()
    if (way === 'ask') void askToReload().then((again) => (again ? reload() : quit()))
  })
}

/**
 * Asks the owner before a page closes that is still sending a file to import. Without this listener, Chromium keeps the
 * page open, and does not explain why the window does not close.
 */
function askBeforeClosing(window: BrowserWindow, onStays: () => void): void {
  window.webContents.on('will-prevent-unload', (event) => {
    window.show()
    if (askToLeave(window)) event.preventDefault()
    else onStays()
  })
}

/** Time in ms after which a window is shown even if it is not ready. */
const SHOW_AFTER_MS = 2000

/**
 * Shows a window when its page is drawn, so that it does not flash. On Wayland a hidden window may never be drawn
 * (electron/electron#48859), so it is shown when the page is loaded. A page may never load, so the window is shown
 * after 2 s at the latest.
 */
function showWhenReady(window: BrowserWindow, show: () => void): void {
  const timer = setTimeout(reveal, SHOW_AFTER_MS)
  window.once('ready-to-show', reveal)
  window.webContents.once('did-finish-load', reveal)
  window.once('closed', () => clearTimeout(timer))
  let shown = false

  function reveal(): void {
    clearTimeout(timer)
    if (shown || window.isDestroyed()) return
    shown = true
    show()
  }
}
