import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { RestoreReport } from '../contract/backup.ts'
import { Problem } from '../contract/problem.ts'
import { checkLibraryFile } from './check-library-file.ts'
import { asProblem } from './connection.ts'
import { syncFile, syncFolder } from './file-sync.ts'

/**
 * Puts a backup in the place of the library, which nobody has open. What was there is kept, its write-ahead log too:
 * SQLite would replay that into the backup, and rows would be gone without a word.
 *
 * @throws Problem when the backup is missing, damaged, foreign or from a newer Earmark; the library is untouched then
 */
export async function restoreLibraryFile(file: string, backup: string, now: number): Promise<RestoreReport> {
  const from = statSync(backup, { throwIfNoEntry: false })
  if (!from?.isFile()) throw new Problem('not-found', `There is no backup ${backup}.`)
  const draft = `${file}.restored`
  rmSync(draft, { force: true })
  await copy(backup, draft)
  const bookmarks = checkLibraryFile(draft)
  syncFile(draft)
  const kept = setAside(file, now)
  renameSync(draft, file)
  syncFolder(dirname(file))
  return { from: Math.round(from.mtimeMs), bookmarks, kept }
}

/** Through SQLite, because a copy that was made by hand may have a log of its own. */
async function copy(backup: string, draft: string): Promise<void> {
  try {
    const db = new Sqlite(backup, { readonly: true, fileMustExist: true, timeout: 1000 })
    try {
      await db.backup(draft)
    } finally {
      db.close()
    }
  } catch (error) {
    rmSync(draft, { force: true })
    throw asProblem(error)
  }
}

/** The library itself stays until the backup takes its place, so that at no time there is none. */
function setAside(file: string, now: number): string | null {
  const own = ['', '-wal', '-shm'].filter((end) => existsSync(`${file}${end}`))
  if (own.length === 0) return null
  const folder = join(dirname(file), `replaced-${new Date(now).toISOString().replace(/[:.]/g, '-')}`)
  mkdirSync(folder, { mode: 0o700 })
  for (const end of own) {
    const target = join(folder, `library.sqlite${end}`)
    if (end === '') duplicate(file, target)
    else renameSync(`${file}${end}`, target)
  }
  syncFolder(folder)
  return folder
}

/** A second name for the same bytes where the disk knows that, for a library may be large. */
function duplicate(file: string, target: string): void {
  try {
    linkSync(file, target)
  } catch {
    copyFileSync(file, target)
    syncFile(target)
  }
}
