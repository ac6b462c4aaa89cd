import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import envPaths from 'env-paths'
import type { Finding } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { syncedBy } from '../core/doctor-findings.ts'

/**
 * Creates the data folder if it is missing, and makes it private. From then on, this process creates no file that other
 * users can read.
 *
 * @param chosen the value of `--data`; without it the platform's application-data folder
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
  if (files.length === 0 || files.some((name) => OWN_FILES.includes(name))) makePrivate(folder)
  else if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0) {
    throw new Problem(
      'data-folder-unusable',
      `The folder ${folder} contains other files, and other users can read it. Choose an empty folder with --data.`
    )
  }
  return folder
}

/** @throws Problem `data-folder-unusable` if the folder belongs to another user */
function makePrivate(folder: string): void {
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

/** File names that identify a folder as Earmark's. */
const OWN_FILES = ['library.sqlite', 'earmark.lock']

/** Checks, and with `repair` ensures, that only the owner can read the data folder. Windows has no such file modes. */
export function checkFolder(folder: string, repair: boolean): Finding {
  const readable = process.platform === 'win32' ? [] : [folder, ...filesBelow(folder)].filter(isReadableByOthers)
  if (readable.length === 0) return { check: 'folder', state: 'ok', text: `Only your account can read ${folder}.` }
  const text = `Other users of this computer can read ${readable.length} of the files and folders in ${folder}.`
  if (!repair) return { check: 'folder', state: 'problem', text, advice: 'Run: earmark doctor --repair' }
  for (const path of readable) chmodSync(path, statSync(path).mode & 0o700)
  return { check: 'folder', state: 'repaired', text }
}

/**
 * Lists the files and folders below a folder. Leaves out the desktop's files, because Chromium sets their modes, and
 * other users cannot enter their folder.
 */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink() && entry.name !== 'desktop')
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? [path, ...filesBelow(path)] : [path]
    })
}

function isReadableByOthers(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false })
  return facts !== undefined && (facts.mode & 0o077) !== 0
}

/** Returns the program that syncs the data folder with other machines, judged by file and folder names. */
export function findSyncProgram(folder: string): string | undefined {
  return syncedBy(folder, (path, name) => existsSync(join(path, name)))
}
