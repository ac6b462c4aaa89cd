import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import type * as E from 'electron'
import { onWayland } from './pretend.ts'
import { recorded } from './recorded.ts'
import { strict } from './strict.ts'

const area = { x: 0, y: 24, width: 1440, height: 876 }
const display = { id: 1, workArea: area, bounds: { ...area, y: 0, height: 900 } } as E.Display

export const screen = strict('screen', {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
  getDisplayNearestPoint: () => display,
  getCursorScreenPoint: () => ({ x: 700, y: 400 })
}) satisfies Partial<E.Screen>

export const nativeTheme = strict('nativeTheme', { shouldUseDarkColors: false }) satisfies Partial<E.NativeTheme>

/** An image is where it is from; one that is not there is empty, as Electron's is. */
export const nativeImage = strict('nativeImage', {
  createFromPath: (path: string) => ({ path: existsSync(path) ? path : '' }) as unknown as E.NativeImage
}) satisfies Partial<typeof E.nativeImage>

export const shell = strict('shell', {
  openExternal: async (address: string) => void recorded.opened.push(address),
  openPath: async (path: string) => {
    recorded.opened.push(path)
    return ''
  }
}) satisfies Partial<E.Shell>

export const globalShortcut = strict('globalShortcut', {
  register(accelerator: string, pressed: () => void) {
    if (!/^[A-Za-z]+(\+[A-Za-z0-9]+)+$/.test(accelerator)) throw new TypeError('conversion failure')
    // The portal is asked later, and its answer told to nobody (electron/electron#52218).
    const refused = recorded.takenShortcuts.has(accelerator) || recorded.shortcuts.has(accelerator)
    if (refused && !onWayland) return false
    recorded.shortcuts.set(accelerator, pressed)
    return true
  },
  // What the portal holds it does not look at (electron_api_global_shortcut.cc, Unregister).
  unregister: (accelerator: string) => void (onWayland || recorded.shortcuts.delete(accelerator))
}) satisfies Partial<E.GlobalShortcut>

export const dialog = strict('dialog', {
  showMessageBox(first: E.BaseWindow | E.MessageBoxOptions, second?: E.MessageBoxOptions) {
    const { message, detail = '', buttons = [] } = second ?? (first as E.MessageBoxOptions)
    return new Promise<E.MessageBoxReturnValue>((resolve) => {
      const press = (label: string) => {
        const response = buttons.indexOf(label)
        if (response < 0) throw new Error(`there is no button ${label}: ${buttons.join(', ')}`)
        resolve({ response, checkboxChecked: false })
      }
      recorded.dialogs.push({ message, detail, buttons, press })
    })
  },
  /** Nothing else runs until it is answered: a test says beforehand how. */
  showMessageBoxSync(first: E.BaseWindow | E.MessageBoxSyncOptions, second?: E.MessageBoxSyncOptions) {
    const { message, detail = '', buttons = [] } = second ?? (first as E.MessageBoxSyncOptions)
    recorded.dialogs.push({ message, detail, buttons })
    return Math.max(0, buttons.indexOf(recorded.answers.shift() ?? buttons[0] ?? ''))
  }
}) satisfies Partial<E.Dialog>

/** What a test puts on the clipboard, by its type. */
let held: Items = {}

/** On Wayland what was copied in other programs is told to who has the focus (wl_data_device); until then it is this. */
let known: Items = {}

/** Called when a window gets the focus. */
export function learnClipboard(): void {
  known = held
}

/** Whoever owns what was copied takes its time to hand it over. */
const HANDOVER_MS = Number(process.env.STAND_IN_CLIPBOARD_MS ?? 0)

type Items = Record<string, string | Blob>

/** What is to be written. What was read looks at the clipboard only when it is asked (electron_api_clipboard_item.cc). */
export class ClipboardItem {
  readonly items: Items

  constructor(items: Items) {
    if (Object.keys(items).length === 0) throw new TypeError('at least one MIME type is required.')
    this.items = items
  }
}

/** One item, whether it holds anything or not. */
function readItem(types: string[]) {
  return {
    types,
    async getType(type: string): Promise<Blob> {
      if (!types.includes(type)) throw new Error(`The type '${type}' was not found in the ClipboardItem`)
      const value = (onWayland ? known : held)[type] ?? ''
      const bytes = new Blob([value], { type })
      return type.startsWith('image/') ? ((await asPng(bytes)) ?? new Blob([], { type })) : bytes
    }
  }
}

/** Pictures go through a bitmap; what does not decode is no picture (WriteTo, ReadMime). */
async function asPng(picture: Blob): Promise<Blob | undefined> {
  const { default: sharp } = await import('sharp')
  const decoded = sharp(Buffer.from(await picture.arrayBuffer()))
  const { format } = await decoded.metadata().catch(() => ({ format: undefined }))
  if (format !== 'png' && format !== 'jpeg') return undefined
  const bytes = await decoded
    .png({ compressionLevel: 1 })
    .toBuffer()
    .catch(() => undefined)
  return bytes && new Blob([new Uint8Array(bytes)], { type: 'image/png' })
}

export const clipboard = strict('clipboard', {
  async read() {
    if (recorded.copiedElsewhere) {
      held = recorded.copiedElsewhere
      recorded.copiedElsewhere = null
    }
    const types = Object.keys(onWayland ? known : held)
    await new Promise((resolve) => setTimeout(resolve, HANDOVER_MS))
    return [readItem(types) as unknown as E.ClipboardItem]
  },
  async write([item]: E.ClipboardItem[]) {
    const { items = {} } = (item as unknown as ClipboardItem | undefined) ?? {}
    const written: Items = {}
    for (const [type, value] of Object.entries(items)) {
      if (!type.startsWith('image/')) written[type] = value
      else {
        const png = await asPng(new Blob([value]))
        if (png) written['image/png'] = png
      }
    }
    held = written
  },
  async writeText(text: string) {
    held = { 'text/plain': text }
  },
  readText: async () => String(held['text/plain'] ?? ''),
  clear() {
    held = {}
  }
}) satisfies Partial<E.Clipboard>

/** A utility process: Node's child process whose IPC stands in for the parent port. */
class UtilityProcess extends EventEmitter {
  private readonly child: ChildProcess

  constructor(path: string) {
    super()
    const port = new URL('../../tests/support/electron/parent-port.js', import.meta.url).href
    // Without what starts the stand-in.
    const { NODE_OPTIONS: _, ...env } = process.env
    this.child = fork(path, {
      env,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Messages are structured clones, as Electron's are.
      serialization: 'advanced',
      execArgv: ['--import', port]
    })
    this.child.on('message', (message) => this.emit('message', message))
    this.child.on('close', (code) => this.emit('exit', code ?? 1))
    this.child.on('error', () => this.emit('exit', 1))
  }

  postMessage(message: unknown) {
    this.child.send(message as object, () => {})
  }

  kill() {
    return this.child.kill('SIGTERM')
  }
}

let ready = false

/** From now on there can be utility processes. */
export function allowProcesses(): void {
  ready = true
}

export const utilityProcess = strict('utilityProcess', {
  fork(path: string) {
    if (!ready) throw new Error('utilityProcess cannot be created before app is ready.')
    return new UtilityProcess(path) as unknown as E.UtilityProcess
  }
}) satisfies Partial<typeof E.utilityProcess>
