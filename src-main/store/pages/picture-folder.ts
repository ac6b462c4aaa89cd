import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../contract/problem.ts'

/**
 * The folder of pictures beside the library, each named by what it is. They can be had again from their pages, so none
 * of it is backed up, and a missing one is no fault.
 */
const FOLDER = 'pictures'

const NAME = /^[0-9a-f]{40}\.webp$/

/** A picture may wait so long, in milliseconds, for the bookmark it was kept for. */
const GRACE_MS = 600_000

/** Keeps a picture and returns its name. */
export async function keepInFolder(data: string, picture: Uint8Array): Promise<string> {
  const folder = join(data, FOLDER)
  const name = `${createHash('sha256').update(picture).digest('hex').slice(0, 40)}.webp`
  const file = join(folder, name)
  // One that is there is as good as new.
  const known = await utimes(file, new Date(), new Date()).then(
    () => true,
    () => false
  )
  if (known) return name
  // Two pages may have the same picture at once. A draft that is left behind goes when the folder is pruned.
  const draft = `${file}.${randomUUID()}.tmp`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(draft, picture, { mode: 0o600 })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw new Problem('disk-full', 'The disk is full.')
    throw error
  }
  return name
}

/** Returns a picture by its name; `undefined` when there is none. */
export async function readFromFolder(data: string, name: string): Promise<Uint8Array | undefined> {
  if (!NAME.test(name)) return undefined
  return readFile(join(data, FOLDER, name)).catch(() => undefined)
}

/**
 * Removes the pictures that are no longer used, and the oldest where all take more than so many bytes.
 *
 * @param inUse the names that bookmarks have, asked for once the folder was read
 */
export async function pruneFolder(data: string, inUse: () => Set<string>, mostBytes: number): Promise<void> {
  const folder = join(data, FOLDER)
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name)).catch(() => ({ size: 0, mtimeMs: 0 }))
      return { name, size, mtimeMs }
    })
  )
  const used = inUse()
  let left = mostBytes
  for (const { name, size, mtimeMs } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    const wanted = used.has(name) || Date.now() - mtimeMs < GRACE_MS
    left -= wanted ? size : 0
    if (!wanted || left < 0) await rm(join(folder, name), { force: true })
  }
}
