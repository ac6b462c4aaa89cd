import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import envPaths from 'env-paths'
import { Problem } from '../contract/problem.ts'

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
