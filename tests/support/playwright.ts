import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { startKeyring, withoutDesktop } from './keyring-session.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../out/main/earmark.js')
const screens = join(import.meta.dirname, '../.results/screenshots')

/** What a library holds where a test says nothing else. */
export const PAGES = ['https://a.example/', 'https://b.example/', 'https://c.example/']

/** The built service, running on a library of its own. */
export interface RunningService {
  url: string
  mcp: string
  /** The login link it printed when it started. */
  login: string
  data: string
  /** Makes another login link, as the owner would. */
  newLogin(): Promise<string>
  /** Saves these addresses over the endpoint, as an editor's agent would. */
  insert(...urls: string[]): Promise<void>
}

interface WorkerFixtures {
  /** A data folder whose library holds these pages; made once for all tests that begin with the same. */
  library: (pages: string[]) => Promise<string>
}

interface Fixtures {
  /** What the library holds at first. */
  pages: string[]
  /** Whether the machine has a keychain: a real one, of its own. Else nothing answers in its place. */
  keychain: boolean
  /** What programs see of the machine. */
  machine: NodeJS.ProcessEnv
  service: RunningService
  /** Errors, warnings and violations of the content policy on any page so far. A test that provokes some empties it. */
  complaints: string[]
}

/** Playwright's test with a running service. A test fails when one of its pages complains. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  pages: [PAGES, { option: true }],
  keychain: [false, { option: true }],
  machine: async ({ keychain }, use) => {
    const home = await mkdtemp(join(tmpdir(), 'earmark-home-'))
    const variables = withoutDesktop(home)
    const session = keychain ? await startKeyring(home, variables) : undefined
    await use({ ...process.env, ...variables, DBUS_SESSION_BUS_ADDRESS: session?.address ?? 'unix:path=/nonexistent' })
    await session?.stop()
    await rm(home, { recursive: true, force: true })
  },
  service: async ({ pages, library, machine }, use) => {
    const data = await mkdtemp(join(tmpdir(), 'earmark-e2e-'))
    try {
      if (pages.length > 0) await cp(await library(pages), data, { recursive: true })
      const { child, facts } = await serve(data, machine)
      const closed = once(child, 'close')
      try {
        await use({
          ...facts,
          newLogin: async () => (JSON.parse(await command(data, 'login')) as { login: string }).login,
          insert: (...urls) => insert(data, facts.mcp, urls)
        })
      } finally {
        child.kill('SIGTERM')
        await closed
      }
    } finally {
      await rm(data, { recursive: true, force: true })
    }
  },
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
      context.on('weberror', (error) => complaints.push(String(error.error())))
      context.on('console', (message) => {
        const refused = message.text().startsWith('Failed to load resource')
        if (['error', 'warning'].includes(message.type()) && !refused) complaints.push(message.text())
      })
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          console.error(`content policy: ${event.violatedDirective} ${event.blockedURI}`)
        })
      })
      await use(complaints)
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

/** Takes the page as it is in light and in dark, into `tests/.results/screenshots`; in `npm run test:full` only. */
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

async function insert(data: string, address: string, urls: string[]): Promise<void> {
  const { key } = JSON.parse(await command(data, 'keys', 'create', '--name', 'editor')) as { key: string }
  const params = { name: 'bookmarks.insert', arguments: { urls } }
  const response = await fetch(address, {
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

async function serve(
  data: string,
  env: NodeJS.ProcessEnv
): Promise<{ child: ChildProcess; facts: Omit<RunningService, 'newLogin' | 'insert'> }> {
  const child = spawn(process.execPath, [program, 'serve', '--json', '--port', '0', '--no-fetch', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env
  })
  const ended = once(child, 'close').then(() => {
    throw new Error('the service ended before it served; is it built? npm run build')
  })
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  ended.catch(() => {}) // it ends with the test
  return { child, facts: JSON.parse(line) }
}
