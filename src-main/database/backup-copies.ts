import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, lstat, mkdir, open, readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Backup } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { draftOf } from '../integrations/files.ts'
import { backupsIn, findOutdated, MAX_BACKUPS, syncLargeFile, syncSlowFolder } from './backups.ts'
import { folderOf, type ReadConnection } from './connection.ts'
import { perConnection } from './sql.ts'

/** The names of Earmark's backups. Nothing else is ever removed from the owner's folder. */
const OURS = /^(?:daily|weekly|manual|before-migration|before-restore|replaced)-[\dTZ-]+\.sqlite$/

/** Names of unfinished copies end with this. */
const DRAFT = /\.[0-9a-f]{16}\.tmp$/

/** Copies that stay after a backup of another library got their name. */
const MAX_REPLACED = 3

/** A folder on a network may never answer. */
const FOLDER_TIMEOUT_MS = 5000

/** How long a copy waits for the previous one. */
const QUEUE_TIMEOUT_MS = 60_000

/** The times of a file and its copy may differ by this, because FAT has a resolution of 2 s. */
const TIME_RESOLUTION_MS = 2000

/**
 * Copies of backups in a folder that the owner chose, on another disk or machine. Everything is asynchronous and has a
 * timeout, because such a folder may not answer.
 */
const copying = perConnection(() => {
  const last: { copied: Promise<unknown>; failure: { folder: string; message: string } | undefined } = {
    copied: Promise.resolve(),
    failure: undefined
  }
  return last
})

/**
 * Copies the missing backups to a folder, each completely or not at all, and removes old copies. Copies of missing
 * backups stay until newer copies exist, because they may be the only ones after the data folder was lost. One copy runs
 * at a time.
 *
 * @throws Problem `invalid` if the folder cannot be used, `disk-full`
 */
export async function copyBackups(db: ReadConnection, folder: string): Promise<void> {
  await check(folder, folderOf(db))
  const last = copying(db)
  const before = last.copied
  const mine = before.then(async () => {
    try {
      await copyAll(folder, folderOf(db))
      last.failure = undefined
    } catch (error) {
      const problem = explained(error, folder)
      last.failure = { folder, message: problem.message }
      throw problem
    }
  })
  last.copied = mine.catch(() => {})
  await withinTime(before, QUEUE_TIMEOUT_MS, () => unusable('Backups are still being copied. Try again later.'))
  await mine
}

/** Returns a sentence about what is wrong with the copies; `undefined` if the newest backup is copied. */
export async function copyFault(db: ReadConnection, folder: string): Promise<string | undefined> {
  const data = folderOf(db)
  try {
    await check(folder, data)
  } catch (error) {
    return explained(error, folder).message
  }
  const [newest] = ownBackups(data)
  if (!newest) return undefined
  const copied = await factsOf(join(folder, nameOf(data), newest.name))
  if (copied?.size === newest.bytes) return undefined
  const { failure } = copying(db)
  return failure?.folder === folder ? failure.message : 'The newest backup has not been copied yet.'
}

async function check(folder: string, data: string): Promise<void> {
  if (!isAbsolute(folder)) throw unusable('Enter the full path of a folder.')
  await withinTime(checkFolder(folder, data), FOLDER_TIMEOUT_MS, () => unusable(`${folder} does not answer.`))
}

/** Newest first. */
function ownBackups(data: string): Backup[] {
  return backupsIn(data).filter(({ name }) => OURS.test(name))
}

async function copyAll(folder: string, data: string): Promise<void> {
  const target = join(folder, nameOf(data))
  for (const name of await readdir(target)) {
    if (DRAFT.test(name) && OURS.test(name.replace(DRAFT, ''))) await rm(join(target, name), { force: true })
  }
  const backups = ownBackups(data)
  for (const backup of backups) {
    const copied = join(target, backup.name)
    const there = await factsOf(copied)
    if (there && (await isCopy(backup, copied, there))) continue
    await copyWhole(backup, copied, there && join(target, replacedName(there.mtime)))
  }
  await syncSlowFolder(target)
  const copies = (await readdir(target)).filter((name) => OURS.test(name))
  const current = new Set(backups.map(({ name }) => name))
  for (const name of findOutdated(copies, { ...MAX_BACKUPS, replaced: MAX_REPLACED })) {
    if (!current.has(name)) await rm(join(target, name), { force: true })
  }
}

