import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { type Desktop, kind, type StartOptions, startAgain, startDesktop } from './electron/desktop.ts'

interface SharedDesktop extends Desktop {
  /** The data folder. */
  data: string
  /** Starts a second app on the same library. @returns its exit code */
  again(...args: string[]): Promise<number | null>
}

interface SharedFixtures {
  printedKind: undefined
  /** One running app for all tests that leave it unchanged. */
  desktop: SharedDesktop
}

interface Fixtures {
  /** An empty folder for a library. */
  data: string
  /** Starts the app on the test's library, on a free port, until the test is over. */
  start(options?: StartOptions): Promise<Desktop>
}

/** Playwright's test with the built desktop app. */
export const test = base.extend<Fixtures, SharedFixtures>({
  printedKind: [
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

/** A desktop that has a tray, with settings of its own. */
function homeIn(data: string): NodeJS.ProcessEnv {
  return { XDG_CONFIG_HOME: join(data, 'config'), XDG_DATA_HOME: join(data, 'share'), XDG_CURRENT_DESKTOP: 'KDE' }
}

/** Empties the record of what a shared app has passed to other programs. */
export async function forgetOpened(desktop: Desktop): Promise<void> {
  await desktop.recorded((recorded) => {
    recorded.opened.length = 0
  })
}
