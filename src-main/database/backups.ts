import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backup } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { folderOf, type ReadConnection } from './connection.ts'

/** The folder of backups, next to the library. */
const FOLDER = 'backups'

/** Maximum number of backups for each prefix of their names. All backups from before a migration stay. */
export const MAX_BACKUPS = { daily: 7, weekly: 4, manual: 3, 'before-restore': 2 }

/** Unfinished backups, and SQLite's files next to them. */
const DRAFT = /\.sqlite\.tmp(-journal|-wal|-shm)?$/

/** Returns the backups of an open library, newest first. */
export function listBackups(db: ReadConnection): Backup[] {
  return backupsIn(folderOf(db))
}

/**
 * Returns the names of the oldest backups of each kind, which exceed its maximum number. A name ends with the time, so
 * names of the same kind sort by time.
 */
export function findOutdated(names: string[], maxOfKind: Record<string, number>): string[] {
  return Object.entries(maxOfKind).flatMap(([kind, count]) =>
    names
      .filter((name) => name.startsWith(`${kind}-`))
      .sort()
      .toReversed()
      .slice(count)
  )
}

/** Returns the backups in a data folder, newest first. */
export function backupsIn(data: string): Backup[] {
  const folder = join(data, FOLDER)
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
  return names
    .filter((name) => name.endsWith('.sqlite'))
    .map((name) => backupAt(folder, name))
    .toSorted((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1))
}

/**
 * Makes a backup, and removes outdated ones. The backup gets its name after it is complete, on disk and checked.
 *
 * @param copy writes the library to a file
 * @param check throws if that file is damaged
 */
export async function makeBackup(
  data: string,
  name: string,
  copy: (file: string) => Promise<unknown>,
  check: (file: string) => Promise<unknown>
): Promise<Backup> {
  const folder = join(data, FOLDER)
  makeFolder(folder)
  const draft = join(folder, `${name}.tmp`)
  removeDrafts(folder)
  try {
    await copy(draft)
    await syncLargeFile(draft)
    await check(draft)
    renameSync(draft, join(folder, name))
  } catch (error) {
    removeDrafts(folder)
    throw error
  }
  syncFolder(folder)
  const names = backupsIn(data).map((backup) => backup.name)
  for (const old of findOutdated(names, MAX_BACKUPS)) rmSync(join(folder, old), { force: true })
  return backupAt(folder, name)
}

/** Returns the files of interrupted backups. Only one backup is made at a time. */
export function draftsIn(folder: string): string[] {
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
  return names.filter((name) => DRAFT.test(name)).map((name) => join(folder, name))
}

/** Otherwise SQLite would apply the journal of an old draft to a new draft of the same name. */
export function removeDrafts(folder: string): void {
  for (const file of draftsIn(folder)) rmSync(file, { force: true })
}

function backupAt(folder: string, name: string): Backup {
  const path = join(folder, name)
  const { mtimeMs, size } = statSync(path)
  return { name, path, at: Math.round(mtimeMs), bytes: size }
}

/** @throws Problem `data-folder-unusable` if a file has the name of the folder */
export function makeFolder(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats && !stats.isDirectory()) {
    throw new Problem(
      'data-folder-unusable',
      'In the data folder, “backups” is a file instead of a folder, so Earmark makes no backups. Move the file away.'
    )
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

/** Syncs a file to disk. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}

/** Syncs a large file, which may take seconds, without blocking. */
export async function syncLargeFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Syncs a folder that may be on a network. Some network folders do not support this. */
export async function syncSlowFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
  } finally {
    await handle.close()
  }
}

/** Syncs the renames in a folder. Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
