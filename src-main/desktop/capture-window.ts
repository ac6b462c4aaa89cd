import { BrowserWindow, screen } from 'electron'
import type { Clip, CopiedPicture } from '../contract/desktop.ts'
import { TELL } from './channels.ts'
import { giveContextMenu } from './give-context-menu.ts'
import { guard } from './guard.ts'
import { capturePlace } from './placement.ts'
import { type Copied, readClipboard } from './read-clipboard.ts'
import { webPreferences } from './web-preferences.ts'

/** The small window that saves what is at hand. It is made ahead, so that it opens at once. */
export interface CaptureWindow {
  window(): BrowserWindow | undefined
  /** Opens with this address, or with what the clipboard holds. */
  open(url?: string): void
  /** Hides, and gives the focus back to where it was. */
  close(): void
  /** The picture it opened with. */
  readPicture(): Promise<CopiedPicture | null>
}

/** So long, in milliseconds, the clipboard waits for the window to have the focus. */
const FOCUS_MS = 300

export function createCapture(origin: string): CaptureWindow {
  let current: BrowserWindow | undefined = create()
  let copied: Copied | undefined

  function create(): BrowserWindow {
    const window = new BrowserWindow({
      ...capturePlace(screen.getPrimaryDisplay().workArea),
      title: 'Quick capture',
      show: false,
      frame: false,
      resizable: false,
      maximizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      // On macOS a panel takes the keys without making Earmark the active app, which so gets the focus back by itself.
      ...(process.platform === 'darwin' && { type: 'panel' }),
      webPreferences: webPreferences('capture')
    })
    guard(window.webContents, origin, 'ignore')
    giveContextMenu(window)
    // Zoom belongs to an origin: the dashboard's would leave this window too small for its page.
    window.webContents.setZoomMode('isolated')
    window.on('closed', () => {
      current = undefined
    })
    window.webContents.on('render-process-gone', () => window.destroy())
    void window.loadURL(`${origin}/capture`).catch(() => window.isDestroyed() || window.destroy())
    return window
  }

  function begin(window: BrowserWindow, clip: Clip | null): void {
    const { webContents } = window
    const send = () => webContents.send(TELL.beginCapture, clip)
    if (webContents.isLoading()) webContents.once('did-finish-load', send)
    else send()
  }

  return {
    window: () => current,
    open(url) {
      current ??= create()
      const window = current
      // Where the person looks: the screen with the pointer.
      window.setBounds(capturePlace(screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea))
      window.show()
      window.focus()
      const found = url === undefined ? focused(window).then(readClipboard) : Promise.resolve<Copied>(addressed(url))
      void found.then((held) => {
        copied = held
        if (!window.isDestroyed()) begin(window, held?.clip ?? null)
      })
    },
    close() {
      current?.hide()
      copied = undefined
    },
    readPicture: async () => (await copied?.readPicture()) ?? null
  }
}

/** On Wayland only who has the focus is told what the clipboard holds now (wl_data_device of the core protocol). */
function focused(window: BrowserWindow): Promise<void> {
  return new Promise((resolve) => {
    if (window.isFocused()) return resolve()
    const late = setTimeout(done, FOCUS_MS)
    window.once('focus', done)

    function done(): void {
      clearTimeout(late)
      resolve()
    }
  })
}

function addressed(url: string): Copied {
  return { clip: { text: url, html: '', picture: false }, readPicture: async () => null }
}
