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
import { freePort } from './free-port.ts'
import { startKeyring, withoutDesktop } from './keyring-session.ts'
import { rawRequest } from './raw-http.ts'
import type { HostAnswer, HostRequest } from './service-host.ts'
import { hasKeyring } from './tools.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../out/main/earmark.js')
const serviceHost = join(import.meta.dirname, '../../out/tests/service-host.js')
const screens = join(import.meta.dirname, '../.results/screenshots')

/** What a library holds where a test says nothing else. */
export const PAGES = ['https://a.example/', 'https://b.example/', 'https://c.example/']

/** A running service on a library of its own. */
export interface RunningService {
  /** The dashboard's, which browsers know. */
  url: string
  mcp: string
  /** The login link it made when it started. */
  login: string
  data: string
  /** Makes another login link, as the owner's command does. */
  newLogin(): Promise<string>
  /** Opens the dashboard in a tab that has logged in, without the login page before it. */
  open(page: Page, path?: string): Promise<void>
  /** Calls the API as the command line does. `path` is below `/api`. */
  ask<T>(path: string, body?: object, method?: string): Promise<T>
  /** Saves these addresses over the endpoint, as an editor's agent would. */
  insert(...urls: string[]): Promise<void>
}

/** Where a service is, and how to make it do what the command line can. */
interface Facts {
  url: string
  data: string
  login: string
  token: string
}

/** The same for all, so that the browser need not compile the page's files anew for each test. */
const DASHBOARD_HOST = `${'e2e0'.repeat(8)}.localhost`

interface SharedContext {
  context: BrowserContext
  /** Where its service is, test after test. */
  port: number
  /** A page that stays, and shows nothing. */
  keeper: Page
  /** Takes away what pages have stored. */
  forget(): Promise<void>
}

interface WorkerFixtures {
  /** A data folder whose library holds these pages; made once for all tests that begin with the same. */
  library: (pages: string[]) => Promise<string>
  /** Where the pages of one test after the other are opened, on one port: what the browser has compiled stays. */
  shared: SharedContext
  /** Asks the process that serves libraries to serve one, or to end that. */
  host: (work: HostRequest['work'], data: string, port: number) => Promise<HostAnswer>
}

interface Fixtures {
  /** What the library holds at first. */
  pages: string[]
  /** Whether the test is about what a tab keeps over navigations: then nobody's tabs were there before. */
  ownContext: boolean
  /** Whether the built program serves it, in a process of its own. */
  program: boolean
  /** Whether the machine has a keychain: a real one, of its own, which only the program uses. Else nothing answers. */
  keychain: boolean
  service: RunningService
  /** Errors, warnings and violations of the content policy on any page so far. A test that provokes some empties it. */
  complaints: string[]
}

/** Playwright's test with a running service. A test fails when one of its pages complains. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  pages: [PAGES, { option: true }],
  ownContext: [false, { option: true }],
  program: [false, { option: true }],
  keychain: [false, { option: true }],
  context: async ({ browser, shared, ownContext }, use, { retry }) => {
    // A second try has nothing of what was before it, and leaves a trace.
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
      if (program || keychain)
        await withProgram(data, keychain, (facts) => use(running(facts)).then(() => leavePages(context, shared)))
      else {
        const facts = await host('open', data, shared.port)
        await use(running(facts))
        await leavePages(context, shared)
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

/** Takes the page as it is in light and in dark, into `tests/.results/screenshots`; in `npm run test:all -- full` only. */
export async function screenshots(page: Page, name: string): Promise<void> {
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
  // Nobody waits for what fades, and what fades is not what is read.
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`content policy: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  return context
}

/** A page that is still loading when its test ends does not complain that the service is gone. */
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
  // Node's own lookup knows no names below localhost.
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

/** Runs the built program while the work takes, on a machine that has a keychain of its own, or none. */
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
