import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { RestoreReport } from '../../contract/doctor.ts'
import { Problem } from '../../contract/problem.ts'
import { isoTime } from '../../core/iso-time.ts'
import { asProblem } from '../connection.ts'
import { markAsCopy } from '../sync/copied-library.ts'
import { BEFORE_RESTORE, makeBackup, pruneBeforeRestore } from './backups.ts'
import { checkLibraryFile } from './check-library-file.ts'
import { syncFile, syncFolder } from './file-sync.ts'
import { lastSeen } from './last-seen.ts'

/**
 * Puts a backup in the place of the library, which nobody has open. The old library becomes a backup itself, so that a
 * restore can be undone; if it is damaged, its files are kept in a folder. Its write-ahead log goes with it: SQLite would
 * replay that into the restored library, and rows would be lost without notice.
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
  const revoked = revokedKeys(file)
  keepShutOut(draft, revoked ?? [])
  numberAnew(draft, now)
  syncFile(draft)
  // Before it is replaced: a restore that is cut short never leaves the old library where nobody looks.
  const listed = await backUpOld(file, now)
  const aside = setAside(file, now, draft)
  lastSeen(dirname(file)).closed()
  if (listed !== undefined && aside !== null) rmSync(aside, { recursive: true, force: true })
  return {
    from: Math.round(from.mtimeMs),
    bookmarks,
    kept: listed ?? aside,
    keptAsBackup: listed !== undefined,
    keysUnknown: revoked ? undefined : true
  }
}

/**
 * Makes a backup of the library that is about to be replaced.
 *
 * @returns the backup's file; `undefined` if there is no library, it is damaged or no file, or the disk is full
 */
async function backUpOld(file: string, now: number): Promise<string | undefined> {
  const data = dirname(file)
  const name = `${BEFORE_RESTORE}${isoTime(now).replace(/[:.]/g, '-')}.sqlite`
  try {
    if (!statSync(file).isFile()) return undefined // opening a pipe waits forever
    const { path } = await makeBackup(
      data,
      name,
      (target) => copy(file, target),
      async (target) => checkLibraryFile(target)
    )
    pruneBeforeRestore(data)
    return path
  } catch {
    return undefined
  }
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

/**
 * Keys that were revoked since the backup stay revoked, and all sessions end. With
 * several machines, the library is a new device from now on.
 */
function keepShutOut(draft: string, revoked: RevokedKey[]): void {
  const db = new Sqlite(draft)
  try {
    db.exec('DELETE FROM sessions')
    markAsCopy(db)
    const revoke = db.prepare('UPDATE api_keys SET revoked_at = ? WHERE hash = ? AND revoked_at IS NULL')
    for (const { hash, at } of revoked) revoke.run(at, hash)
  } finally {
    db.close()
  }
}

/**
 * Steps and imports made from now on have ids of their own: a page, or a report, may still offer to undo one that was made
 * after the backup.
 */
function numberAnew(draft: string, now: number): void {
  const db = new Sqlite(draft)
  try {
    for (const table of ['undo_steps', 'imports']) {
      // A library from before there were any has no such table.
      if (!db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table)) continue
      const { changes } = db.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(now, table)
      if (changes === 0) db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, now)
    }
  } finally {
    db.close()
  }
}

interface RevokedKey {
  hash: Uint8Array
  at: number
}

/** Returns the revoked keys of a library: none where there never was one, `undefined` where it is damaged, foreign or gone. */
function revokedKeys(file: string): RevokedKey[] | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat && lastSeen(dirname(file)).read() === 'never') return []
  if (!stat?.isFile()) return undefined // opening a pipe waits for ever
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 1000 })
    try {
      return db
        .prepare<[], RevokedKey>('SELECT hash, revoked_at AS at FROM api_keys WHERE revoked_at IS NOT NULL')
        .all()
    } finally {
      db.close()
    }
  } catch {
    return undefined
  }
}

/**
 * Moves the files of a library to a folder of their own, and another in its place where one is given. One that was
 * closed, and so has no log, is replaced in one step. One with a log goes before its log does: cut short in between, no
 * library is there, which is told at the next start, while one without its log would open with rows gone.
 *
 * @returns the folder, `null` where there was nothing to keep
 */
export function setAside(file: string, now: number, replacement?: string): string | null {
  const own = ['', '-wal', '-shm'].filter((end) => existsSync(`${file}${end}`))
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  const folder = join(dirname(file), `replaced-${isoTime(now).replace(/[:.]/g, '-')}`)
  if (own.length > 0) mkdirSync(folder, { mode: 0o700 })
  for (const end of own) {
    const target = join(folder, `library.sqlite${end}`)
    if (end === '' && replacement !== undefined && !hasLog && statSync(file).isFile()) duplicate(file, target)
    else renameSync(`${file}${end}`, target)
  }
  if (own.length > 0) syncFolder(folder)
  if (replacement !== undefined) renameSync(replacement, file)
  syncFolder(dirname(file))
  return own.length > 0 ? folder : null
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
