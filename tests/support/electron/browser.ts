import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'

/** The one Chromium whose pages are the windows, started when the app is ready. */
let started: Promise<BrowserContext> | undefined
const folder = mkdtempSync(join(tmpdir(), 'earmark-stand-in-'))

// What a test says of the desktop is meant for the app: Chromium would look for that desktop's keychain.
const { XDG_CONFIG_HOME: _, XDG_CURRENT_DESKTOP: __, ...env } = process.env

export function browser(): Promise<BrowserContext> {
  started ??= chromium.launchPersistentContext(join(folder, 'profile'), {
    artifactsDir: join(folder, 'artifacts'),
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    env: env as Record<string, string>,
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
  return started
}

export async function closeBrowser(): Promise<void> {
  await started?.then((context) => context.close()).catch(() => {})
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
