import { constants, createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { Readable } from 'node:stream'
import type { BookmarkFiles } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { browserFiles } from './browser-files.ts'
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
