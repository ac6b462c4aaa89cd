// Programs that tests need beside npm packages: a Chromium and, on Linux, a keyring in a private D-Bus session. Tests whose
// program is missing are skipped.
import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'

/** Time limit of a download or installation, in ms. */
const INSTALL_TIMEOUT_MS = 300_000

const CHROME_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'
]

/**
 * Path of Chromium: this machine's own, or the one that Playwright downloaded. `undefined` if there is none. A Snap does not
 * count: it cannot read the tests' folders. Google's own build does not load extensions from a folder.
 */
export function chromiumPath({ loadsExtensions = false } = {}): string | undefined {
  const own = process.env.CHROMIUM_PATH || onPath('chromium')
  if (own && !own.includes('/snap/')) return own
  if (existsSync(chromium.executablePath())) return chromium.executablePath()
  return loadsExtensions ? undefined : (onPath('google-chrome') ?? CHROME_PATHS.find(existsSync))
}

export function hasKeyring(): boolean {
  return (
    process.platform === 'linux' && onPath('dbus-daemon') !== undefined && onPath('gnome-keyring-daemon') !== undefined
  )
}

/** Finds a Debian program, and installs it if this process may. */
export async function findProgram(name: string): Promise<string | undefined> {
  if (!onPath(name)) await aptInstall(name)
  return onPath(name)
}

/** Installs what is missing if that needs no password. Returns what is still missing, and the command that installs it. */
export async function installTools(): Promise<string[]> {
  const missing: string[] = []
  if (!(await hasBrowser())) {
    await run('playwright', ['install', ...(isRoot() ? ['--with-deps'] : []), '--no-shell', 'chromium'])
    if (!(await hasBrowser())) await aptInstall('chromium')
    if (!(await hasBrowser())) missing.push('a browser: npx playwright install --with-deps --no-shell chromium')
  }
  if (process.platform === 'linux' && !hasKeyring()) {
    await aptInstall('gnome-keyring', 'dbus')
    if (!hasKeyring()) missing.push('a keyring: sudo apt-get install gnome-keyring dbus')
  }
  return missing
}

/** Whether Chromium is there and starts. A downloaded one may lack system libraries. */
async function hasBrowser(): Promise<boolean> {
  const path = chromiumPath()
  if (!path || process.platform !== 'linux') return path !== undefined
  return promisify(execFile)(path, ['--version']).then(
    () => true,
    () => false
  )
}

function onPath(name: string): string | undefined {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK)
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
  // A mirror that does not answer is given up soon.
  const limits = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::https::Timeout=15']
  await run('apt-get', [...limits, 'update'])
  await run('apt-get', [...limits, 'install', '-y', '--no-install-recommends', ...packages])
}

/** Runs an installer. A failure shows in what is missing afterwards. */
async function run(name: string, args: string[]): Promise<void> {
  console.log(`Installing for the tests: ${name} ${args.join(' ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' }
  await promisify(execFile)(name, args, {
    env,
    timeout: INSTALL_TIMEOUT_MS,
    shell: process.platform === 'win32'
  }).catch(() => {})
}
