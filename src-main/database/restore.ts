import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Recovery, RestoreReport } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { isoTime } from '../core/iso-time.ts'
import { backupsIn, makeBackup, syncFile, syncFolder } from './backups.ts'
import { asProblem } from './connection.ts'
import { checkLibraryFile, openLibraryFile } from './library-file.ts'
import { lastSeen } from './lock.ts'

/**
 * Replaces the library, which must not be open, with a backup. The old library becomes a backup, so that the restore can
 * be undone; if it is damaged, its files are kept in a folder. Its write-ahead log is moved with it, because SQLite would
 * replay the log into the restored library, and rows would be lost without an error.
 *
 * @param session the hash of the only session that stays valid
 * @throws Problem if the backup is missing, damaged, foreign or of a version that is not supported; the library is
 *   unchanged then
 */
export async function restoreLibraryFile(
  file: string,
  backup: string,
  now: number,
  session?: Uint8Array
): Promise<RestoreReport> {
  const from = statSync(backup, { throwIfNoEntry: false })
  if (!from?.isFile()) throw new Problem('not-found', `There is no backup ${backup}.`)
  const draft = `${file}.restored`
  rmSync(draft, { force: true })
  await copy(backup, draft)
  const bookmarks = checkLibraryFile(draft)
  const former = readFormer(file, session)
  prepareDraft(draft, former ?? { revoked: [], client: null }, now, session)
  syncFile(draft)
  // The old library is backed up before it is replaced, so that an interrupted restore never hides it.
  const listed = await backUpOld(file, now)
  const aside = setAside(file, now, draft)
  lastSeen(dirname(file)).closed()
  if (listed !== undefined && aside !== null) rmSync(aside, { recursive: true, force: true })
  return {
    from: Math.round(from.mtimeMs),
    bookmarks,
    kept: listed ?? aside,
    keptAsBackup: listed !== undefined,
    keysUnknown: former ? undefined : true
  }
}

/**
 * Makes a backup of the library that is about to be replaced.
 *
 * @returns the backup's path; `undefined` if there is no library, it is damaged or no file, or the disk is full
 */
async function backUpOld(file: string, now: number): Promise<string | undefined> {
  const data = dirname(file)
  const name = `before-restore-${isoTime(now).replace(/[:.]/g, '-')}.sqlite`
  try {
    if (!statSync(file).isFile()) return undefined // opening a pipe blocks forever
    const { path } = await makeBackup(
      data,
      name,
      (target) => copy(file, target),
      async (target) => checkLibraryFile(target)
    )
    return path
  } catch {
    return undefined
  }
}

/** Copies through SQLite, because a copy made by hand may have a log. */
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
 * Ends all sessions but one, keeps revoked keys revoked, and makes the library a new device of synchronization. New undo
 * steps and imports get ids that were never used: a page may still offer to undo a step made after the backup.
 */
function prepareDraft(
  draft: string,
  { revoked, client }: FormerLibrary,
  now: number,
  session: Uint8Array | undefined
): void {
  const db = new Sqlite(draft)
  try {
    db.exec('DELETE FROM sessions')
    const addSession = db.prepare('INSERT INTO sessions (hash, created_at, seen_at, client) VALUES (?, ?, ?, ?)')
    if (session) addSession.run(session, now, now, client)
    const revoke = db.prepare('UPDATE api_keys SET revoked_at = ? WHERE hash = ? AND revoked_at IS NULL')
    for (const { hash, at } of revoked) revoke.run(at, hash)
    markAsCopy(db)
    for (const table of ['undo_steps', 'imports']) {
      const { changes } = db.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(now, table)
      if (changes === 0) db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, now)
    }
  } finally {
    db.close()
  }
}

/**
 * Marks a library as a copy, so that its next synchronization makes it a new device: the former device may have written
 * segments that have not reached this machine. The mark is a row of `sync_devices` for the device itself.
 *
 * @param hasLost whether rows may be missing. The device then reads everything again, including its own segments.
 */
