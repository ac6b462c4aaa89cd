import { constants, createReadStream } from 'node:fs'
import { access, open, readdir, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { Readable } from 'node:stream'
import type { BookmarkFiles } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { type Machine, thisMachine } from '../integrations/files.ts'
import { startProcess } from './child-process.ts'

/** The content of a bookmark file, ready to be sent. */
export interface BookmarkSource {
  /** In bytes. */
  size: number
  open(): Readable
}

const WHY: Record<string, string> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it does not exist',
  EACCES: 'your account may not read it',
  EPERM: 'your account may not read it'
}

const SQLITE = 'SQLite format 3\0'

/**
 * A bookmark file on disk, which is only ever read. Firefox's database becomes the backup that Firefox would write.
 *
 * @throws Problem `not-found`, also if it is not a regular file
 */
export async function bookmarkSource(file: string): Promise<BookmarkSource> {
  // A pipe would wait until somebody writes into it; Windows has no such flag, and no such pipes.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error) => {
    throw new Problem('not-found', `The file ${file} cannot be read: ${WHY[error.code] ?? error.code}.`)
  })
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) {
      const kind = facts.isDirectory() ? 'it is a folder' : 'it is not a regular file'
      throw new Problem('not-found', `The file ${file} cannot be read: ${kind}.`)
    }
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SQLITE.length), 0, SQLITE.length, 0)
    if (buffer.toString('latin1', 0, bytesRead) !== SQLITE)
      return { size: facts.size, open: () => createReadStream(file) }
    const { readFirefoxPlaces } = await import('../service.ts')
    const bytes = Buffer.from(await readFirefoxPlaces(file, startProcess))
    return { size: bytes.length, open: () => Readable.from([bytes]) }
  } finally {
    await handle.close()
  }
}

/** Changes with every change of the file or of a database's log beside it; empty while there is none. */
export async function stampOf(file: string): Promise<string> {
  const facts = await Promise.all([file, `${file}-wal`].map((one) => stat(one).catch(() => undefined)))
  return facts.flatMap((one) => (one ? [`${one.ino} ${one.size} ${one.mtimeMs}`] : [])).join()
}

/** The bookmark files of this computer, for the service. */
export const bookmarkFiles: BookmarkFiles = {
  open: async (file) => (await bookmarkSource(file)).open(),
  stampOf,
  isWholePath: isAbsolute,
  ofBrowsers: () => browserFiles()
}

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
