import { constants, createReadStream } from 'node:fs'
import { access, open, readdir, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { Readable } from 'node:stream'
import type { BookmarkFiles } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { type Machine, thisMachine } from '../integrations/files.ts'
import { startProcess } from './own-program.ts'

/** The content of a bookmark file. */
interface BookmarkSource {
  /** In bytes. */
  size: number
  open(): Readable
}

const REASONS: Record<string, string> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it does not exist',
  EACCES: 'your account may not read it',
  EPERM: 'your account may not read it'
}

const SQLITE = 'SQLite format 3\0'

/**
 * Opens a bookmark file for reading. Firefox's database is converted to the backup that Firefox would write.
 *
 * @throws Problem `not-found`, also if it is not a regular file
 */
export async function bookmarkSource(file: string): Promise<BookmarkSource> {
  // Without O_NONBLOCK, opening a pipe waits for a writer. Windows has neither the flag nor such pipes.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error) => {
    throw new Problem('not-found', `The file ${file} cannot be read: ${REASONS[error.code] ?? error.code}.`)
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
    const { readPlaces } = await import('../store/files/read-places.ts')
    const bytes = Buffer.from(await readPlaces(file, startProcess))
    return { size: bytes.length, open: () => Readable.from([bytes]) }
  } finally {
    await handle.close()
  }
}

/** A text that changes with the file or with the log of a database; empty if there is no file. */
async function stampOf(file: string): Promise<string> {
  const facts = await Promise.all([file, `${file}-wal`].map((path) => stat(path).catch(() => undefined)))
  return facts.flatMap((fact) => (fact ? [`${fact.ino} ${fact.size} ${fact.mtimeMs}`] : [])).join()
}

/** The bookmark files of this computer, for the service. */
export const bookmarkFiles: BookmarkFiles = {
  open: async (file) => (await bookmarkSource(file)).open(),
  stampOf,
  isWholePath: isAbsolute,
  ofBrowsers: () => browserFiles()
}

/** Returns the existing files in which browsers keep bookmarks. */
export async function browserFiles({ platform, home, env }: Machine = thisMachine()): Promise<string[]> {
  const { chromium, firefox } = foldersOf(platform, home, env)
  const files = [
    ...(await filesIn(chromium, 'Bookmarks', /^(Default|Profile \d+)$/)),
    ...(await filesIn(firefox, 'places.sqlite', /./))
  ]
  const exist = await Promise.all(files.map(exists))
  return files.filter((_, index) => exist[index])
}

/** Folders that contain profiles. */
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

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false
  )
}
