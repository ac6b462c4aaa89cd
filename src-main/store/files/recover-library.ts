import { join } from 'node:path'
import type { Recovery } from '../../contract/doctor.ts'
import { Problem } from '../../contract/problem.ts'
import { BEFORE_RESTORE, backupsIn } from './backups.ts'
import { checkLibraryFile } from './check-library-file.ts'
import { lastSeen } from './last-seen.ts'
import { openLibraryFile } from './open-library-file.ts'
import { setAside } from './restore-library-file.ts'

/**
 * The newest intact backup in a data folder. A library from before a restore comes last: its owner chose to replace it.
 */
export function findRecovery(folder: string): Recovery {
  const [replaced = [], others = []] = [true, false].map((before) =>
    backupsIn(folder).filter(({ name }) => name.startsWith(BEFORE_RESTORE) === before)
  )
  for (const { name, path, at } of [...others, ...replaced]) {
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
