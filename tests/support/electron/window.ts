import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Page, Request, Route } from '@playwright/test'
import type * as E from 'electron'
import { browser } from './browser.ts'
import { learnClipboard } from './desktop-parts.ts'
import { invoke } from './ipc.ts'
import { preloadWorld } from './preload-world.ts'
import { onWayland } from './pretend.ts'
import { recorded } from './recorded.ts'
import { completed, pagesMay } from './session.ts'
import { strict } from './strict.ts'
import { WebContents } from './web-contents.ts'

let lastId = 0
let ready = false

/** From now on windows can be made. */
export function allowWindows(): void {
  ready = true
}

/** A window: a page of Chromium, hidden or not only by what it says. */
export class BrowserWindow extends EventEmitter {
  private static all: BrowserWindow[] = []
  static getAllWindows() {
    return BrowserWindow.all.slice()
  }

  readonly id = ++lastId
  readonly webContents: WebContents
  readonly options: E.BrowserWindowConstructorOptions
  private page: Promise<Page>
  private shown: Page | undefined
  private readonly made = performance.now()
  private visible: boolean
  private maximized = false
  private minimized = false
  private destroyed = false
  private starting = false
  private focused = false
  private drawn = false
  private bounds: E.Rectangle

  constructor(options: E.BrowserWindowConstructorOptions = {}) {
    super()
    if (!ready) throw new Error('Cannot create BrowserWindow before app is ready')
    this.options = options
    this.visible = options.show !== false
    this.bounds = { x: options.x ?? 40, y: options.y ?? 40, width: options.width ?? 800, height: options.height ?? 600 }
    this.page = this.open()
    this.page.catch((error) => console.error('the stand-in made no page:', error))
    this.webContents = strict(
      'webContents',
      new WebContents(
        () => this.page,
        () => this.openAnew()
      )
    )
    BrowserWindow.all.push(this)
    // biome-ignore lint/correctness/noConstructorReturn: what a test or the app reads must be there
    return strict('BrowserWindow', this)
  }

  private async open(): Promise<Page> {
    const page = await (await browser()).newPage()
    const { width, height } = this.bounds
    await page.setViewportSize({ width, height })
    await page.exposeBinding('standInCall', async ({ frame }, kind: string, name: string, args: unknown[]) => {
      const { mainFrame } = this.webContents
      const senderFrame = frame === page.mainFrame() ? mainFrame : { url: '', origin: '' }
      Object.assign(senderFrame, { url: frame.url(), origin: new URL(frame.url()).origin })
      if (kind === 'may') return pagesMay(name)
      if (kind === 'leave') return this.leave(name)
      // A frame that is gone by now (electron.d.ts, IpcMainInvokeEvent).
      if (kind === 'gone') return invoke(callFrom(this.webContents, null), name, args)
      if (kind === 'open') return void this.webContents.openHandler?.({ url: name } as E.HandlerDetails)
      return invoke(callFrom(this.webContents, senderFrame), name, args)
    })
    // Written out, not evaluated: the page's own content policy would stop that.
    const preload = this.options.webPreferences?.preload
    const source = preload ? readFileSync(preload, 'utf8') : ''
    const mayUse = `(permission) => window.standInCall('may', permission, [])`
    await page.addInitScript(`(${preloadWorld})((require, module, exports) => {${source}\n}, ${mayUse})`)
    await page.route('**/*', (route) => this.meet(page, route))
    page.on('response', (response) => completed(response.url(), response.status(), this.webContents.id))
    page.on('load', () => {
      this.webContents.loading = false
      this.webContents.emit('did-finish-load')
      this.webContents.emit('did-stop-loading')
    })
    page.on('close', () => page === this.shown && this.gone())
    page.on('crash', () => this.webContents.crashed())
    this.shown = page
    return page
  }

  /** To Playwright a page that crashed stays so: another one takes its place. */
  private async openAnew(): Promise<void> {
    const crashed = await this.page
    this.page = this.open()
    const page = await this.page
    await page.goto(crashed.url())
    await crashed.close()
  }

