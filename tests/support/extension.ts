/** A real Chromium with the extension, connected to the built program. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type CDPSession, chromium, expect, type Page, type Worker } from '@playwright/test'
import { AXE } from './accessible.ts'
import { runCommand, startEarmark, withoutKeychain } from './earmark.ts'
import { freePort } from './http.ts'
import { chromiumPath } from './tools.ts'

const root = join(import.meta.dirname, '../..')
const built = join(root, 'out/extension/chromium')
const screens = join(root, 'tests/.results/screenshots')

/** A person's machine: a home with Chromium's profile, and a library that no service has open at first. */
export interface Machine {
  home: string
  data: string
  env: NodeJS.ProcessEnv
  /** Runs a command that must succeed. @returns its output */
  earmark(...args: string[]): Promise<string>
  /** The service's process id; `undefined` if none runs. */
  pid(): number | undefined
  stopService(): Promise<void>
  remove(): Promise<void>
}

/** A machine whose Chromium is connected to Earmark. */
export async function connectedMachine(): Promise<Machine> {
  const home = await mkdtemp(join(tmpdir(), 'earmark-browser-'))
  const data = join(home, 'data')
  const env = { ...withoutKeychain, HOME: home, XDG_CONFIG_HOME: join(home, '.config') }
  const earmark = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand([...args, '--data', data], env)
    expect(code, stderr).toBe(0)
    return stdout
  }
  const pid = () => {
    try {
      return (JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')) as { pid: number }).pid
    } catch {
      return undefined // A service that ends removes the file.
    }
  }
  const stopService = async () => {
    const number = pid()
    if (number === undefined) return
    process.kill(number, 'SIGTERM')
    await expect.poll(pid).toBeUndefined()
  }
  await chooseOwnPort(data, env)
  await earmark('connect', 'chromium')
  const remove = async () => {
    await stopService()
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  return { home, data, env, earmark, pid, stopService, remove }
}

/** Every later service of this library uses a free port and fetches no pages. */
async function chooseOwnPort(data: string, env: NodeJS.ProcessEnv): Promise<void> {
  const service = await startEarmark(data, [], { env, afterwards: () => {} })
  const { token } = JSON.parse(await readFile(join(data, 'service.json'), 'utf8')) as { token: string }
  const response = await fetch(`${service.url}/api/settings`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ port: await freePort(), fetchDetails: false })
  })
  expect(response.ok).toBe(true)
  await service.end('SIGTERM')
}

