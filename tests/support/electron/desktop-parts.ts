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
let held: Record<string, string | Blob> = {}

/** On Wayland what was copied in other programs is told to who has the focus (wl_data_device); until then it is this. */
let known: Record<string, string | Blob> = {}

/** Called when a window gets the focus. */
export function learnClipboard(): void {
  known = held
}

/** Whoever owns what was copied takes its time to hand it over. */
const HANDOVER_MS = Number(process.env.STAND_IN_CLIPBOARD_MS ?? 0)

export class ClipboardItem {
  readonly types: string[]
  private readonly items: Record<string, string | Blob>

  constructor(items: Record<string, string | Blob>) {
    this.items = items
    this.types = Object.keys(items)
  }

  async getType(type: string): Promise<Blob> {
    const value = this.items[type]
    if (value === undefined) throw new Error(`no ${type} here`)
    return value instanceof Blob ? value : new Blob([value], { type })
  }
}

export const clipboard = strict('clipboard', {
  async read() {
    const items = onWayland ? known : held
    await new Promise((resolve) => setTimeout(resolve, HANDOVER_MS))
    return Object.keys(items).length > 0 ? [new ClipboardItem(items) as unknown as E.ClipboardItem] : []
  },
  async write(items: E.ClipboardItem[]) {
    held = { ...(items[0] as unknown as { items: Record<string, string | Blob> } | undefined)?.items }
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
      execArgv: ['--import', port]
    })
    this.child.on('message', (message) => this.emit('message', message))
    this.child.on('exit', (code) => this.emit('exit', code ?? 1))
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