export function markAsCopy(db: Sqlite.Database, hasLost = false): void {
  if (hasLost) db.exec('DELETE FROM sync_devices')
  // -1 is before the first snapshot, which follows segment 0.
  const upTo = hasLost ? '-1' : 'ifnull((SELECT number - 1 FROM sync_outbox), segment)'
  db.exec(`
    INSERT OR IGNORE INTO sync_devices (device, name, up_to, seen_at) SELECT device, name, ${upTo}, 0 FROM sync_state`)
}

/** The data of the replaced library that a restore keeps. */
interface FormerLibrary {
  revoked: { hash: Uint8Array; at: number }[]
  /** The browser of the session that stays valid. */
  client: string | null
}

/** Returns no revoked keys if there never was a library, and `undefined` if it cannot be read. */
function readFormer(file: string, session: Uint8Array | undefined): FormerLibrary | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat && lastSeen(dirname(file)).read() === 'never') return { revoked: [], client: null }
  if (!stat?.isFile()) return undefined // opening a pipe blocks forever
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 1000 })
    try {
      const revoked = db.prepare<[], FormerLibrary['revoked'][number]>(
        'SELECT hash, revoked_at AS at FROM api_keys WHERE revoked_at IS NOT NULL'
      )
      if (!session) return { revoked: revoked.all(), client: null }
      const client = db.prepare<[Uint8Array], string | null>('SELECT client FROM sessions WHERE hash = ?').pluck()
      return { revoked: revoked.all(), client: client.get(session) ?? null }
    } finally {
      db.close()
    }
  } catch {
    return undefined
  }
}

/**
 * Moves the files of a library to a new folder and puts the replacement, if any, in its place. A library without a log is
 * replaced in one step. A library with a log is moved before its log: if that is interrupted, the next start reports a
 * missing library, while a library without its log would open with rows missing.
 *
 * @returns the folder; `null` if there were no files
 */
export function setAside(file: string, now: number, replacement?: string): string | null {
  const ends = ['', '-wal', '-shm'].filter((end) => existsSync(`${file}${end}`))
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  const folder = join(dirname(file), `replaced-${isoTime(now).replace(/[:.]/g, '-')}`)
  if (ends.length > 0) mkdirSync(folder, { mode: 0o700 })
  for (const end of ends) {
    const target = join(folder, `library.sqlite${end}`)
    if (end === '' && replacement !== undefined && !hasLog && statSync(file).isFile()) duplicate(file, target)
    else renameSync(`${file}${end}`, target)
  }
  if (ends.length > 0) syncFolder(folder)
  if (replacement !== undefined) renameSync(replacement, file)
  syncFolder(dirname(file))
  return ends.length > 0 ? folder : null
}

/** Creates a hard link if the disk supports it, and a copy otherwise, because a library may be large. */
function duplicate(file: string, target: string): void {
  try {
    linkSync(file, target)
  } catch {
    copyFileSync(file, target)
    syncFile(target)
  }
}

/**
 * Returns the newest intact backup. Backups from before a restore are tried last, because the owner chose to replace
 * those libraries.
 */
export function findRecovery(folder: string): Recovery {
  const beforeRestore = (name: string) => name.startsWith('before-restore-')
  const backups = backupsIn(folder)
  const candidates = [
    ...backups.filter(({ name }) => !beforeRestore(name)),
    ...backups.filter(({ name }) => beforeRestore(name))
  ]
  for (const { name, path, at } of candidates) {
    try {
      return { backup: { name, path, at, bookmarks: checkLibraryFile(path) } }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }
  return { backup: null }
}

/**
 * Replaces a library that cannot be opened with an empty one, and keeps its files.
 *
 * @returns the folder with the files; `null` if there were none
 * @throws Problem `invalid` if the library is intact
 */
export function startEmpty(folder: string, now: number): string | null {
  const file = join(folder, 'library.sqlite')
  if (isIntact(file)) {
    throw new Problem('invalid', 'The library can be opened, so Earmark does not replace it with an empty one.')
  }
  const kept = setAside(file, now)
  openLibraryFile(file).close()
  lastSeen(folder).closed()
  return kept
}

function isIntact(file: string): boolean {
  try {
    checkLibraryFile(file)
    return true
  } catch {
    return false
  }
}
