/** Playwright's test with a running service, and what specs do with its pages. */
import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
  type WebError
} from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { callTool, runJson, startEarmark, withoutKeychain } from './earmark.ts'
import { freePort, rawRequest } from './http.ts'
import { startKeyring, withoutDesktop } from './keyring.ts'
import type { HostAnswer, HostRequest } from './service-host.ts'
import { hasKeyring } from './tools.ts'

/** The library of tests that choose none. */
export const PAGES = ['https://a.example/', 'https://b.example/', 'https://c.example/']

/** A running service on a library of its own. */
export interface RunningService {
  /** The dashboard's address, for browsers. */
  url: string
  mcp: string
  /** The first login link. */
  login: string
  data: string
  /** The token of commands. */
  token: string
  /** Creates another login link, as the owner's command does. */
  newLogin(): Promise<string>
  /** Opens the dashboard in a tab that is logged in, without the login page. */
  open(page: Page, path?: string): Promise<void>
  /** Calls the API as the command line does. `path` is relative to `/api`. */
  ask<T>(path: string, body?: object, method?: string): Promise<T>
  /** Saves these addresses over the endpoint, as an editor's agent does. */
  insert(...urls: string[]): Promise<void>
}

/** The address of a service, and the token of commands. */
interface Facts {
  url: string
  data: string
  login: string
  token: string
}

/** The same for all tests, so that the browser compiles the page's files only once. */
const DASHBOARD_HOST = `${'e2e0'.repeat(8)}.localhost`

interface SharedContext {
  context: BrowserContext
  /** The port of its service in every test. */
  port: number
  /** An empty page that stays open. */
  keeper: Page
  /** Removes what pages have stored. */
  forget(): Promise<void>
}

interface WorkerFixtures {
  /** A data folder whose library has these pages, made once for all tests that start with the same pages. */
  library: (pages: string[]) => Promise<string>
  /** The context and port of one test after the other, so that the browser keeps its compiled code. */
  shared: SharedContext
  /** Makes the process that serves libraries open or close one. */
  host: (work: HostRequest['work'], data: string, port: number) => Promise<HostAnswer>
}

interface Fixtures {
  /** Addresses in the library at the start. */
  pages: string[]
  /** Whether the test needs a browser context without earlier tabs. */
  ownContext: boolean
  /** Whether the built program serves the library, in a process of its own. */
  program: boolean
  /** Whether the built program serves the library and has a real keychain. */
  keychain: boolean
  service: RunningService
  /** Errors, warnings and content policy violations on any page. A test that provokes some empties the array. */
  complaints: string[]
}

