import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Backup } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { isoTime } from '../core/iso-time.ts'
import { createQueue, type Queue } from '../core/queue.ts'
import { draftOf } from '../integrations/files.ts'
import { backupsIn, findOutdated, MAX_BACKUPS, syncLargeFile, syncSlowFolder } from './backups.ts'
import { folderOf, type ReadConnection } from './connection.ts'
import { perConnection } from './sql.ts'

/** The names of Earmark's backups. No other file is ever removed from the owner's folder. */
const OURS = /^(?:daily|weekly|manual|before-migration|before-restore)-[\dTZ-]+\.sqlite$/

/** Names of unfinished copies end with this. */
const DRAFT = /\.[0-9a-f]{16}\.tmp$/

/** Maximum wait for a folder, in ms, because a folder on a network may never answer. */
const FOLDER_TIMEOUT_MS = 5000

/**
 * Copies of backups in a folder that the owner chose, on another disk or machine. Everything is asynchronous, because
 * such a folder may be slow. One copy runs at a time.
 */
const copying = perConnection((): Copying => ({ queue: createQueue(), failure: undefined }))

interface Copying {
  queue: Queue
  /** Why the last copy failed. */
  failure: { folder: string; message: string } | undefined
}

/**
 * Copies the backups that a folder does not have, each completely or not at all, and removes old copies. A copy whose
 * backup no longer exists stays until newer copies exist, because it may be the only one after the data folder was lost.
 *
 * @throws Problem `invalid` if the folder cannot be used, `disk-full`
 */
export async function copyBackups(db: ReadConnection, folder: string): Promise<void> {
  const data = folderOf(db)
  await check(folder, data)
  const last = copying(db)
  await last.queue.add(async () => {
    try {
      await copyAll(folder, data)
      last.failure = undefined
    } catch (error) {
      const problem = explained(error, folder)
      last.failure = { folder, message: problem.message }
      throw problem
    }
  })
}

/** Returns a message about a problem with the copies; `undefined` if the newest backup is copied. */
export async function copyFault(db: ReadConnection, folder: string): Promise<string | undefined> {
  const data = folderOf(db)
  try {
    await check(folder, data)
  } catch (error) {
    return explained(error, folder).message
  }
  const [newest] = ownBackups(data)
  if (!newest || (await isCopied(newest, join(folder, nameOf(data))))) return undefined
  const { failure } = copying(db)
  return failure?.folder === folder ? failure.message : 'The newest backup has not been copied yet.'
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
    if (!(await isCopied(backup, target))) await copyWhole(backup.path, join(target, copyName(backup)))
  }
  await syncSlowFolder(target)
  const copies = (await readdir(target)).filter((name) => OURS.test(name))
  const current = new Set(backups.map(copyName))
  for (const name of findOutdated(copies, MAX_BACKUPS)) {
    if (!current.has(name)) await rm(join(target, name), { force: true })
  }
}

/** Each library has its own folder, so that several can share one place. */
function nameOf(data: string): string {
  const id = createHash('sha256').update(resolve(data)).digest('hex').slice(0, 6)
  return `earmark-${hostname().replace(/[^\w.-]/g, '-')}-${id}`
}

/** Adds the time of day to a backup's name, because a lost library may have had a backup of the same name. */
function copyName({ name, at }: Backup): string {
  return name.replace(/\.sqlite$/, `-${isoTime(at).slice(11).replace(/\D/g, '')}.sqlite`)
}

async function isCopied(backup: Backup, target: string): Promise<boolean> {
  const copy = await stat(join(target, copyName(backup))).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return copy?.size === backup.bytes
}

async function copyWhole(from: string, to: string): Promise<void> {
  const draft = draftOf(to)
  try {
    await copyFile(from, draft, constants.COPYFILE_EXCL)
    await syncLargeFile(draft)
    await rename(draft, to)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

/** @throws Problem `invalid` if the folder cannot be used */
async function check(folder: string, data: string): Promise<void> {
  if (!isAbsolute(folder)) throw unusable('Enter the full path of a folder.')
  const checking = checkFolder(folder, data)
  checking.catch(() => {}) // after the timeout nobody waits for it
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unusable(`${folder} does not answer.`)), FOLDER_TIMEOUT_MS)
  })
  await Promise.race([checking, late]).finally(() => clearTimeout(timer))
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
