import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs'
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
  const folder = chosen === undefined ? envPaths('Earmark', { suffix: '' }).data : resolve(chosen)
  process.umask(0o077)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    accessSync(folder, constants.W_OK)
  } catch {
    throw new Problem(
      'data-folder-unusable',
      `The data folder ${folder} cannot be made or written. Choose another: --data`
    )
  }
  return folder
}