/**
 * Playwright's test with a running service. A test fails if a page reports an error, or if axe finds a problem in the
 * pages that the test leaves open.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  pages: [PAGES, { option: true }],
  ownContext: [false, { option: true }],
  program: [false, { option: true }],
  keychain: [false, { option: true }],
  context: async ({ browser, shared, ownContext }, use, { retry }) => {
    // A retry uses nothing of earlier tests, and records a trace.
    if (ownContext || retry > 0) {
      const fresh = await newContext(browser)
      await use(fresh)
      return fresh.close()
    }
    await use(shared.context)
    await leavePages(shared.context, shared)
    await shared.context.clearPermissions()
    await shared.forget()
  },
  service: async ({ pages, library, program, keychain, host, context, shared }, use, info) => {
    info.skip(keychain && !hasKeyring(), 'no keyring')
    const data = await mkdtemp(join(tmpdir(), 'earmark-e2e-'))
    try {
      if (pages.length > 0) await cp(await library(pages), data, { recursive: true })
      await writeFile(join(data, 'dashboard-host'), DASHBOARD_HOST)
      const serve = async (facts: Facts) => {
        await use(running(facts))
        if (info.status === info.expectedStatus) {
          for (const page of context.pages().filter(isOfDashboard)) await expectAccessible(page, info.title)
        }
        await leavePages(context, shared)
      }
      if (program || keychain) await withProgram(data, keychain, serve)
      else {
        await serve(await host('open', data, shared.port))
        expect((await host('close', data, shared.port)).bugs).toEqual([])
      }
    } finally {
      await rm(data, { recursive: true, force: true })
    }
  },
  shared: [
    async ({ browser }, use) => {
      const context = await newContext(browser)
      const port = await freePort()
      const keeper = await context.newPage()
      const storage = await context.newCDPSession(keeper)
      const origin = `http://${DASHBOARD_HOST}:${port}`
      const storageTypes = 'cookies,local_storage,indexeddb'
      await use({
        context,
        port,
        keeper,
        forget: async () => void (await storage.send('Storage.clearDataForOrigin', { origin, storageTypes }))
      })
      await context.close()
    },
    { scope: 'worker' }
  ],
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its parameters' names
    async ({}, use) => {
      const child = fork(join(import.meta.dirname, '../../out/tests/service-host.js'))
      await use(async (work, data, port) => {
        child.send({ work, data, port } satisfies HostRequest)
        for await (const [answer] of on(child, 'message') as AsyncIterable<[HostAnswer]>) {
          if (answer.data === data) return answer
        }
        throw new Error('the process that serves libraries has ended')
      })
      child.disconnect()
      await once(child, 'exit')
    },
    { scope: 'worker' }
  ],
  library: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its parameters' names
    async ({}, use) => {
      const folders = new Map<string, Promise<string>>()
      await use((pages) => {
        const key = pages.join('\n')
        const folder = folders.get(key) ?? importPages(pages)
        folders.set(key, folder)
        return folder
      })
      for (const folder of folders.values()) await rm(await folder, { recursive: true, force: true })
    },
    { scope: 'worker' }
  ],
  complaints: [
    async ({ context }, use) => {
      const complaints: string[] = []
      const onError = (error: WebError) => complaints.push(String(error.error()))
      const onConsole = (message: ConsoleMessage) => {
        const refused = message.text().startsWith('Failed to load resource')
        if (['error', 'warning'].includes(message.type()) && !refused) complaints.push(message.text())
      }
      context.on('weberror', onError).on('console', onConsole)
      await use(complaints)
      context.off('weberror', onError).off('console', onConsole)
      expect(complaints).toEqual([])
    },
    { auto: true }
  ]
})

export { expect }

/** The list of bookmarks. */
export function listOf(page: Page): Locator {
  return page.getByRole('grid')
}

/** Checks a state of the page that its test passes through, and photographs it. */
export async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page, name)
  await screenshots(page, name)
}

const screens = join(import.meta.dirname, '../.results/screenshots')

/**
 * Saves the page in light and in dark into `tests/.results/screenshots`; in `npm run test:all -- full` only.
 *
 * @param size the window's size; without it the whole page is saved
 */
export async function screenshots(page: Page, name: string, size?: { width: number; height: number }): Promise<void> {
  if (!process.env.EARMARK_TEST_FULL) return
  if (size) await page.setViewportSize(size)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(screens, `${name}-${colorScheme}.png`), fullPage: size === undefined })
  }
  await page.emulateMedia({ colorScheme: null })
}

async function importPages(pages: string[]): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'earmark-e2e-'))
  const file = join(data, 'bookmarks.html')
  const items = pages.map((url) => `<DT><A HREF="${url}">${url}</A>`)
  await writeFile(file, `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${items.join('\n')}\n</DL><p>\n`)
  await runJson(data, ['import', file], process.env)
  return data
}