/** Each library has its own folder, so that several can share one place. */
function nameOf(data: string): string {
  const id = createHash('sha256').update(resolve(data)).digest('hex').slice(0, 6)
  return `earmark-${hostname().replace(/[^\w.-]/g, '-')}-${id}`
}

/** Returns the new name for a copy whose name another backup takes. */
function replacedName(made: Date): string {
  return `replaced-${made.toISOString().replace(/[:.]/g, '-')}.sqlite`
}

interface FileFacts {
  size: number
  mtime: Date
  mtimeMs: number
}

function factsOf(path: string): Promise<FileFacts | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/** Compares size and time, or the content if a disk changes times. */
async function isCopy({ path, at, bytes }: Backup, copied: string, there: FileFacts): Promise<boolean> {
  if (there.size !== bytes) return false
  if (Math.abs(there.mtimeMs - at) <= TIME_RESOLUTION_MS) return true
  const [hash, hashOfCopy] = await Promise.all([hashOf(path), hashOf(copied)])
  return hash === hashOfCopy
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** @param aside the new path of a file that has the name */
async function copyWhole({ path, at }: Backup, to: string, aside: string | undefined): Promise<void> {
  const draft = draftOf(to)
  try {
    await copyFile(path, draft, constants.COPYFILE_EXCL)
    await syncLargeFile(draft)
    // `isCopy` compares it.
    await utimes(draft, at / 1000, at / 1000)
    if (aside !== undefined) await rename(to, aside)
    await rename(draft, to)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

/** Checks the owner's folder, and creates the library's folder in it. */
async function checkFolder(folder: string, data: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (!found) throw unusable(`There is no folder ${folder}. Create it first, or connect the disk it is on.`)
  if (!found.isDirectory()) throw unusable(`${folder} is a file, not a folder.`)
  if (isInside(await realpath(folder), await realpath(data))) {
    throw unusable('This folder is inside the data folder, which has the backups already. Choose a folder elsewhere.')
  }
  const target = join(folder, nameOf(data))
  try {
    // Not `recursive`: Node then tries forever if a folder cannot be created (in /proc).
    await mkdir(target, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw explained(error, folder)
  }
  const facts = await lstat(target)
  if (facts.isSymbolicLink()) throw unusable(`${target} is a link. Remove it, so that Earmark can make a folder there.`)
  if (!facts.isDirectory()) throw unusable(`${target} is a file, not a folder. Move it away.`)
  const owner = await ownerOfNewFile(target).catch((error) => {
    throw explained(error, folder)
  })
  if (owner !== facts.uid) throw unusable(`${target} belongs to another user. Choose another folder.`)
}

/** Returns the owner of files created in a folder. On a network disk it may differ from this process's user. */
async function ownerOfNewFile(folder: string): Promise<number> {
  const probe = draftOf(join(folder, 'probe'))
  const handle = await open(probe, 'wx', 0o600)
  try {
    return (await handle.stat()).uid
  } finally {
    await handle.close()
    await rm(probe, { force: true })
  }
}

function isInside(folder: string, data: string): boolean {
  const way = relative(data, folder)
  return !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

/** Turns an error of the file system into a Problem. */
function explained(error: unknown, folder: string): Problem {
  if (error instanceof Problem) return error
  const { code = '' } = error as NodeJS.ErrnoException
  if (['ENOSPC', 'EDQUOT'].includes(code)) {
    return new Problem('disk-full', `There is not enough space for the backups in ${folder}. Free some space.`)
  }
  return unusable(`Earmark cannot write to ${folder}${code === '' ? '' : ` (${code})`}.`)
}

function unusable(message: string): Problem {
  return new Problem('invalid', message)
}

/**
 * Waits at most `ms` for work that cannot be cancelled, such as a disk that does not answer.
 *
 * @throws the result of `late` after that time
 */
async function withinTime<T>(work: Promise<T>, ms: number, late: () => Problem): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  // A later failure has no one to handle it.
  work.catch(() => {})
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
