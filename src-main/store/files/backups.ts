import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Backup } from '../../contract/doctor.ts'
import { Problem } from '../../contract/problem.ts'
import { folderOf, type ReadConnection } from '../connection.ts'
import { syncFolder, syncLargeFile } from './file-sync.ts'

/** The folder of backups beside the library. */
const FOLDER = 'backups'

/** How the names begin of backups that hold the library from before a restore. */
export const BEFORE_RESTORE = 'before-restore-'

/** How many of those are kept. */
const MAX_BEFORE_RESTORE = 2

/** Backups that are being written, and the files that SQLite keeps beside them. */
const DRAFT = /\.sqlite\.tmp(-journal|-wal|-shm)?$/

/** Returns the backups of an open library, newest first. */
export function listBackups(db: ReadConnection): Backup[] {
  return backupsIn(folderOf(db))
}

export function removeBackup(db: ReadConnection, name: string): void {
  rmSync(join(folderOf(db), FOLDER, name), { force: true })
}

/** Removes all but the newest backups that were made before a restore. */
export function pruneBeforeRestore(data: string): void {
  const made = backupsIn(data).filter(({ name }) => name.startsWith(BEFORE_RESTORE))
  for (const { path } of made.slice(MAX_BEFORE_RESTORE)) rmSync(path, { force: true })
}

/** Returns the backups in a data folder, newest first. */
export function backupsIn(data: string): Backup[] {
  const folder = join(data, FOLDER)
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
  return names
    .filter((name) => name.endsWith('.sqlite'))
    .map((name) => backupAt(folder, name))
    .toSorted((one, other) => other.at - one.at || (one.name < other.name ? 1 : -1))
}

/**
 * Makes a backup, which appears whole, checked and on disk, or not at all.
 *
 * @param copy writes the library to a file
 * @param check throws where that is damaged
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
  return backupAt(folder, name)
}

/** Returns the files that an interrupted backup left in this folder. One backup is made at a time. */
export function draftsIn(folder: string): string[] {
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
  return names.filter((name) => DRAFT.test(name)).map((name) => join(folder, name))
}

/** SQLite would roll the journal of an earlier draft back into one of the same name. */
export function removeDrafts(folder: string): void {
  for (const file of draftsIn(folder)) rmSync(file, { force: true })
}

function backupAt(folder: string, name: string): Backup {
  const path = join(folder, name)
  const { mtimeMs, size } = statSync(path)
  return { name, path, at: Math.round(mtimeMs), bytes: size }
}

/** @throws Problem `data-folder-unusable` where something else has its name */
export function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found && !found.isDirectory()) {
    throw new Problem(
      'data-folder-unusable',
      'In the data folder, “backups” is a file instead of a folder, so Earmark makes no backups. Move the file away.'
    )
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}
