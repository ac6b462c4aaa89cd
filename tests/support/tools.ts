// What some tests need beside npm packages: a Chromium and, on Linux, a keyring in a private D-Bus session. Whoever lacks
// one of them and may not install it runs all other tests.
import { spawn } from 'node:child_process'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  realpathSync,
  rmSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PACKAGED_BROWSERS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'
]
/** Those that load an extension from a folder: neither the shell without windows nor Google's own build does. */
const EXTENSION_BROWSERS = ['chromium', 'chromium-browser']
const KEYRING = ['dbus-daemon', 'gnome-keyring-daemon']

/** A download that takes longer is given up, in milliseconds. */
const DOWNLOAD_TIMEOUT_MS = 300_000

export interface Tools {
  /** The environment of tests that use them. */
  env: NodeJS.ProcessEnv
  /** What could not be had, and the command that helps. */
  missing: { name: 'browser' | 'browser for extensions' | 'keyring'; help: string }[]
}

/**
 * Finds everything. Downloads or installs what is missing where that needs no password.
 *
 * @param options.extensions whether a browser that loads extensions is wanted too
 */
export async function findTools({ extensions = false } = {}): Promise<Tools> {
  const tools: Tools = { env: {}, missing: [] }
  const browser = await findBrowser('chromium-headless-shell', chromiumPath())
  if (browser) tools.env.CHROMIUM_PATH = browser.path
  else tools.missing.push({ name: 'browser', help: 'npx playwright install --with-deps chromium-headless-shell' })
  if (extensions) {
    const other = await findBrowser('chromium', extensionChromiumPath())
    tools.env.EXTENSION_CHROMIUM_PATH = other?.path ?? ''
    const help = 'npx playwright install --with-deps --no-shell chromium'
    if (!other) tools.missing.push({ name: 'browser for extensions', help })
  }
  if (process.platform === 'linux' && !hasKeyring()) await aptInstall('gnome-keyring', 'dbus')
  if (process.platform === 'linux' && !hasKeyring()) {
    tools.missing.push({ name: 'keyring', help: 'sudo apt-get install gnome-keyring dbus' })
  }
  return tools
}

/** Returns the machine's own Chromium; `undefined` stands for the one that Playwright downloads. */
export function chromiumPath(): string | undefined {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH !== undefined) return CHROMIUM_PATH || undefined
  return BROWSERS.map(onPath).find(isNoSnap) ?? PACKAGED_BROWSERS.find((file) => existsSync(file))
}

/** Returns the machine's own Chromium that loads extensions, if it has one. */
export function extensionChromiumPath(): string | undefined {
  const { EXTENSION_CHROMIUM_PATH } = process.env
  if (EXTENSION_CHROMIUM_PATH !== undefined) return EXTENSION_CHROMIUM_PATH || undefined
  return EXTENSION_BROWSERS.map(onPath).find(isNoSnap)
}

/** Finds a program of Debian's, and installs it where that can be done. */
export async function findProgram(name: string): Promise<string | undefined> {
  if (process.platform === 'linux' && !onPath(name)) await aptInstall(name)
  return onPath(name)
}

/** Whether the tests of the real keyring can run. */
export function hasKeyring(): boolean {
  return process.platform === 'linux' && KEYRING.every((name) => onPath(name) !== undefined)
}

/**
 * Finds the first that starts of: the machine's own, Playwright's, Playwright's after a download, Debian's package.
 *
 * @param name as both Playwright and Debian call it
 * @returns an empty path for Playwright's headless shell
 */
async function findBrowser(
  name: 'chromium-headless-shell' | 'chromium',
  own: string | undefined
): Promise<{ path: string } | undefined> {
  if (own && (await starts(own))) return { path: own }
  const { chromium } = await import('@playwright/test')
  const path = name === 'chromium' ? chromium.executablePath() : ''
  if (await starts(path)) return { path }
  console.log(`Downloading ${name} for the tests`)
  const limit = { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' }
  const install = ['install', ...(path ? ['--no-shell'] : []), name]
  if (await run('playwright', install, limit)) {
    if (await starts(path)) return { path }
    if (isRoot() && (await run('playwright', ['install-deps', name])) && (await starts(path))) return { path }
  }
  await aptInstall(name)
  const installed = onPath(name)
  return installed && (await starts(installed)) ? { path: installed } : undefined
}

/** @param path empty for Playwright's headless shell */
async function starts(path: string): Promise<boolean> {
  const { chromium } = await import('@playwright/test')
  // Playwright leaves its folders where a browser does not start.
  const folder = mkdtempSync(join(tmpdir(), 'earmark-tools-'))
  try {
    const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
      artifactsDir: join(folder, 'artifacts'),
      executablePath: path || undefined,
      args: ['--no-sandbox'],
      timeout: 30_000
    })
    await browser.close()
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Returns false for a Snap, which neither sees a test's folders nor starts our program. */
function isNoSnap(file: string | undefined): boolean {
  if (file === undefined || realpathSync(file).includes('/snap')) return false
  const start = Buffer.alloc(4096)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, start)
  closeSync(descriptor)
  return !/^#!.*\/snap\//s.test(start.toString('latin1'))
}

function onPath(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

async function aptInstall(...packages: string[]): Promise<void> {
  if (!isRoot() || !existsSync('/etc/debian_version')) return
  console.log(`Installing for the tests: ${packages.join(', ')}`)
  // A mirror that does not answer is given up soon.
  const limits = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::https::Timeout=15']
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', [...limits, 'update', '-qq'], env)
  await run('apt-get', [...limits, 'install', '-y', '-qq', '--no-install-recommends', ...packages], env)
}

/** Returns whether the program ended well. What it writes is not shown. */
function run(name: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const child = spawn(name, args, {
    stdio: 'ignore',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
    timeout: DOWNLOAD_TIMEOUT_MS
  })
  return new Promise((resolve) =>
    child.once('error', () => resolve(false)).once('close', (code) => resolve(code === 0))
  )
}
