import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { Problem } from '../contract/problem.ts'

/** Largest file of another program that is read, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Reads a text file of another program, which may be anything: only a regular file of at most 8 MB in UTF-8 is read. A
 * byte order mark stays in the text.
 *
 * @returns `undefined` where there is no file
 * @throws Problem `invalid` where it is something else, `too-large`, or `forbidden` where it may not be read
 */
export async function readForeignText(file: string): Promise<string | undefined> {
  // Opening a pipe without O_NONBLOCK waits until somebody writes into it. Windows has no such flag, and no such pipes.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new Problem('forbidden', `${file} cannot be read.`)
  })
  if (!handle) return undefined
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) throw new Problem('invalid', `${file} is not a file. Move it away and try again.`)
    if (facts.size > MAX_BYTES) {
      throw new Problem('too-large', `${file} has more than 8 MB. Earmark does not change a file of that size.`)
    }
    const bytes = Buffer.alloc(facts.size)
    const { bytesRead } = await handle.read(bytes, 0, facts.size, 0)
    return decode(bytes.subarray(0, bytesRead), file)
  } finally {
    await handle.close()
  }
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Problem('invalid', `${file} is not in UTF-8. Save it in that encoding and try again.`)
  }
}
