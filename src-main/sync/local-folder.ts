import { lstat, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { Problem } from '../contract/problem.ts'
import { replaceFile } from '../integrations/files.ts'

/** The name of a file that iCloud Drive keeps on its server alone, up to macOS 13. */
const EVICTED = /^\.(.+)\.icloud$/

/** Errors of a single file or folder. Others can still be used. */
const OF_ONE = new Set(['EACCES', 'EPERM', 'ELOOP', 'EIO', 'ENAMETOOLONG'])

/** The data folder has it, and must not be copied while Earmark runs. */
const LIBRARY = 'library.sqlite'

/**
 * A folder that another program copies between machines: Syncthing, Dropbox, iCloud Drive, a network drive.
 *
 * @throws Problem `invalid` or `not-found` if it is no usable folder
 */
export async function localFolder(folder: string, root: string): Promise<FileStore> {
  if (!isAbsolute(folder))
    throw new Problem(
      'invalid',
      'Give the full path of the folder, such as /home/ada/Sync, or an address that begins with https://.'
    )
  if (await stat(join(folder, LIBRARY)).catch(() => undefined)) {
    throw new Problem('invalid', 'This is Earmark’s own data folder. Choose one that is copied between your machines.')
  }
  const facts = await stat(folder).catch(() => undefined)
  if (!facts?.isDirectory())
    throw new Problem('not-found', `There is no folder ${folder}. Make it first, or connect the disk it is on.`)
  const pathOf = (path: string) => join(folder, root, path)
  return {
    list: (path) =>
      orProblem(async () => {
        // A link leads elsewhere, or to itself.
        if (path !== '' && (await isLink(pathOf(path)))) return []
        const names = (await unlessGone(() => readdir(pathOf(path)))) ?? []
        return names.map((name) => name.replace(EVICTED, '$1'))
      }),
    read: (path, maxBytes) => orProblem(() => readOurs(pathOf(path), maxBytes)),
    write: (path, bytes) =>
      orProblem(async () => {
        const file = pathOf(path)
        for (const part of [dirname(file), file]) if (await isLink(part)) throw linked(part)
        await replaceFile(file, bytes, 0o600)
      }),
    remove: (path) => orProblem(() => rm(pathOf(path), { force: true }))
  }
}

/** A link, a pipe or a file larger than any of ours, which others may have put there, is not read. */
async function readOurs(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const facts = await lstat(path).catch(() => undefined)
  if (facts && (!facts.isFile() || facts.size > maxBytes)) return undefined
  return unlessGone(() => readFile(path))
}

async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  return work().catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}

/** Whatever a link leads to would be written outside the folder. */
async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true
}

function linked(path: string): Problem {
  return new Problem('invalid', `There is a link in the sync folder. Remove it: ${path}`)
}

async function orProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'ENOSPC' || code === 'EDQUOT') throw folderFull()
    const text = `The sync folder cannot be used (${code}). Earmark tries again.`
    throw new Problem(OF_ONE.has(code) ? 'forbidden' : 'not-found', text)
  }
}

/** Where files are: a folder of this machine, or one on a server. Paths begin in `earmark-sync`, with `/` between names. */
export interface FileStore {
  /**
   * Names in a folder, and possibly its own; none if there is no such folder.
   *
   * @throws Problem `forbidden` if this folder cannot be read, though others may
   */
  list(folder: string): Promise<string[]>
  /** `undefined` if there is no such file, or it is larger than so many bytes. */
  read(path: string, maxBytes: number): Promise<Buffer | undefined>
  /** Writes a file whole or not at all, and makes its folder. */
  write(path: string, bytes: Buffer): Promise<void>
  remove(path: string): Promise<void>
}

export function folderFull(): Problem {
  return new Problem('disk-full', 'There is no room in the sync folder.')
}