  /** Asks the app about a navigation that a page began; what the app loads itself it is not asked about. */
  private async meet(page: Page, route: Route): Promise<void> {
    const request = route.request()
    if (!request.isNavigationRequest() || this.starting || reloads(page, request)) return route.fallback()
    if (this.stops(request.url(), request.frame() === page.mainFrame())) await route.abort('aborted')
    else await route.fallback()
  }

  /** A link to another program. Where nothing stops it Electron asks whether it may open it. */
  private leave(url: string): void {
    if (!this.stops(url, true) && pagesMay('openExternal')) recorded.opened.push(url)
  }

  /** In Electron's order: what the first event stops does not get to the second. */
  private stops(url: string, isMainFrame: boolean): boolean {
    let stopped = false
    const event = { url, isMainFrame, preventDefault: () => (stopped = true) }
    this.webContents.emit('will-frame-navigate', event)
    if (isMainFrame && !stopped) this.webContents.emit('will-navigate', event)
    return stopped
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.page
    this.starting = true
    await page.goto(url).finally(() => {
      this.starting = false
    })
    this.drawn = true
    // On Wayland what nobody sees is never drawn (electron/electron#48859).
    if (!onWayland || this.visible) this.emit('ready-to-show')
  }

  show() {
    if (this.visible) return
    this.visible = true
    this.emit('show')
    if (onWayland && this.drawn) this.emit('ready-to-show')
    // The system decides about the focus, and says so later.
    setTimeout(() => this.takeFocus(), FOCUS_MS)
  }

  private takeFocus() {
    if (!this.visible || this.destroyed || process.env.STAND_IN_NO_FOCUS === '1') return
    for (const other of BrowserWindow.all) other.focused = false
    this.focused = true
    learnClipboard()
    this.emit('focus')
  }

  hide() {
    this.visible = false
    this.focused = false
    this.emit('hide')
  }

  focus() {
    void this.page.then((page) => page.bringToFront()).catch(() => {})
    if (this.visible) setTimeout(() => this.takeFocus(), FOCUS_MS)
  }

  isFocused() {
    return this.focused
  }

  restore() {
    this.minimized = false
  }

  /** Shows the window too, loaded or not (electron.d.ts, maximize). */
  maximize() {
    this.maximized = true
    if (!this.visible && this.webContents.loading) recorded.blank.push(performance.now() - this.made)
    this.show()
  }

  minimize() {
    this.minimized = true
  }

  isVisible() {
    return this.visible && !this.destroyed
  }

  isMinimized() {
    return this.minimized
  }

  isMaximized() {
    return this.maximized
  }

  isDestroyed() {
    return this.destroyed
  }

  getNormalBounds(): E.Rectangle {
    return this.bounds
  }

  getBounds(): E.Rectangle {
    return this.bounds
  }

  setBounds(bounds: Partial<E.Rectangle>) {
    this.bounds = { ...this.bounds, ...bounds }
  }

  close() {
    void this.closed()
  }

  /** Asks the app first and then the page; gives whether it closed. */
  async closed(): Promise<boolean> {
    let stopped = false
    this.emit('close', { preventDefault: () => (stopped = true) })
    if (stopped || this.destroyed || !(await this.webContents.mayUnload())) return this.destroyed
    this.destroy()
    return true
  }

  destroy() {
    void this.page.then((page) => page.close()).catch(() => {})
    this.gone()
  }

  private gone() {
    if (this.destroyed) return
    this.destroyed = true
    BrowserWindow.all = BrowserWindow.all.filter((window) => window.id !== this.id)
    this.emit('closed')
  }
}

/** How long a window waits for its focus, in milliseconds. */
const FOCUS_MS = 10

function callFrom(sender: WebContents, senderFrame: object | null): E.IpcMainInvokeEvent {
  return { sender, senderFrame } as unknown as E.IpcMainInvokeEvent
}

function reloads(page: Page, request: Request): boolean {
  return request.frame() === page.mainFrame() && request.url() === page.url()
}