/** Serves a few sites on one port of this machine. */
export async function startSites(answer: (address: string, cookie: string) => string | undefined): Promise<Server> {
  const server = createServer((request, response) => {
    const page = answer(`${request.headers.host}${request.url}`, request.headers.cookie ?? '')
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** A real Chromium with the extension in it. */
export interface ExtendedBrowser {
  context: BrowserContext
  id: string
  background: Worker
  /** Clicks the extension's button on the tab, and returns the popup. */
  openPopup(page: Page): Promise<Popup>
  /** The same on the tab with this address, which may be in a private window. */
  openPopupAt(address: string): Promise<Popup>
  /** The button's badge and title on a tab. */
  badge(page: Page): Promise<{ text: string; title: string }>
  close(): Promise<void>
}

/**
 * Starts the browser. Returns `undefined` if it is too old to click an extension's button.
 *
 * @param change changes the manifest of the built extension before it is loaded
 */
export async function launchExtended(
  { home, env }: Pick<Machine, 'home' | 'env'>,
  sites: Server,
  change?: (manifest: Record<string, unknown>) => Record<string, unknown>
): Promise<ExtendedBrowser | undefined> {
  const folder = change ? await changedCopy(home, change) : built
  const { port } = sites.address() as AddressInfo
  const context = await chromium.launchPersistentContext(join(home, '.config/chromium'), {
    executablePath: chromiumPath({ loadsExtensions: true }),
    env: env as Record<string, string>,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Large enough for popups.
      '--screen-info={1600x1200}',
      // Allows a click on a button of the browser itself.
      '--enable-unsafe-extension-debugging',
      `--host-resolver-rules=MAP *.example 127.0.0.1:${port}, MAP * ~NOTFOUND`
    ]
  })
  const browser = context.browser()
  if (!browser) throw new Error('Chromium has no browser session.')
  const session = await browser.newBrowserCDPSession()
  // These methods are newer than Playwright's types.
  const send = session.send.bind(session) as Send
  if (!(await knowsButtons(send))) {
    await context.close()
    return undefined
  }
  const { id } = (await send('Extensions.loadUnpacked', { path: folder, enableInIncognito: true })) as { id: string }
  const background =
    context.serviceWorkers().find((worker) => worker.url().includes(id)) ??
    (await context.waitForEvent('serviceworker'))
  // Before that it receives no events.
  // biome-ignore lint/suspicious/noExplicitAny: a worker's own globals
  const state = () => background.evaluate(() => (globalThis as any).registration.active?.state)
  await expect.poll(state).toBe('activated')
  const tabsAt = async (address: string) => {
    const { targetInfos } = (await send('Target.getTargets', { filter: [{ type: 'tab' }] })) as unknown as Targets
    return targetInfos.filter(({ url }) => url === address)
  }
  const openPopupAt = async (address: string) => {
    await expect.poll(async () => (await tabsAt(address)).length).toBeGreaterThan(0)
    const [tab] = await tabsAt(address)
    await send('Extensions.triggerAction', { id, targetId: tab?.targetId })
    return Popup.find(session, id)
  }
  return {
    context,
    id,
    background,
    openPopupAt,
    async openPopup(page) {
      await page.bringToFront()
      return openPopupAt(page.url())
    },
    badge: (page) => badgeOf(background, page),
    close: () => context.close()
  }
}

type Send = (method: string, params?: object) => Promise<Record<string, unknown>>

async function knowsButtons(send: Send): Promise<boolean> {
  return send('Extensions.triggerAction', { id: '', targetId: '' }).then(
    () => true,
    (error: Error) => !error.message.includes("wasn't found")
  )
}

interface Targets {
  targetInfos: { targetId: string; type: string; url: string }[]
}

async function changedCopy(
  home: string,
  change: (manifest: Record<string, unknown>) => Record<string, unknown>
): Promise<string> {
  const copy = await mkdtemp(join(home, 'extension-'))
  await cp(built, copy, { recursive: true })
  const file = join(copy, 'manifest.json')
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')))))
  return copy
}

/** Reads the badge in the background worker, which has access to it. The tab must be in front. */
async function badgeOf(background: Worker, page: Page): Promise<{ text: string; title: string }> {
  await page.bringToFront()
  return background.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the extension's own types stop at what it uses
    const { tabs, action } = (globalThis as any).chrome
    const [tab] = await tabs.query({ active: true, lastFocusedWindow: true })
    const tabId = tab.id
    return { text: await action.getBadgeText({ tabId }), title: await action.getTitle({ tabId }) }
  })
}

/** The extension's popup. It is not a tab, so developer tools drive it. */
export class Popup {
  readonly #session: CDPSession
  readonly #sessionId: string
  readonly #targetId: string
  #asked = 0

  private constructor(session: CDPSession, sessionId: string, targetId: string) {
    this.#session = session
    this.#sessionId = sessionId
    this.#targetId = targetId
  }

