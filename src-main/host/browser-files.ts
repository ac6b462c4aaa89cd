import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Machine, thisMachine } from '../files/machine.ts'

/** The files in which browsers keep their bookmarks, those that are there. */
export async function browserFiles({ platform, home, env }: Machine = thisMachine()): Promise<string[]> {
  const { chromium, firefox } = foldersOf(platform, home, env)
  const files = [
    ...(await filesIn(chromium, 'Bookmarks', /^(Default|Profile \d+)$/)),
    ...(await filesIn(firefox, 'places.sqlite', /./))
  ]
  const there = await Promise.all(files.map(isThere))
  return files.filter((_, index) => there[index])
}

/** Folders whose folders are profiles. */
function foldersOf(platform: NodeJS.Platform, home: string, env: NodeJS.ProcessEnv) {
  if (platform === 'darwin') {
    const support = join(home, 'Library/Application Support')
    const chromium = ['Google/Chrome', 'Chromium', 'Microsoft Edge', 'BraveSoftware/Brave-Browser', 'Vivaldi']
    return { chromium: chromium.map((name) => join(support, name)), firefox: [join(support, 'Firefox/Profiles')] }
  }
  if (platform === 'win32') {
    const local = env.LOCALAPPDATA ?? join(home, 'AppData/Local')
    const roaming = env.APPDATA ?? join(home, 'AppData/Roaming')
    const chromium = ['Google/Chrome', 'Chromium', 'Microsoft/Edge', 'BraveSoftware/Brave-Browser', 'Vivaldi']
    return {
      chromium: chromium.map((name) => join(local, name, 'User Data')),
      firefox: [join(roaming, 'Mozilla/Firefox/Profiles')]
    }
  }
  const config = env.XDG_CONFIG_HOME || join(home, '.config')
  const chromium = ['google-chrome', 'chromium', 'microsoft-edge', 'BraveSoftware/Brave-Browser', 'vivaldi']
  return {
    chromium: [...chromium.map((name) => join(config, name)), join(home, 'snap/chromium/common/chromium')],
    firefox: [
      '.mozilla/firefox',
      'snap/firefox/common/.mozilla/firefox',
      '.var/app/org.mozilla.firefox/.mozilla/firefox'
    ].map((name) => join(home, name))
  }
}

async function filesIn(folders: string[], file: string, profile: RegExp): Promise<string[]> {
  const all = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => [])
      return names.filter((name) => profile.test(name)).map((name) => join(folder, name, file))
    })
  )
  return all.flat().sort()
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false
  )
}
