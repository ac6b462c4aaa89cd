import { join } from 'node:path'
import type { Recovery } from '../../contract/backup.ts'
import { Problem } from '../../contract/problem.ts'
import { backupsIn } from './backups.ts'
import { checkLibraryFile } from './check-library-file.ts'
import { lastSeen } from './last-seen.ts'
import { openLibraryFile } from './open-library-file.ts'
import { setAside } from './restore-library-file.ts'

/** The newest backup in a data folder that is whole; each is looked through until one is. */
export function findRecovery(folder: string): Recovery {
  for (const { name, path, at } of backupsIn(folder)) {
    try {
      return { backup: { name, path, at, bookmarks: checkLibraryFile(path) } }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }
  return { backup: null }
}

/**
 * Puts an empty library in the place of one that cannot be opened. What was there is kept.
 *
 * @returns the folder it is kept in; `null` where there was nothing
 * @throws Problem `invalid` when the library is whole
 */
export function startEmpty(folder: string, now: number): string | null {
  const file = join(folder, 'library.sqlite')
  if (isWhole(file))
    throw new Problem('invalid', 'The library can be opened, so Earmark does not replace it with an empty one.')
  const kept = setAside(file, now)
  openLibraryFile(file).close()
  lastSeen(folder).closed()
  return kept
}

function isWhole(file: string): boolean {
  try {
    checkLibraryFile(file)
    return true
  } catch {
    return false
  }
}