  static async find(session: CDPSession, id: string): Promise<Popup> {
    const address = `chrome-extension://${id}/popup/index.html`
    let targetId = ''
    const look = async () => {
      const { targetInfos } = (await session.send('Target.getTargets')) as Targets
      targetId = targetInfos.find(({ url }) => url === address)?.targetId ?? ''
      return targetId
    }
    await expect.poll(look).not.toBe('')
    const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false })
    const popup = new Popup(session, sessionId, targetId)
    await expect.poll(() => popup.evaluate('document.readyState')).toBe('complete')
    return popup
  }

  /** Runs JavaScript and returns its value. */
  async evaluate(code: string): Promise<unknown> {
    const params = { expression: code, awaitPromise: true, returnByValue: true }
    const answer = (await this.send('Runtime.evaluate', params)) as {
      result: { value: unknown }
      exceptionDetails?: unknown
    }
    if (answer.exceptionDetails) throw new Error(JSON.stringify(answer.exceptionDetails))
    return answer.result.value
  }

  /** Returns the value or the text of an element by its id. */
  read(id: string): Promise<unknown> {
    return this.evaluate(`(({ value, textContent }) => value || textContent)(document.getElementById('${id}'))`)
  }

  /** Waits for the message after saving; the popup closes soon after. */
  outcome(): Promise<unknown> {
    return this.evaluate(`new Promise((resolve) => {
      const state = document.getElementById('state')
      const look = () => /\\.$/.test(state.textContent) && resolve(state.textContent)
      new MutationObserver(look).observe(state, { childList: true })
    })`)
  }

  /** Closes it, because the next test must not take this popup for its own. */
  async close(): Promise<void> {
    await this.#session.send('Target.closeTarget', { targetId: this.#targetId })
    const isOpen = async () => {
      const { targetInfos } = (await this.#session.send('Target.getTargets')) as Targets
      return targetInfos.some(({ targetId }) => targetId === this.#targetId)
    }
    await expect.poll(isOpen).toBe(false)
  }

  isShown(id: string): Promise<unknown> {
    return this.evaluate(`document.getElementById('${id}').checkVisibility()`)
  }

  async focus(id: string): Promise<void> {
    await this.evaluate(`document.getElementById('${id}').focus()`)
  }

  async click(id: string): Promise<void> {
    await this.evaluate(`document.getElementById('${id}').click()`)
  }

  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text })
  }

  async press(key: 'Enter' | 'ArrowDown' | 'ArrowRight' | 'Backspace' | 'Escape'): Promise<void> {
    const code = { Enter: 13, ArrowDown: 40, ArrowRight: 39, Backspace: 8, Escape: 27 }[key]
    const text = key === 'Enter' ? '\r' : undefined
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code: key, windowsVirtualKeyCode: code, text })
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, windowsVirtualKeyCode: code })
  }

  /** Runs axe. */
  async violations(): Promise<unknown> {
    await this.evaluate(`${AXE}; undefined`)
    return this.evaluate(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`
    )
  }

  /** Saves a screenshot in light and in dark. */
  async screenshots(name: string): Promise<void> {
    // The browser resizes it to its content.
    await expect
      .poll(() => this.evaluate('Math.abs(innerHeight - document.body.offsetHeight) < 2 && innerWidth === 380'))
      .toBe(true)
    for (const value of ['light', 'dark']) {
      const features = [{ name: 'prefers-color-scheme', value }]
      await this.send('Emulation.setEmulatedMedia', { features })
      const { data } = (await this.send('Page.captureScreenshot', { format: 'png' })) as { data: string }
      await writeFile(join(screens, `${name}-${value}.png`), Buffer.from(data, 'base64'))
    }
  }

  async send(method: string, params: object): Promise<unknown> {
    const id = ++this.#asked
    const answered = new Promise<unknown>((resolve, reject) => {
      const take = ({ sessionId, message }: { sessionId: string; message: string }) => {
        const answer = JSON.parse(message)
        if (sessionId !== this.#sessionId || answer.id !== id) return
        this.#session.off('Target.receivedMessageFromTarget', take)
        if (answer.error) reject(new Error(`${method}: ${answer.error.message}`))
        else resolve(answer.result)
      }
      this.#session.on('Target.receivedMessageFromTarget', take)
    })
    const message = JSON.stringify({ id, method, params })
    await this.#session.send('Target.sendMessageToTarget', { sessionId: this.#sessionId, message })
    return answered
  }
}
