import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BrowserChange, BrowserFacts } from '../contract/browser.ts'
import { EXTENSION, NATIVE_HOST } from '../contract/extension-id.ts'
import type { Browsers } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { type Machine, thisMachine } from '../files/machine.ts'
import { readForeignText } from '../files/read-foreign-text.ts'
import { replaceFile } from '../files/replace-file.ts'
import { BROWSERS, type Browser, folderOf, hostsFolderOf } from './browsers.ts'
import { launcherFor } from './launcher.ts'
import { type Registry, registry as windowsRegistry } from './registry.ts'

/**
 * Opens the port that tells the browsers of this machine which program the extension may start.
 *
 * @param data the data folder, for what is ours alone: the program's launcher, and on Windows what the registry points at
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
    const found = existsSync(folderOf(browser, machine))
    return { id, name, kind, found, sandbox: sandboxOf(browser, machine), connected: await isConnected(browser) }
  }

  return {
    list: () => Promise.all(BROWSERS.map(factsOf)),
    async connect(id, program, ownFolder, dryRun) {
      const browser = browserNamed(id)
      assertReachable(browser, machine)
      const change = { name: browser.name, file: fileOf(browser), content: manifestOf(browser, launcher) }
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
  const browser = BROWSERS.find((one) => one.id === id)
  if (browser) return browser
  throw new Problem('not-found', `There is no browser ${id}. Known: ${BROWSERS.map((one) => one.id).join(', ')}`)
}

/** The manifest a browser reads; see "Native messaging" in its makers' documentation. */
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

/** @throws Problem `invalid` where the browser is here in a sandbox only */
function assertReachable(browser: Browser, machine: Machine): void {
  const sandbox = sandboxOf(browser, machine)
  if (sandbox === null || existsSync(folderOf(browser, machine))) return
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
