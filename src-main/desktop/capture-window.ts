import { app, BrowserWindow, screen } from 'electron'
import type { Clip, CopiedPicture } from '../contract/desktop.ts'
import { TELL } from './channels.ts'
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

/** @param otherWindowShows whether the app has another window that should keep the focus */
export function createCapture(origin: string, otherWindowShows: () => boolean): CaptureWindow {
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
    guard(window.webContents, origin)
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
      const found = url === undefined ? readClipboard() : Promise.resolve<Copied>(addressed(url))
      void found.then((held) => {
        copied = held
        if (!window.isDestroyed()) begin(window, held?.clip ?? null)
      })
    },
    close() {
      current?.hide()
      copied = undefined
      if (process.platform === 'darwin' && !otherWindowShows()) app.hide()
    },
    readPicture: async () => (await copied?.readPicture()) ?? null
  }
}

function addressed(url: string): Copied {
  return { clip: { text: url, html: '', picture: false }, readPicture: async () => null }
}