async function newContext(browser: Browser): Promise<BrowserContext> {
  // Without animations no test waits for one, or reads a page in the middle of one.
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`content policy: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  return context
}

/** Excludes empty pages, and quick capture, whose own tests run axe. */
function isOfDashboard(page: Page): boolean {
  const { protocol, pathname } = new URL(page.url())
  return protocol === 'http:' && pathname !== '/capture'
}

/** Closes pages before their service ends; a page that is still loading would report an error. */
async function leavePages(context: BrowserContext, { keeper }: SharedContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page !== keeper && page.close()))
}

function running(facts: Facts): RunningService {
  const ask: RunningService['ask'] = (path, body, method) => callApi(facts, path, body, method)
  const newLogin = async () => (await ask<{ login: string }>('/login-links')).login
  return {
    url: new URL(facts.login).origin,
    mcp: `${facts.url}/api/tools/mcp`,
    login: facts.login,
    data: facts.data,
    token: facts.token,
    newLogin,
    ask,
    open: async (page, path = '/') => open(facts.url, await newLogin(), page, path),
    async insert(...urls) {
      const { key } = await ask<{ key: string }>('/keys', { name: 'editor' })
      expect(await callTool(facts.url, key, 'bookmarks.insert', { urls })).toMatchObject({ isError: false })
    }
  }
}

async function callApi<T>({ url, token }: Facts, path: string, body: object = {}, method = 'POST'): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = method === 'GET' ? undefined : JSON.stringify(body)
  const response = await fetch(`${url}/api${path}`, { method, headers, ...(sent && { body: sent }) })
  expect(response.ok, `${path}: ${response.status}`).toBe(true)
  return (await response.json()) as T
}

async function open(url: string, login: string, page: Page, path: string): Promise<void> {
  const { origin, host, hash } = new URL(login)
  // Node's own lookup has no names below localhost.
  const headers = { host, origin, 'content-type': 'application/json' }
  const body = JSON.stringify({ token: hash.slice(1) })
  const answer = await rawRequest(url, { method: 'POST', path: '/api/session', headers, body })
  const [name = '', value = ''] = (answer.headers['set-cookie']?.[0] ?? '').split(/[=;]/)
  await page.context().addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }])
  await page.goto(origin + path)
}

/** Runs the built program until the work is done, on a machine that has a keychain of its own, or none. */
async function withProgram(data: string, keychain: boolean, work: (facts: Facts) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'earmark-home-'))
  const variables = withoutDesktop(home)
  const session = keychain ? await startKeyring(home, variables) : undefined
  const bus = { DBUS_SESSION_BUS_ADDRESS: session?.address ?? withoutKeychain.DBUS_SESSION_BUS_ADDRESS }
  const service = await startEarmark(data, [], { env: { ...process.env, ...variables, ...bus }, afterwards: () => {} })
  try {
    const { token } = JSON.parse(await readFile(join(data, 'service.json'), 'utf8'))
    await work({ url: service.url, login: service.login, data, token })
  } finally {
    await service.end('SIGTERM')
    await session?.stop()
    await rm(home, { recursive: true, force: true })
  }
}

/** The dragged content: its forms by their type, and paths of files. */
export interface Dragged {
  items?: Record<string, string>
  files?: readonly string[]
}

/** A busy browser sometimes treats a drag as if it had left the page; a person then drags again. */
const MAX_DROPS = 5

export interface Drag {
  /** Reports again that the drag is over the point. */
  again: () => Promise<void>
  /** Drops the content. */
  drop: () => Promise<void>
}

/** Drags content from outside the browser over a point of the page, as the system reports it. */
export async function dragOver(page: Page, dragged: Dragged, at = { x: 600, y: 400 }): Promise<Drag> {
  const session = await page.context().newCDPSession(page)
  const items = Object.entries(dragged.items ?? {}).map(([mimeType, data]) => ({ mimeType, data }))
  const data = { items, ...(dragged.files && { files: [...dragged.files] }), dragOperationsMask: 1 }
  const report = async (...types: ('dragEnter' | 'dragOver' | 'drop')[]) => {
    for (const type of types) await session.send('Input.dispatchDragEvent', { type, ...at, data })
  }
  await page.evaluate(() => {
    window.wasDropped = false
    addEventListener('drop', () => Object.assign(window, { wasDropped: true }), { capture: true, once: true })
  })
  const again = () => report('dragEnter', 'dragOver')
  async function drop(): Promise<void> {
    await report('drop')
    for (let tries = 1; tries < MAX_DROPS && !(await page.evaluate(() => window.wasDropped)); tries++) {
      await report('dragEnter', 'dragOver', 'drop')
    }
    await session.detach()
  }
  await again()
  return { again, drop }
}

declare global {
  interface Window {
    /** Whether the page received the drop. */
    wasDropped?: boolean
  }
}

/** Drags content over the page and drops it. */
export async function dropOn(page: Page, dragged: Dragged, at?: { x: number; y: number }): Promise<void> {
  const drag = await dragOver(page, dragged, at)
  await drag.drop()
}
