import { execFile, fork, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
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
import { freePort } from './free-port.ts'
import { startKeyring, withoutDesktop } from './keyring-session.ts'
import { rawRequest } from './raw-http.ts'
import type { HostAnswer, HostRequest } from './service-host.ts'
import { hasKeyring } from './tools.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../out/main/earmark.js')
const serviceHost = join(import.meta.dirname, '../../out/tests/service-host.js')
const screens = join(import.meta.dirname, '../.results/screenshots')

/** The default library. */
export const PAGES = ['https://a.example/', 'https://b.example/', 'https://c.example/']

/** A running service on a library of its own. */
export interface RunningService {
  /** The dashboard's origin, which only browsers resolve. */
  url: string
  mcp: string
  /** The login link from the service's start. */
  login: string
  data: string
  /** Makes another login link, as `earmark login` does. */
  newLogin(): Promise<string>
  /** Opens the dashboard in a logged-in tab, without showing the login page. */
  open(page: Page, path?: string): Promise<void>
  /** Calls the API as the command line does. `path` is relative to `/api`. */
  ask<T>(path: string, body?: object, method?: string): Promise<T>
  /** Saves these addresses through the endpoint, as an editor's agent does. */
  insert(...urls: string[]): Promise<void>
}

/** Address and credentials of a service. */
interface Facts {
  url: string
  data: string
  login: string
  token: string
}

/** One name for all tests, so that the browser reuses the compiled scripts of the page. */
const DASHBOARD_HOST = `${'e2e0'.repeat(8)}.localhost`

interface SharedContext {
  context: BrowserContext
  /** Port of the services of all tests in this worker. */
  port: number
  /** An empty page that keeps the context open. */
  keeper: Page
  /** Clears cookies and storage. */
  forget(): Promise<void>
}

interface WorkerFixtures {
  /** A data folder whose library has these pages, made once for all tests with the same pages. */
  library: (pages: string[]) => Promise<string>
  /** The browser context of all tests in this worker; it keeps compiled scripts. */
  shared: SharedContext
  /** Opens or closes a library in the process that serves them. */
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
    // A retry gets a context of its own, which leaves a trace.
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
      const child = fork(serviceHost)
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

/** The list of bookmarks on a page. */
export function listOf(page: Page): Locator {
  return page.getByRole('grid')
}

/** Checks a state of the page that its test passes through, and photographs it. */
export async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page, name)
  await screenshots(page, name)
}

/** Saves the page in light and in dark to `tests/.results/screenshots`; in `npm run test:all -- full` only. */
async function screenshots(page: Page, name: string): Promise<void> {
  if (!process.env.EARMARK_TEST_FULL) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(screens, `${name}-${colorScheme}.png`), fullPage: true })
  }
  await page.emulateMedia({ colorScheme: null })
}

async function importPages(pages: string[]): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'earmark-e2e-'))
  const file = join(data, 'bookmarks.html')
  const items = pages.map((url) => `<DT><A HREF="${url}">${url}</A>`)
  await writeFile(file, `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${items.join('\n')}\n</DL><p>\n`)
  await command(data, 'import', file)
  return data
}

async function newContext(browser: Browser): Promise<BrowserContext> {
  // Tests do not wait for animations, and axe cannot measure the contrast of fading text.
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
  return {
    url: originOf(facts),
    mcp: `${facts.url}/api/tools/mcp`,
    login: facts.login,
    data: facts.data,
    newLogin: () => newLogin(facts),
    open: (page, path = '/') => open(facts, page, path),
    ask: (path, body, method) => call(facts, path, body, method),
    insert: (...urls) => insert(facts, urls)
  }
}

/** Calls the API as the command line does. */
async function call<T>({ url, token }: Facts, path: string, body: object = {}, method = 'POST'): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = method === 'GET' ? undefined : JSON.stringify(body)
  const response = await fetch(`${url}/api${path}`, { method, headers, ...(sent && { body: sent }) })
  expect(response.ok, `${path}: ${response.status}`).toBe(true)
  return (await response.json()) as T
}

const originOf = ({ login }: Facts) => new URL(login).origin

async function newLogin(facts: Facts): Promise<string> {
  return (await call<{ login: string }>(facts, '/login-links')).login
}

async function open(facts: Facts, page: Page, path: string): Promise<void> {
  const { origin, host, hash } = new URL(await newLogin(facts))
  // Node does not resolve names below localhost.
  const headers = { host, origin, 'content-type': 'application/json' }
  const body = JSON.stringify({ token: hash.slice(1) })
  const answer = await rawRequest(facts.url, { method: 'POST', path: '/api/session', headers, body })
  const [name = '', value = ''] = (answer.headers['set-cookie']?.[0] ?? '').split(/[=;]/)
  await page.context().addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }])
  await page.goto(origin + path)
}

async function insert(facts: Facts, urls: string[]): Promise<void> {
  const { key } = await call<{ key: string }>(facts, '/keys', { name: 'editor' })
  const params = { name: 'bookmarks.insert', arguments: { urls } }
  const response = await fetch(`${facts.url}/api/tools/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  })
  expect(await response.json()).not.toHaveProperty('error')
}

async function command(data: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [program, ...args, '--json', '--data', data]).catch((error) => {
    throw new Error(`${args[0]} failed: ${error.stdout}${error.stderr}`)
  })
  return stdout
}

/** Runs the built program during the work, with a keychain of its own or without one. */
async function withProgram(data: string, keychain: boolean, work: (facts: Facts) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'earmark-home-'))
  const variables = withoutDesktop(home)
  const session = keychain ? await startKeyring(home, variables) : undefined
  const address = session?.address ?? 'unix:path=/nonexistent'
  const child = spawn(process.execPath, [program, 'serve', '--json', '--port', '0', '--no-fetch', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...variables, DBUS_SESSION_BUS_ADDRESS: address }
  })
  const closed = once(child, 'close')
  try {
    const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), closed.then(() => [])])
    if (line === undefined) throw new Error('the service ended before it served; is it built? npm run build')
    const { token } = JSON.parse(await readFile(join(data, 'service.json'), 'utf8'))
    await work({ ...JSON.parse(line), token })
  } finally {
    child.kill('SIGTERM')
    await closed
    await session?.stop()
    await rm(home, { recursive: true, force: true })
  }
}
