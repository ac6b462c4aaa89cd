import { constants, createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { Readable } from 'node:stream'
import type { BookmarkFiles } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { browserFiles } from '../integrations/browsers.ts'
import { startProcess } from './own-program.ts'

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

/** Returns a text that is different after the file, or a database's log, has changed; empty if there is no file. */
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
