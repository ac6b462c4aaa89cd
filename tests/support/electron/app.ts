import { EventEmitter } from 'node:events'
import { type FSWatcher, mkdirSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type * as E from 'electron'
import manifest from '../../../package.json' with { type: 'json' }
import { closeBrowser } from './browser.ts'
import { platform } from './pretend.ts'
import { recorded } from './recorded.ts'
import { strict } from './strict.ts'
import { BrowserWindow } from './window.ts'

let markReady = () => {}
const whenReady = new Promise<void>((resolve) => {
  markReady = resolve
})

/** The app's life: one instance for a folder, ready, quitting in Electron's order of events. */
class App extends EventEmitter {
  isPackaged = process.env.STAND_IN_PACKAGED === '1'
  /** On macOS only. */
  dock = platform === 'darwin' ? strict('dock', { hide: hideDock }) : undefined
  private readonly paths = new Map([
    ['userData', join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'Earmark')]
  ])
  private quitting = false
  private ended = false
  private lock: string | undefined
  private watcher: FSWatcher | undefined

  whenReady() {
    return whenReady
  }

  setPath(name: string, path: string) {
    this.paths.set(name, path)
  }

  getAppPath() {
    return join(import.meta.dirname, '../..')
  }

  setAppUserModelId(_id: string) {}

  getPreferredSystemLanguages() {
    return (process.env.STAND_IN_LANGUAGES ?? 'en-US').split(',')
  }

  /** Chromium's own switches; the browser that stands in resolves these names by itself. */
  commandLine = strict('commandLine', {
    appendSwitch: (_name: string, _value?: string) => {}
  } as unknown as E.CommandLine)

  /** Chromium makes its profile when it starts, whatever it was started for. */
  makeProfile() {
    mkdirSync(join(this.paths.get('userData') ?? '', 'Session Storage'), { recursive: true })
  }

  /**
   * Windows keeps the whole command, and compares it (browser_win.cc). macOS registers the bundle that runs, whatever
   * path it is given, and where it refuses tells only the log (browser_mac.mm; SetLoginItemEnabled in
   * platform_util_mac.mm).
   */
  setLoginItemSettings({ openAtLogin = false, path = process.execPath, args = [] }: E.Settings) {
    if (process.env.STAND_IN_NO_LOGIN_ITEM === '1') return
    recorded.loginItem = openAtLogin ? commandOf(path, args) : null
  }

  getLoginItemSettings({ path = process.execPath, args = [] }: E.LoginItemSettingsOptions = {}) {
    const openAtLogin = recorded.loginItem === commandOf(path, args)
    return { openAtLogin, wasOpenedAtLogin: process.env.STAND_IN_AT_LOGIN === '1' } as E.LoginItemSettings
  }

  /** On Linux GIO must know the program's desktop entry, of which it hears after a while (browser_linux.cc). */
  setAsDefaultProtocolClient(protocol: string) {
    const taken = platform !== 'linux' || this.isPackaged || knowsEntry()
    if (taken) recorded.protocols.push(protocol)
    return taken
  }

  /** A folder that the first instance makes; the others leave what they want in it. */
  requestSingleInstanceLock(wanted: object = {}) {
    const folder = join(this.paths.get('userData') ?? '', 'stand-in-lock')
    try {
      mkdirSync(folder)
    } catch {
      if (isAlive(folder)) {
        const note = { args: process.argv, folder: process.cwd(), wanted }
        writeFileSync(join(folder, `.${process.pid}`), JSON.stringify(note))
        return false
      }
    }
    writeFileSync(join(folder, 'pid'), String(process.pid))
    this.lock = folder
    this.watcher = watch(folder, () => this.readNotes(folder)).unref()
    return true
  }

  private readNotes(folder: string) {
    for (const name of readdirSync(folder).filter((one) => one.startsWith('.'))) {
      try {
        const note = JSON.parse(readFileSync(join(folder, name), 'utf8'))
        rmSync(join(folder, name))
        this.emit('second-instance', {}, note.args, note.folder, note.wanted)
      } catch {
        // Half written, or read already: there is another event to come.
      }
    }
  }

  /** One window that does not close, for the app's sake or its page's, ends it: without a word (browser.cc). */
  quit() {
    if (this.ended || this.quitting || this.stopped('before-quit')) return
    this.quitting = true
    void this.closeWindows().then((closed) => {
      this.quitting = false
      if (closed && !this.stopped('will-quit')) this.exit(0)
    })
  }

  private async closeWindows(): Promise<boolean> {
    const closed = await Promise.all(BrowserWindow.getAllWindows().map((window) => window.closed()))
    return closed.every(Boolean)
  }

  exit(code = 0) {
    if (this.ended) return
    this.ended = true
    this.watcher?.close()
    this.emit('quit', {}, code)
    if (this.lock) rmSync(this.lock, { recursive: true, force: true })
    void closeBrowser().finally(() => process.exit(code))
  }

  private stopped(event: string): boolean {
    let stopped = false
    this.emit(event, { preventDefault: () => (stopped = true) })
    return stopped
  }
}

export const app = strict('app', new App()) satisfies Partial<
  Omit<E.App, keyof EventEmitter | 'dock' | 'requestSingleInstanceLock'>
>

/** Once the entry module has run, as in Electron. */
export function becomeReady(): void {
  app.makeProfile()
  app.emit('ready', {}, {})
  markReady()
}

function hideDock(): void {
  recorded.dock = false
}

/** As FormatCommandLineString in browser_win.cc joins them. */
function commandOf(path: string, args: string[]): string {
  if (platform === 'darwin') return process.execPath
  return [path.replace(/^"(.*)"$/, '$1'), ...args].map(quoteArgument).join(' ')
}

/** AddQuoteForArg in command_line_util_win.cc: backslashes count double before a quote, and at the end. */
function quoteArgument(argument: string): string {
  if (!/[ \\"]/.test(argument)) return argument
  return `"${argument.replace(/(\\*)("|$)/g, '$1$1$2').replaceAll('"', '\\"')}"`
}

/** How long GIO's monitor of files takes, in milliseconds. */
const MONITOR_MS = 300

function knowsEntry(): boolean {
  const folder = process.env.XDG_DATA_HOME || join(homedir(), '.local/share')
  const entry = statSync(join(folder, 'applications', manifest.desktopName), { throwIfNoEntry: false })
  return entry !== undefined && Date.now() - entry.mtimeMs > MONITOR_MS
}

function isAlive(folder: string): boolean {
  try {
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 0)
    return true
  } catch {
    return false
  }
}
