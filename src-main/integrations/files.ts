import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readlink, realpath, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { Problem } from '../contract/problem.ts'

/** Maximum size of another program's file, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Reads a text file of another program: only a regular file of at most 8 MB in UTF-8. A byte order mark stays in the
 * text.
 *
 * @returns `undefined` if there is no file
 * @throws Problem `invalid` if it is no regular file or not UTF-8, `too-large`, or `forbidden` if it may not be read
 */
export async function readForeignText(file: string): Promise<string | undefined> {
  // Without O_NONBLOCK, opening a pipe waits for a writer. Windows has neither the flag nor such pipes.
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

/** Maximum number of links to follow. More links are probably a circle. */
const MAX_LINKS = 40

/**
 * Writes a file completely or not at all: writes a new file in the same folder, syncs it, and renames it. The new file
 * has a random name, must not exist (`wx`), and only its owner can read it until it is complete. Links are followed,
 * also to a file that does not exist yet.
 *
 * @param mode the file's final mode, such as `0o600`
 * @param signal stops writing
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array | Readable,
  mode: number,
  signal?: AbortSignal
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const target = await resolveLinks(file)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const draft = draftOf(target)
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(content, { signal })
      // The process's umask may have removed bits of the mode.
      await handle.chmod(mode)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Returns the random name of a temporary file in the same folder. */
export function draftOf(file: string): string {
  return `${file}.${randomBytes(8).toString('hex')}.tmp`
}

async function resolveLinks(file: string): Promise<string> {
  let target = file
  for (let links = 0; links < MAX_LINKS; links++) {
    const facts = await lstat(target).catch(() => undefined)
    if (!facts?.isSymbolicLink())
      return join(await realpath(dirname(target)).catch(() => dirname(target)), basename(target))
    target = resolve(dirname(target), await readlink(target))
  }
  throw new Error('a circle of links')
}

/** Facts that decide where other programs keep their files. */
export interface Machine {
  platform: NodeJS.Platform
  home: string
  env: NodeJS.ProcessEnv
}

export function thisMachine(): Machine {
  return { platform: process.platform, home: homedir(), env: process.env }
}
