import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import envPaths from 'env-paths'
import type { Finding } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { syncedBy } from '../core/doctor-findings.ts'

/**
 * The folder of the library, made where it is missing and closed to other users. From here on this process makes no
 * file that others can read.
 *
 * @param chosen what `--data` says; the platform's application-data folder where it says nothing
 * @throws Problem `data-folder-unusable`
 */
export function prepareDataFolder(chosen?: string): string {
  if (chosen === '') throw new Problem('data-folder-unusable', '--data needs the name of a folder.')
  const folder = chosen === undefined ? usualFolder() : resolve(chosen)
  process.umask(0o077)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch {
    throw new Problem(
      'data-folder-unusable',
      `Earmark cannot create or write to the data folder ${folder}. Choose another one with --data.`
    )
  }
  const files = readdirSync(folder)
  if (files.length === 0 || files.some((name) => OURS.includes(name))) closeToOthers(folder)
  else if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0) {
    throw new Problem(
      'data-folder-unusable',
      `The folder ${folder} contains other files, and other users can read it. Choose an empty folder with --data.`
    )
  }
  return folder
}

/** @throws Problem `data-folder-unusable` where the folder is another user's */
function closeToOthers(folder: string): void {
  try {
    chmodSync(folder, 0o700)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
    throw new Problem(
      'data-folder-unusable',
      `The folder ${folder} belongs to another user of this computer (user id ${statSync(folder).uid}), so Earmark ` +
        'cannot make it private. Run Earmark as that user, or choose a folder of your own with --data.'
    )
  }
}

/** The platform's application-data folder for Earmark. */
export function usualFolder(): string {
  return envPaths('Earmark', { suffix: '' }).data
}

/** Names that show that a folder is Earmark's. */
const OURS = ['library.sqlite', 'earmark.lock']

/** Whether only the owner can read the data folder and what is in it. Windows has no such modes. */
export function lookAtFolder(folder: string, repair: boolean): Finding {
  const open = process.platform === 'win32' ? [] : [folder, ...filesBelow(folder)].filter(isOpen)
  if (open.length === 0) return { check: 'folder', state: 'ok', text: `Only your account can read ${folder}.` }
  const text = `Other users of this computer can read ${open.length} of the files and folders in ${folder}.`
  if (!repair) return { check: 'folder', state: 'problem', text, advice: 'Run: earmark doctor --repair' }
  for (const path of open) chmodSync(path, statSync(path).mode & 0o700)
  return { check: 'folder', state: 'repaired', text }
}

/** The desktop's own files are Chromium's to guard, behind a folder that nobody else may enter. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink() && entry.name !== 'desktop')
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? [path, ...filesBelow(path)] : [path]
    })
}

function isOpen(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false })
  return facts !== undefined && (facts.mode & 0o077) !== 0
}

/** The program that syncs the data folder with other places, as far as names tell. */
export function syncsFolder(folder: string): string | undefined {
  return syncedBy(folder, (path, name) => existsSync(join(path, name)))
}
