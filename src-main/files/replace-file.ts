import { randomBytes } from 'node:crypto'
import { lstat, mkdir, open, readlink, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** Links that are followed, one after the other, until one is taken for a circle. */
const MAX_LINKS = 40

/**
 * Writes a file whole or not at all: into a new file beside it, which then takes its place. The new file has a random
 * name, is made by us and by nobody before (`wx`), and is only its owner's until it is complete. Where the file is a
 * link, what the link leads to is written, also where that is not there yet.
 *
 * @param mode of the file in the end, such as `0o600`
 */
export async function replaceFile(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const target = await whereLinksLead(file)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const draft = draftOf(target)
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(content)
      // The process makes its own files for their owner alone, whatever mode they are made with.
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

/** Returns a name beside a file that nobody can foresee. */
export function draftOf(file: string): string {
  return `${file}.${randomBytes(8).toString('hex')}.tmp`
}

async function whereLinksLead(file: string): Promise<string> {
  let target = file
  for (let links = 0; links < MAX_LINKS; links++) {
    const facts = await lstat(target).catch(() => undefined)
    if (!facts?.isSymbolicLink())
      return join(await realpath(dirname(target)).catch(() => dirname(target)), basename(target))
    target = resolve(dirname(target), await readlink(target))
  }
  throw new Error('a circle of links')
}
