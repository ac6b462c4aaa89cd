import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Finding } from '../../contract/doctor.ts'
import { isoTime } from '../../core/iso-time.ts'
import { draftsIn } from '../../database/backups.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { lastSeen } from '../../database/lock.ts'
import { findRecovery } from '../../database/restore.ts'
import { copyFaults } from '../pages/copies.ts'
import { picturesInUse } from '../pages/pictures.ts'

/** Checks the files around a library: its log, unfinished files, its pictures and its backups. */

export const MEND = 'Stop Earmark and run: earmark doctor --repair'

/** Files of a repair, an upgrade or a restore that was interrupted. */
const LEFTOVER = /^library\.sqlite\.(new|restored)(-journal|-wal|-shm)?$/

/** @param served whether a service has the library open. The service checked the log when it started. */
export function checkLog(folder: string, served: boolean): Finding {
  if (served || !lastSeen(folder).lostLog())
    return { check: 'log', state: 'ok', text: 'No part of the log is missing.' }
  return {
    check: 'log',
    state: 'problem',
    text: 'library.sqlite-wal is missing or empty, although Earmark was not closed properly. The last saved bookmarks may be lost.',
    advice:
      'If you have that file, put it back before Earmark starts. A newer backup may have more: earmark restore --newest'
  }
}

/** @param repair whether leftovers are removed */
export function checkLeftovers(folder: string, repair: boolean): Finding {
  const beside = readdirSync(folder).filter((name) => LEFTOVER.test(name))
  const found = [...beside.map((name) => join(folder, name)), ...draftsIn(join(folder, 'backups'))]
  if (found.length === 0) return { check: 'leftovers', state: 'ok', text: 'There are no leftover files.' }
  const text = `Files left over from interrupted work: ${found.map((file) => basename(file)).join(', ')}.`
  if (!repair) return { check: 'leftovers', state: 'problem', text, advice: MEND }
  for (const file of found) rmSync(file, { force: true })
  return { check: 'leftovers', state: 'repaired', text }
}

export function checkBackups(folder: string): Finding {
  if (statSync(join(folder, 'backups'), { throwIfNoEntry: false })?.isDirectory() === false) {
    const text = 'In the data folder, “backups” is a file instead of a folder, so Earmark makes no backups.'
    return { check: 'backups', state: 'problem', text, advice: 'Move that file away.' }
  }
  const { backup } = findRecovery(folder)
  if (backup) {
    const text = `The newest good backup is of ${isoTime(backup.at)}, bookmarks: ${backup.bookmarks}.`
    return { check: 'backups', state: 'ok', text }
  }
  return {
    check: 'backups',
    state: 'unknown',
    text: 'There is no good backup yet.',
    advice: 'Make one: earmark backup'
  }
}

/** How long a picture without a bookmark is not reported, in ms, because its bookmark may still be saved. */
const GRACE_MS = 86_400_000

/**
 * Numbers of missing and damaged pictures, hashes of pictures in the library that no bookmark has, and names of unused
 * files in the folder of pictures.
 */
export interface PictureFaults {
  missing: number
  damaged: number
  unused: string[]
  files: string[]
}

/** Checks every picture in the library, and the folder of pictures next to the library. */
export function pictureFaults(db: ReadConnection, folder: string, now: number): PictureFaults {
  const missing = db
    .prepare(
      `SELECT count(*) FROM bookmarks WHERE picture IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM pictures p WHERE p.hash = bookmarks.picture)`
    )
    .pluck()
  const unused = db
    .prepare(
      'SELECT hash FROM pictures p WHERE kept_at < ? AND NOT EXISTS (SELECT 1 FROM bookmarks WHERE picture = p.hash)'
    )
    .pluck()
  let damaged = 0
  for (const row of db.prepare('SELECT hash, bytes FROM pictures').iterate()) {
    const { hash, bytes } = row as { hash: string; bytes: Uint8Array }
    if (createHash('sha256').update(bytes).digest('hex') !== hash) damaged += 1
  }
  return {
    missing: missing.get() as number,
    damaged,
    unused: unused.all(now - GRACE_MS) as string[],
    files: strayFiles(join(folder, 'pictures'), picturesInUse(db), now)
  }
}

export function checkCopies(db: ReadConnection): Finding {
  const { copies, missing } = copyFaults(db)
  if (missing === 0) return { check: 'copies', state: 'ok', text: `All copies of pages are present: ${copies}.` }
  return {
    check: 'copies',
    state: 'problem',
    text: `Copies of pages whose files are missing or incomplete: ${missing} of ${copies}.`,
    advice: 'Put the files back into the folder “copies” of the data folder, or delete these copies in the window.'
  }
}

function strayFiles(pictures: string, inUse: Set<string>, now: number): string[] {
  if (!existsSync(pictures)) return []
  return readdirSync(pictures).filter(
    (name) => !inUse.has(name) && statSync(join(pictures, name)).mtimeMs < now - GRACE_MS
  )
}

/** Removes unused pictures from the library. */
export function removeUnused(db: WriteConnection, { unused }: PictureFaults): void {
  const remove = db.prepare('DELETE FROM pictures WHERE hash = ?')
  for (const hash of unused) remove.run(hash)
}

/** Removes unused files from the folder of pictures. */
export function removeStrayFiles(folder: string, { files }: PictureFaults): void {
  for (const name of files) rmSync(join(folder, 'pictures', name), { force: true })
}

/** @param mended whether unused pictures were removed */
export function pictureFinding({ missing, damaged, unused, files }: PictureFaults, mended: boolean): Finding {
  const needless = unused.length + files.length
  if (missing + damaged > 0) {
    const text = `Pictures of bookmarks that are missing: ${missing}; that are damaged: ${damaged}.`
    const advice =
      damaged > 0
        ? 'Restore a backup that has them: earmark restore FILE'
        : 'Import an export that has them. Your bookmarks stay as they are.'
    return { check: 'pictures', state: 'problem', text, advice }
  }
  if (needless === 0) return { check: 'pictures', state: 'ok', text: 'All pictures are present and undamaged.' }
  const text = `Pictures that no bookmark uses: ${needless}.`
  return mended
    ? { check: 'pictures', state: 'repaired', text }
    : { check: 'pictures', state: 'ok', text: `${text} Earmark removes them while it runs.` }
}
