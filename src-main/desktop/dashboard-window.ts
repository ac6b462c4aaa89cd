import { BrowserWindow, nativeTheme, screen } from 'electron'
import { TELL } from './channels.ts'
import { askToLeave, askToReload } from './dialogs.ts'
import { createCrashes, type WindowState, windowPlace } from './window-rules.ts'
import { giveContextMenu, guard, webPreferences } from './window-security.ts'

/** The window with the dashboard. It is made when it is first shown. */
export interface DashboardWindow {
  window(): BrowserWindow | undefined
  show(): void
  /** Shows a bookmark's panel, as soon as the page can. */
  showBookmark(id: string): void
  /** Goes one page back or forward, where there is one. */
  go(way: 'back' | 'forward'): void
}

export interface DashboardOptions {
  origin: string
  state(): WindowState | undefined
  onState(state: WindowState): void
  /** The effect of closing it; see `onClosing`. */
  closing(): 'hide' | 'quit'
  onHidden(): void
  onGone(): void
  onShown(): void
  /** Called when its page was asked to go and stays: what was to follow is off. */
  onStays(): void
  quit(): void
}

/** The page's ground before it is drawn, as src-renderer/app/theme.ts has it. */
const GROUND = { light: '#f6f7f9', dark: '#15171c' }

export function createDashboard(options: DashboardOptions): DashboardWindow {
  let current: BrowserWindow | undefined

  function create(): BrowserWindow {
    const state = options.state()
    const window = hiddenWindow(state)
    guard(window.webContents, options.origin, 'follow')
    giveContextMenu(window)
    showWhenReady(window, () => {
      // It shows the window too, which before would be empty.
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
    stayAlive(window, options.quit)
    askBeforeLeaving(window, options.onStays)
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
      if (contents?.isLoading()) contents.once('did-finish-load', () => contents.send(TELL.showBookmark, id))
      else contents?.send(TELL.showBookmark, id)
    },
    go(way) {
      const history = current?.webContents.navigationHistory
      if (way === 'back' && history?.canGoBack()) history.goBack()
      if (way === 'forward' && history?.canGoForward()) history.goForward()
    }
  }
}

/** Placed where it was left, as far as there still is a display. */
function hiddenWindow(state: WindowState | undefined): BrowserWindow {
  const [main, ...others] = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map((one) => one.workArea)
  return new BrowserWindow({
    ...windowPlace(state, main ? [main, ...others] : []),
    minWidth: 480,
    minHeight: 360,
    title: 'Earmark',
    show: false,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
    webPreferences: webPreferences('dashboard')
  })
}

/** Loads a page anew whose process is gone, and asks where that does not help. */
function stayAlive(window: BrowserWindow, quit: () => void): void {
  const next = createCrashes()
  const reload = () => window.isDestroyed() || window.webContents.reload()
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    const way = next(reason)
    if (way === 'reload') reload()
    if (way === 'ask') void askToReload().then((again) => (again ? reload() : quit()))
  })
}

/**
 * A page that is at work asks to stay: an import whose file is still being sent would stop. Without an answer here Chromium
 * lets it stay, and neither the page nor whoever wanted it closed says a word.
 */
function askBeforeLeaving(window: BrowserWindow, onStays: () => void): void {
  window.webContents.on('will-prevent-unload', (event) => {
    window.show()
    if (askToLeave(window)) event.preventDefault()
    else onStays()
  })
}

/** A window is shown after this, in milliseconds, ready or not. */
const SHOW_AFTER_MS = 2000

/**
 * Shows a window for the first time, once: when its page is drawn, which keeps it from flashing. On Wayland a hidden
 * window may never be drawn (electron/electron#48859), and a page may never come: then when it is loaded, or after 2 s.
 */
function showWhenReady(window: BrowserWindow, show: () => void): void {
  const late = setTimeout(reveal, SHOW_AFTER_MS)
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
