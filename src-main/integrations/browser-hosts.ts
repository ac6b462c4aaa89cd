import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BrowserChange, BrowserFacts } from '../contract/editor.ts'
import { EXTENSION, NATIVE_HOST } from '../contract/extension-id.ts'
import type { OwnProgram } from '../contract/own-program.ts'
import type { Browsers } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { BROWSERS, type Browser, browserFolder, isInstalled } from './browsers.ts'
import { type Machine, readForeignText, replaceFile, thisMachine } from './files.ts'

/**
 * Registers in the browsers of this machine the program that the extension may start.
 *
 * @param data the data folder, for the program's launcher, and on Windows for the files that the registry names
 */
export function openBrowsers(
  data: string,
  machine: Machine = thisMachine(),
  registry: Registry = windowsRegistry
): Browsers {
  const onWindows = machine.platform === 'win32'
  const launcher = join(data, 'native-host', onWindows ? 'earmark-native-host.bat' : 'earmark-native-host')
  const keyOf = (browser: Browser) => `${browser.registry}\\NativeMessagingHosts\\${NATIVE_HOST}`
  const fileOf = (browser: Browser) =>
    onWindows
      ? join(data, 'native-host', `${browser.id}.json`)
      : join(hostsFolderOf(browser, machine), `${NATIVE_HOST}.json`)

  async function isConnected(browser: Browser): Promise<boolean> {
    const file = fileOf(browser)
    return (await namesOurs(file, launcher)) && (!onWindows || registry.read(keyOf(browser)) === file)
  }

  async function factsOf(browser: Browser): Promise<BrowserFacts> {
    const { id, name, kind } = browser
    const found = isInstalled(browser, machine)
    return { id, name, kind, found, sandbox: sandboxOf(browser, machine), connected: await isConnected(browser) }
  }

  return {
    list: () => Promise.all(BROWSERS.map(factsOf)),
    async connect(id, program, ownFolder, dryRun) {
      const browser = browserNamed(id)
      assertReachable(browser, machine)
      const missing = !isInstalled(browser, machine) || undefined
      const change = { name: browser.name, file: fileOf(browser), content: manifestOf(browser, launcher), missing }
      if (dryRun) return change
      await write(launcher, launcherFor(program, ownFolder, machine.platform), 0o700)
      await write(change.file, change.content, 0o600)
      if (onWindows) registry.write(keyOf(browser), change.file)
      return change
    },
    async disconnect(id, dryRun): Promise<BrowserChange> {
      const browser = browserNamed(id)
      const file = fileOf(browser)
      if (!(await isConnected(browser))) throw new Problem('not-found', `${browser.name} is not connected.`)
      const change = { name: browser.name, file, content: (await readForeignText(file)) ?? '' }
      if (dryRun) return change
      if (onWindows) registry.remove(keyOf(browser))
      await rm(file)
      const isLast = (await Promise.all(BROWSERS.map(isConnected))).every((connected) => !connected)
      if (isLast) await rm(dirname(launcher), { recursive: true, force: true })
      return change
    }
  }
}

function browserNamed(id: string): Browser {
  const browser = BROWSERS.find((browser) => browser.id === id)
  if (browser) return browser
  throw new Problem(
    'not-found',
    `There is no browser ${id}. Known: ${BROWSERS.map((browser) => browser.id).join(', ')}`
  )
}

/** The manifest for a browser: "Native messaging" in Chrome's documentation, "Native manifests" on MDN. */
function manifestOf({ kind }: Browser, launcher: string): string {
  const allowed =
    kind === 'firefox'
      ? { allowed_extensions: [EXTENSION.firefox] }
      : { allowed_origins: [`chrome-extension://${EXTENSION.chromium}/`] }
  const manifest = { name: NATIVE_HOST, description: 'Earmark', path: launcher, type: 'stdio', ...allowed }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

async function namesOurs(file: string, launcher: string): Promise<boolean> {
  try {
    const manifest = JSON.parse((await readForeignText(file)) ?? 'null') as { path?: unknown } | null
    return manifest?.path === launcher && existsSync(launcher)
  } catch {
    return false
  }
}

function sandboxOf({ snap, flatpak }: Browser, { platform, home }: Machine): BrowserFacts['sandbox'] {
  if (platform !== 'linux') return null
  if (snap !== undefined && existsSync(join(home, 'snap', snap))) return 'Snap'
  return existsSync(join(home, '.var/app', flatpak)) ? 'Flatpak' : null
}

/** @throws Problem `invalid` if the browser is installed only in a sandbox */
function assertReachable(browser: Browser, machine: Machine): void {
  const sandbox = sandboxOf(browser, machine)
  if (sandbox === null || isInstalled(browser, machine)) return
  throw new Problem(
    'invalid',
    `${browser.name} is installed as a ${sandbox}, which cannot start programs outside of its sandbox, so the ` +
      'extension cannot reach Earmark. Use the bookmarklet in Settings instead.'
  )
}

async function write(file: string, text: string, mode: number): Promise<void> {
  try {
    await replaceFile(file, text, mode)
  } catch {
    throw new Problem('forbidden', `${file} cannot be written. The browser was not connected.`)
  }
}

function hostsFolderOf(browser: Browser, machine: Machine): string {
  const hosts = machine.platform === 'darwin' ? 'NativeMessagingHosts' : browser.hosts
  return join(browserFolder(browser, machine), hosts)
}

/**
 * Returns the launcher that starts `earmark native-host`. Browsers can only start a file, and add their own arguments.
 *
 * @param ownFolder the data folder if it is not the default
 */
export function launcherFor(
  { command, args }: OwnProgram,
  ownFolder: string | undefined,
  platform: NodeJS.Platform
): string {
  const words = [command, ...args, 'native-host', ...(ownFolder === undefined ? [] : ['--data', ownFolder])]
  if (platform === 'win32') return `@echo off\r\n${words.map(forBatch).join(' ')} %*\r\n`
  return `#!/bin/sh\nexec ${words.map(forShell).join(' ')} "$@"\n`
}

function forShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** In a batch file a percent sign is escaped by doubling it. A Windows path contains no quotes. */
function forBatch(word: string): string {
  return /^[\w/.:\\-]+$/.test(word) ? word : `"${word.replaceAll('%', '%%')}"`
}

/** The keys of this account in Windows' registry, below HKEY_CURRENT_USER\Software. */
export interface Registry {
  /** Returns the value of a key; `undefined` if there is none. */
  read(key: string): string | undefined
  write(key: string, value: string): void
  remove(key: string): void
}

const windowsRegistry: Registry = {
  read(key) {
    try {
      return /REG_SZ\s+(.*?)\r?\n/.exec(reg('query', key, '/ve'))?.[1]
    } catch {
      return undefined
    }
  },
  write: (key, value) => void reg('add', key, '/ve', '/t', 'REG_SZ', '/d', value, '/f'),
  remove: (key) => void reg('delete', key, '/f')
}

function reg(action: string, key: string, ...options: string[]): string {
  return execFileSync('reg', [action, `HKCU\\Software\\${key}`, ...options], { encoding: 'utf8', stdio: 'pipe' })
}
