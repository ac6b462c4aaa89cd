import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'

/** The one Chromium whose pages are the windows, started when the app is ready. */
let started: Promise<BrowserContext> | undefined
let folder: string | undefined

// What a test says of the desktop is meant for the app: Chromium would look for that desktop's keychain.
const {
  XDG_CONFIG_HOME: _,
  XDG_CURRENT_DESKTOP: __,
  DISPLAY: ___,
  WAYLAND_DISPLAY: ____,
  XDG_SESSION_TYPE: _____,
  LD_PRELOAD: ______,
  ...env
} = process.env

export function browser(): Promise<BrowserContext> {
  started ??= start()
  return started
}

/** Commands have no window, and load none of this. */
async function start(): Promise<BrowserContext> {
  const [{ chromium }, { chromiumPath }] = await Promise.all([import('@playwright/test'), import('../tools.ts')])
  folder = mkdtempSync(join(tmpdir(), 'earmark-stand-in-'))
  return chromium.launchPersistentContext(join(folder, 'profile'), {
    artifactsDir: join(folder, 'artifacts'),
    executablePath: chromiumPath(),
    env: env as Record<string, string>,
    // A signal is the app's to answer.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      '--password-store=basic',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...(process.env.STAND_IN_PORT ? [`--remote-debugging-port=${process.env.STAND_IN_PORT}`] : [])
    ]
  })
}

export async function closeBrowser(): Promise<void> {
  await started?.then((context) => context.close()).catch(() => {})
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
