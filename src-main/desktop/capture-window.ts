import { BrowserWindow, screen } from 'electron'
import type { CaptureFields, CaptureStart, CaptureView, CopiedPicture } from '../contract/desktop.ts'
import { TELL } from './channels.ts'
import { giveContextMenu } from './give-context-menu.ts'
import { guard } from './guard.ts'
import { capturePlace } from './placement.ts'
import { type Copied, readClipboard } from './read-clipboard.ts'
import { webPreferences } from './web-preferences.ts'

/** The small window that saves what is at hand, and finds. It is made ahead, so that it opens at once. */
export interface CaptureWindow {
  window(): BrowserWindow | undefined
  /** Opens with what a link fills in, or with what the clipboard holds. */
  open(fields?: CaptureFields): void
  /** Opens to find bookmarks. */
  find(): void
  /** Makes it as high as what it shows. */
  setView(view: CaptureView): void
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
      ...capturePlace(screen.getPrimaryDisplay().workArea, 'field'),
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

  function show(view: CaptureView): BrowserWindow {
    current ??= create()
    // Where the person looks: the screen with the pointer.
    const place = capturePlace(screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea, view)
    current.setBounds(place)
    current.show()
    current.focus()
    return current
  }

  return {
    window: () => current,
    open(fields) {
      const window = show('field')
      if (fields) return begin(window, { kind: 'filled', fields })
      begin(window, { kind: 'save' })
      void focused(window)
        .then(readClipboard)
        .then((held) => {
          copied = held
          begin(window, { kind: 'copied', clip: held?.clip ?? null })
        })
    },
    find: () => begin(show('list'), { kind: 'find' }),
    setView(view) {
      if (!current) return
      const { x, y, width } = current.getBounds()
      current.setBounds({ x, y, width, height: capturePlace(screen.getPrimaryDisplay().workArea, view).height })
    },
    close() {
      current?.hide()
      copied = undefined
    },
    readPicture: async () => (await copied?.readPicture()) ?? null
  }
}

/** Tells the page what its window opened for, once it is there. */
function begin(window: BrowserWindow, start: CaptureStart): void {
  if (window.isDestroyed()) return
  const { webContents } = window
  const send = () => webContents.send(TELL.beginCapture, start)
  if (webContents.isLoading()) webContents.once('did-finish-load', send)
  else send()
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
