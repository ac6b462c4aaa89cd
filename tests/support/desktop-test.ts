import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { type Desktop, kind, type StartOptions, startAgain, startDesktop } from './electron/desktop.ts'

interface SharedDesktop extends Desktop {
  /** Its data folder. */
  data: string
  /** Starts another one on the same library, and gives its exit code. */
  again(...args: string[]): Promise<number | null>
}

interface SharedFixtures {
  saidWhich: undefined
  /** One running app for all tests that leave it as it was. */
  desktop: SharedDesktop
}

interface Fixtures {
  /** An empty folder for a library. */
  data: string
  /** Starts the app on the test's library, on a free port; it is gone after the test. */
  start(options?: StartOptions): Promise<Desktop>
}

const screens = join(import.meta.dirname, '../.results/screenshots')

/** Playwright's test with the built desktop app. */
export const test = base.extend<Fixtures, SharedFixtures>({
  saidWhich: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are needed from this pattern
    async ({}, use) => {
      console.log(
        kind === 'stand-in' ? '\nreal Electron: not run here (the desktop runs on its stand-in)' : '\nreal Electron'
      )
      await use(undefined)
    },
    { scope: 'worker', auto: true }
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  data: async ({}, use) => {
    const data = await mkdtemp(join(tmpdir(), 'earmark-desktop-'))
    await use(data)
    await rm(data, { recursive: true, force: true })
  },
  start: async ({ data }, use) => {
    const started: Desktop[] = []
    await use(async ({ args = ['--port', '0'], env = {} } = {}) => {
      const desktop = await startDesktop(data, { args, env: { ...homeIn(data), ...env } })
      started.push(desktop)
      return desktop
    })
    for (const desktop of started) await desktop.end()
  },
  desktop: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const data = await mkdtemp(join(tmpdir(), 'earmark-desktop-'))
      const desktop = await startDesktop(data, { args: ['--port', '0'], env: homeIn(data) })
      await use({ ...desktop, data, again: (...args) => startAgain(data, { args, env: homeIn(data) }) })
      await desktop.end()
      await rm(data, { recursive: true, force: true })
    },
    { scope: 'worker' }
  ]
})

export { expect }

/** A desktop with a tray, and settings of its own. */
function homeIn(data: string): NodeJS.ProcessEnv {
  return { XDG_CONFIG_HOME: join(data, 'config'), XDG_DATA_HOME: join(data, 'share'), XDG_CURRENT_DESKTOP: 'KDE' }
}

/** Forgets what an app that several tests share has handed to other programs so far. */
export async function forgetOpened(desktop: Desktop): Promise<void> {
  await desktop.recorded((recorded) => {
    recorded.opened.length = 0
  })
}

/** Takes the page as it is in light and in dark, into `tests/.results/screenshots`; in `npm run test:all -- full` only. */
export async function screenshots(page: Page, name: string, size = { width: 1200, height: 800 }): Promise<void> {
  if (!process.env.EARMARK_TEST_FULL) return
  await page.setViewportSize(size)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(screens, `${name}-${colorScheme}.png`) })
  }
  await page.emulateMedia({ colorScheme: null })
}
