import { BrowserWindow, type ClipboardItem, clipboard, screen } from 'electron'
import { LIMITS, MAX_PICTURE_BYTES } from '../contract/bookmark.ts'
import type { CaptureFields, CaptureStart, CaptureView, Clip, CopiedPicture } from '../contract/desktop.ts'
import { TELL } from './channels.ts'
import { capturePlace } from './window-rules.ts'
import { giveContextMenu, guard, webPreferences } from './window-security.ts'

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

/** The format that password managers add beside a secret, so that nothing shows or keeps it. */
const CONCEALED: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'org.nspasteboard.ConcealedType', // nspasteboard.org
  linux: 'x-kde-passwordManagerHint', // KeePassXC, Klipper
  win32: 'ExcludeClipboardContentFromMonitorProcessing' // learn.microsoft.com, Clipboard Formats
}

/** One more than can be saved, so that a longer text is refused in words, and not cut. */
const MOST_TEXT = LIMITS.content + 1

/** The copied data. Its picture may be large, and is read only on demand. */
interface Copied {
  clip: Clip
  readPicture(): Promise<CopiedPicture | null>
}

/** Reads what can be saved from the clipboard; `undefined` if it is empty or holds a secret. */
async function readClipboard(): Promise<Copied | undefined> {
  try {
    const [item] = await clipboard.read()
    // Of this very item: another may have taken its place before it is asked about.
    if (!item || isConcealed(item)) return undefined
    const picture = item.types.some((type) => type.startsWith('image/'))
    const text = await textOf(item, 'text/plain')
    if (!picture && text.trim() === '') return undefined
    const clip = { text: text.slice(0, MOST_TEXT), html: picture ? await textOf(item, 'text/html') : '', picture }
    return { clip, readPicture: () => pictureOf(item) }
  } catch {
    return undefined // whoever owns the clipboard does not answer: capture opens empty
  }
}

/** A format that is not the web's is named as Electron wraps it (electron_api_clipboard.cc). */
function isConcealed({ types }: ClipboardItem): boolean {
  return types.includes(`electron application/osclipboard;format="${CONCEALED[process.platform]}"`)
}

async function textOf(item: ClipboardItem, type: string): Promise<string> {
  if (!item.types.includes(type)) return ''
  const value = await item.getType(type)
  return value instanceof Blob ? value.text() : ''
}

/** As PNG where there is a choice: the clipboard's other forms of a picture are made of it, or lose some. */
async function pictureOf(item: ClipboardItem): Promise<CopiedPicture | null> {
  const type = item.types.find((one) => one === 'image/png') ?? item.types.find((one) => one.startsWith('image/'))
  const value = type === undefined ? undefined : await item.getType(type).catch(() => undefined)
  if (!(value instanceof Blob) || value.size === 0) return null
  return value.size > MAX_PICTURE_BYTES ? 'too-large' : new Uint8Array(await value.arrayBuffer())
}
