import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Problem } from '../contract/problem.ts'

/** What a bookmark file holds, ready to be sent. */
export interface BookmarkSource {
  /** In bytes. */
  size: number
  open(): Readable
}

const SQLITE = 'SQLite format 3\0'

/**
 * A bookmark file on disk, which is only ever read. Firefox's database becomes the backup that Firefox would write.
 *
 * @throws Problem `not-found`; a folder opens too, and fails only when it is read
 */
export async function bookmarkSource(file: string): Promise<BookmarkSource> {
  const problem = new Problem('not-found', `The file ${file} cannot be read.`)
  const handle = await open(file, 'r').catch(() => {
    throw problem
  })
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) throw problem
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SQLITE.length), 0, SQLITE.length, 0)
    if (buffer.toString('latin1', 0, bytesRead) !== SQLITE)
      return { size: facts.size, open: () => createReadStream(file) }
    const { readFirefoxPlaces } = await import('../service.ts')
    const bytes = Buffer.from(readFirefoxPlaces(file))
    return { size: bytes.length, open: () => Readable.from([bytes]) }
  } finally {
    await handle.close()
  }
}
