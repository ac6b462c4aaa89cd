import { EventEmitter } from 'node:events'
import type { Page } from '@playwright/test'
import type * as E from 'electron'
import { strict } from './strict.ts'

let lastId = 0

/** A window's contents: a page of Chromium. */
export class WebContents extends EventEmitter {
  readonly id = ++lastId
  readonly mainFrame = { url: '', origin: '' }
  openHandler: ((details: E.HandlerDetails) => E.WindowOpenHandlerResponse) | undefined
  loading = true
  zoomMode = 'default'
  private readonly findPage: () => Promise<Page>
  private readonly openAnew: () => Promise<void>
  private hasCrashed = false

  constructor(findPage: () => Promise<Page>, openAnew: () => Promise<void>) {
    super()
    this.findPage = findPage
    this.openAnew = openAnew
  }

  private get page(): Promise<Page> {
    return this.findPage()
  }

  setWindowOpenHandler(handler: (details: E.HandlerDetails) => E.WindowOpenHandlerResponse) {
    this.openHandler = handler
  }

  isLoading() {
    return this.loading
  }

  /** By itself a page's zoom is that of every page of its origin (electron.d.ts, setZoomLevel). */
  setZoomMode(mode: Parameters<E.WebContents['setZoomMode']>[0]) {
    this.zoomMode = mode
  }

  /** The page's process is gone of itself. */
  crashed() {
    this.hasCrashed = true
    this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 11 })
  }

  reload() {
    void this.mayUnload()
      .then(async (may) => {
        if (!may) return
        if (!this.hasCrashed) return void (await (await this.page).reload())
        this.hasCrashed = false
        await this.openAnew()
      })
      .catch(() => {})
      .finally(() => this.emit('did-stop-loading'))
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.page
    if (await this.mayUnload()) await page.goto(url)
  }

  readonly navigationHistory = strict('navigationHistory', {
    canGoBack: () => true,
    canGoForward: () => true,
    goBack: () => void this.page.then((page) => page.goBack()),
    goForward: () => void this.page.then((page) => page.goForward())
  })

  /**
   * Whether the page lets go, or the app makes it: without an answer it stays (electron_api_web_contents.cc,
   * RunBeforeUnloadDialog). Chromium asks only pages that somebody has used; here all are.
   */
  async mayUnload(): Promise<boolean> {
    if (this.hasCrashed) return true
    const page = await this.page
    const minds = await page
      .evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
      .catch(() => false)
    if (!minds) return true
    let may = false
    this.emit('will-prevent-unload', { preventDefault: () => (may = true) })
    return may
  }

  /** The page's process is gone; what it showed stays until it is loaded anew. */
  forcefullyCrashRenderer() {
    this.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 })
  }

  send(channel: string, ...args: unknown[]) {
    void this.page
      .then((page) =>
        page.evaluate(
          ([name, values]) => {
            const tell = (window as unknown as { standInTell(name: string, ...values: unknown[]): void }).standInTell
            tell(name, ...values)
          },
          [channel, args] as const
        )
      )
      .catch(() => {})
  }
}
