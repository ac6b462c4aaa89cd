import { EventEmitter } from 'node:events'
import { type FSWatcher, mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as E from 'electron'
import { closeBrowser } from './browser.ts'
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
  dock = undefined
  private readonly paths = new Map<string, string>()
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

  setDesktopName(_name: string) {}
  setAppUserModelId(_id: string) {}

  setAsDefaultProtocolClient(protocol: string) {
    recorded.protocols.push(protocol)
    return true
  }

  hide() {
    recorded.hidden += 1
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

  quit() {
    if (this.ended || this.stopped('before-quit')) return
    for (const window of BrowserWindow.getAllWindows()) window.close()
    if (BrowserWindow.getAllWindows().length > 0) return // one of them would not
    if (!this.stopped('will-quit')) this.exit(0)
  }

  exit(code = 0) {
    if (this.ended) return
    this.ended = true
    this.watcher?.close()
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
  app.emit('ready', {}, {})
  markReady()
}

function isAlive(folder: string): boolean {
  try {
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 0)
    return true
  } catch {
    return false
  }
}
