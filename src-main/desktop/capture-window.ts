import { BrowserWindow, type ClipboardItem, clipboard, screen } from 'electron'
import { LIMITS, MAX_PICTURE_BYTES } from '../contract/bookmark.ts'
import type { CaptureFields, CaptureStart, CaptureView, Clip, CopiedPicture } from '../contract/desktop.ts'
import { MESSAGES } from './channels.ts'
import type { MenuTexts } from './menu-texts.ts'
import { capturePlace } from './window-rules.ts'
import { addContextMenu, guard, webPreferences } from './window-security.ts'

/** The small window for quick capture and quick find. It is created in advance, so that it opens at once. */
export interface CaptureWindow {
  window(): BrowserWindow | undefined
  /** Opens with the fields of a link, or with the clipboard's content. */
  open(fields?: CaptureFields): void
  /** Opens to find bookmarks. */
  find(): void
  /** Sets the height for its content. */
  setView(view: CaptureView): void
  /** Hides the window. The system returns the focus to the previous window. */
  close(): void
  /** Returns the picture that was in the clipboard when the window opened. */
  readPicture(): Promise<CopiedPicture | null>
}

/** Maximum wait for the focus before the clipboard is read, in ms. */
const FOCUS_MS = 300

export function createCapture(origin: string, texts: () => MenuTexts): CaptureWindow {
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
      // On macOS a panel receives keys although Earmark is not the active app, so the other app stays active.
      ...(process.platform === 'darwin' && { type: 'panel' }),
      webPreferences: webPreferences('capture')
    })
    guard(window.webContents, origin, 'ignore')
    addContextMenu(window, texts)
    // Chromium stores one zoom for each origin. With the dashboard's zoom, the page might not fit into this window.
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
    // The window opens on the screen with the pointer.
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
        .then((content) => {
          copied = content
          begin(window, { kind: 'copied', clip: content?.clip ?? null })
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

/** Sends the window's purpose to the page after the page is loaded. */
function begin(window: BrowserWindow, start: CaptureStart): void {
  if (window.isDestroyed()) return
  const { webContents } = window
  const send = () => webContents.send(MESSAGES.beginCapture, start)
  if (webContents.isLoading()) webContents.once('did-finish-load', send)
  else send()
}

/** On Wayland only the focused window can read the clipboard (wl_data_device of the core protocol). */
function focused(window: BrowserWindow): Promise<void> {
  return new Promise((resolve) => {
    if (window.isFocused()) return resolve()
    const timer = setTimeout(done, FOCUS_MS)
    window.once('focus', done)

    function done(): void {
      clearTimeout(timer)
      resolve()
    }
  })
}

/** The clipboard format by which password managers mark a secret that other programs should not show or store. */
const CONCEALED: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'org.nspasteboard.ConcealedType', // nspasteboard.org
  linux: 'x-kde-passwordManagerHint', // KeePassXC, Klipper
  win32: 'ExcludeClipboardContentFromMonitorProcessing' // learn.microsoft.com, Clipboard Formats
}

/** Maximum length of copied text, in UTF-16 code units. A text that is too long to save stays too long. */
const MAX_TEXT_LENGTH = LIMITS.content + 1

/** The copied data. The picture may be large, and is read only on demand. */
interface Copied {
  clip: Clip
  readPicture(): Promise<CopiedPicture | null>
}

/** Reads text and picture from the clipboard; `undefined` if it has neither, or contains a secret. */
async function readClipboard(): Promise<Copied | undefined> {
  try {
    const [item] = await clipboard.read()
    // The item itself is checked, because the clipboard may have changed since it was read.
    if (!item || isConcealed(item)) return undefined
    const picture = item.types.some((type) => type.startsWith('image/'))
    const text = await textOf(item, 'text/plain')
    if (!picture && text.trim() === '') return undefined
    const clip = { text: text.slice(0, MAX_TEXT_LENGTH), html: picture ? await textOf(item, 'text/html') : '', picture }
    return { clip, readPicture: () => pictureOf(item) }
  } catch {
    return undefined // the program that owns the clipboard does not answer: capture opens empty
  }
}

/** Electron wraps the names of formats that are no web standard (electron_api_clipboard.cc). */
function isConcealed({ types }: ClipboardItem): boolean {
  return types.includes(`electron application/osclipboard;format="${CONCEALED[process.platform]}"`)
}

async function textOf(item: ClipboardItem, type: string): Promise<string> {
  if (!item.types.includes(type)) return ''
  const value = await item.getType(type)
  return value instanceof Blob ? value.text() : ''
}

/** Prefers PNG: the clipboard's other formats are derived from it, or lose details. */
async function pictureOf(item: ClipboardItem): Promise<CopiedPicture | null> {
  const type = item.types.find((name) => name === 'image/png') ?? item.types.find((name) => name.startsWith('image/'))
  const value = type === undefined ? undefined : await item.getType(type).catch(() => undefined)
  if (!(value instanceof Blob) || value.size === 0) return null
  return value.size > MAX_PICTURE_BYTES ? 'too-large' : new Uint8Array(await value.arrayBuffer())
}
