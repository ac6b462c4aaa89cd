import { existsSync } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserFile } from '../contract/ports.ts'
import { type Machine, thisMachine } from './files.ts'

/** A browser that the extension supports. */
export interface Browser {
  id: string
  name: string
  kind: 'chromium' | 'firefox'
  /** Its folder, by platform. On Windows native hosts are not in this folder. */
  folder: Record<'linux' | 'darwin' | 'win32', string>
  /** The subfolder for the manifests of native hosts. On Windows the registry names these files. */
  hosts: string
  /** The key below HKEY_CURRENT_USER\Software. */
  registry: string
  /** Its names as a sandboxed package, for Snap and for Flatpak. */
  snap?: string
  flatpak: string
}

/** Folders and keys: "Native messaging" in Chrome's documentation, "Native manifests" on MDN. */
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
    // On Windows, Brave reads Chrome's key.
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

/** The extension does not support Vivaldi, but its bookmark files can be watched. */
const VIVALDI = {
  name: 'Vivaldi',
  kind: 'chromium',
  folder: { linux: 'vivaldi', darwin: 'Vivaldi', win32: 'Vivaldi' }
} as const

function chromium(id: string, name: string, more: Pick<Browser, 'folder' | 'registry' | 'snap' | 'flatpak'>): Browser {
  return { id, name, kind: 'chromium', hosts: 'NativeMessagingHosts', ...more }
}

/** Returns the browser's own folder on this machine. */
export function browserFolder(
  { kind, folder }: Pick<Browser, 'kind' | 'folder'>,
  { platform, home, env }: Machine
): string {
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

/** Whether the browser has a folder on this machine, outside of a sandbox. */
export function isInstalled(browser: Browser, machine: Machine): boolean {
  const folders = [browserFolder(browser, machine), ...(browser.kind === 'firefox' ? xdgFolders(machine) : [])]
  return folders.some((folder) => existsSync(folder))
}

/** New installations of Firefox 147 and later on Linux have their profiles here; native hosts stay in `~/.mozilla`. */
function xdgFolders({ platform, home, env }: Machine): string[] {
  return platform === 'linux' ? [join(env.XDG_CONFIG_HOME || join(home, '.config'), 'mozilla')] : []
}

/** Returns the existing files in which browsers store bookmarks. */
export async function browserFiles(machine: Machine = thisMachine()): Promise<BrowserFile[]> {
  const { chromium, firefox } = profileFolders(machine)
  const files = [
    ...(await filesIn(chromium, 'Bookmarks', /^(Default|Profile \d+)$/)),
    ...(await filesIn(firefox, 'places.sqlite', /./))
  ]
  const exist = await Promise.all(files.map(({ file }) => exists(file)))
  return files.filter((_, index) => exist[index])
}

/** A folder that contains a folder for each profile of a browser. */
interface ProfileFolder {
  browser: string
  folder: string
}

function profileFolders(machine: Machine): { chromium: ProfileFolder[]; firefox: ProfileFolder[] } {
  const { platform, home } = machine
  const subfolder = platform === 'win32' ? 'User Data' : ''
  const chromium = [...BROWSERS.filter(({ kind }) => kind === 'chromium'), VIVALDI].map((browser) => {
    return { browser: browser.name, folder: join(browserFolder(browser, machine), subfolder) }
  })
  if (platform === 'linux') {
    chromium.push({ browser: 'Chromium', folder: join(home, 'snap/chromium/common/chromium') })
  }
  return { chromium, firefox: firefoxFolders(machine).map((folder) => ({ browser: 'Firefox', folder })) }
}

function firefoxFolders(machine: Machine): string[] {
  const { platform, home } = machine
  const own = BROWSERS.filter(({ kind }) => kind === 'firefox').map((browser) => browserFolder(browser, machine))
  if (platform === 'darwin') return [join(home, 'Library/Application Support/Firefox/Profiles')]
  if (platform === 'win32') return own.map((folder) => join(folder, 'Profiles'))
  const sandboxes = [
    'snap/firefox/common/.mozilla',
    '.var/app/org.mozilla.firefox/.mozilla',
    '.var/app/org.mozilla.firefox/config/mozilla'
  ].map((folder) => join(home, folder))
  return [...own, ...xdgFolders(machine), ...sandboxes].map((folder) => join(folder, 'firefox'))
}

async function filesIn(folders: ProfileFolder[], file: string, profile: RegExp): Promise<BrowserFile[]> {
  const all = await Promise.all(
    folders.map(async ({ browser, folder }) => {
      const names = await readdir(folder).catch(() => [])
      return names.filter((name) => profile.test(name)).map((name) => ({ browser, file: join(folder, name, file) }))
    })
  )
  return all.flat().sort((one, other) => (one.file < other.file ? -1 : 1))
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false
  )
}
