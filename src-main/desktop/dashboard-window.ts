import { BrowserWindow, nativeTheme, screen } from 'electron'
import { TELL } from './channels.ts'
import { guard } from './guard.ts'
import { type WindowState, windowPlace } from './placement.ts'
import { webPreferences } from './web-preferences.ts'

/** The window with the dashboard. It is made when it is first shown. */
export interface DashboardWindow {
  window(): BrowserWindow | undefined
  show(): void
  /** Shows a bookmark's panel, as soon as the page can. */
  showBookmark(id: string): void
}

export interface DashboardOptions {
  origin: string
  state(): WindowState | undefined
  onState(state: WindowState): void
  /** What closing it does; see `onClosing`. */
  closing(): 'hide' | 'quit'
  onHidden(): void
  onGone(): void
  onShown(): void
}

/** The page's ground before it is drawn, as src-renderer/app/theme.ts has it. */
const GROUND = { light: '#f6f7f9', dark: '#15171c' }

export function createDashboard(options: DashboardOptions): DashboardWindow {
  let current: BrowserWindow | undefined

  function create(): BrowserWindow {
    const state = options.state()
    const [main, ...others] = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map((one) => one.workArea)
    const window = new BrowserWindow({
      ...windowPlace(state, main ? [main, ...others] : []),
      minWidth: 480,
      minHeight: 360,
      title: 'Earmark',
      show: false,
      autoHideMenuBar: true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
      webPreferences: webPreferences('dashboard')
    })
    if (state?.maximized) window.maximize()
    guard(window.webContents, options.origin)
    window.once('ready-to-show', () => window.show())
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
    window.webContents.on('render-process-gone', () => window.webContents.reload())
    // A page that never arrives must not leave a window that nobody sees.
    window.loadURL(options.origin).catch(() => window.isDestroyed() || window.show())
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
    }
  }
}
