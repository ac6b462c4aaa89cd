import { join } from 'node:path'
import type { Machine } from '../files/machine.ts'

/** A browser, and where it looks for the programs that extensions may start. */
export interface Browser {
  id: string
  name: string
  kind: 'chromium' | 'firefox'
  /** Its folder, by platform; on Windows it is only a sign of the browser. */
  folder: Record<'linux' | 'darwin' | 'win32', string>
  /** The folder in that one; on Windows programs stand in the registry. */
  hosts: string
  /** Below HKEY_CURRENT_USER\Software. */
  registry: string
  /** Signs of it in a sandbox. */
  snap?: string
  flatpak: string
}

/** Folders and keys as the makers document them: for Chromium and its kin "Native messaging", on MDN "Native manifests". */
export const BROWSERS: Browser[] = [
  chromium('chrome', 'Google Chrome', {
    folder: { linux: 'google-chrome', darwin: 'Google/Chrome', win32: 'Google/Chrome' },
    registry: 'Google\\Chrome',
    flatpak: 'com.google.Chrome'
  }),
  chromium('chromium', 'Chromium', {
    folder: { linux: 'chromium', darwin: 'Chromium', win32: 'Chromium' },
    registry: 'Chromium',
    snap: 'chromium',
    flatpak: 'org.chromium.Chromium'
  }),
  chromium('edge', 'Microsoft Edge', {
    folder: { linux: 'microsoft-edge', darwin: 'Microsoft Edge', win32: 'Microsoft/Edge' },
    registry: 'Microsoft\\Edge',
    flatpak: 'com.microsoft.Edge'
  }),
  chromium('brave', 'Brave', {
    folder: {
      linux: 'BraveSoftware/Brave-Browser',
      darwin: 'BraveSoftware/Brave-Browser',
      win32: 'BraveSoftware/Brave-Browser'
    },
    // On Windows it looks where Chrome does.
    registry: 'Google\\Chrome',
    snap: 'brave',
    flatpak: 'com.brave.Browser'
  }),
  {
    id: 'firefox',
    name: 'Firefox',
    kind: 'firefox',
    folder: { linux: '.mozilla', darwin: 'Mozilla', win32: 'Mozilla/Firefox' },
    hosts: 'native-messaging-hosts',
    registry: 'Mozilla',
    snap: 'firefox',
    flatpak: 'org.mozilla.firefox'
  }
]

function chromium(id: string, name: string, more: Pick<Browser, 'folder' | 'registry' | 'snap' | 'flatpak'>): Browser {
  return { id, name, kind: 'chromium', hosts: 'NativeMessagingHosts', ...more }
}

/** The browser's own folder on this machine. */
export function folderOf({ kind, folder }: Browser, { platform, home, env }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library/Application Support', folder.darwin)
  if (platform === 'win32') {
    const [local, roaming] = [
      env.LOCALAPPDATA || join(home, 'AppData/Local'),
      env.APPDATA || join(home, 'AppData/Roaming')
    ]
    return join(kind === 'firefox' ? roaming : local, folder.win32)
  }
  return join(kind === 'firefox' ? home : env.XDG_CONFIG_HOME || join(home, '.config'), folder.linux)
}

/** The folder with the files that name programs; on Windows none has a place of its own. */
export function hostsFolderOf(browser: Browser, machine: Machine): string {
  const hosts = machine.platform === 'darwin' ? 'NativeMessagingHosts' : browser.hosts
  return join(folderOf(browser, machine), hosts)
}
