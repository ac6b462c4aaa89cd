import { accessSync, constants, statSync } from 'node:fs'
import { Problem } from '../../contract/problem.ts'

const RIGHTS = { read: constants.R_OK, write: constants.R_OK | constants.W_OK }

/**
 * Before anything opens it: opening a pipe waits for ever, and what may not be read says nothing about the library.
 *
 * @throws Problem `not-a-library`, or `data-folder-unusable` where this user may not read it, or write it
 */
export function assertFile(file: string, to: keyof typeof RIGHTS): void {
  if (!statSync(file).isFile()) throw new Problem('not-a-library', 'The library file is not a regular file.')
  try {
    accessSync(file, RIGHTS[to])
  } catch {
    throw new Problem(
      'data-folder-unusable',
      'The library file is read-only or belongs to another user. Earmark did not change it. Change its owner or ' +
        'permissions, then start Earmark again.'
    )
  }
}
