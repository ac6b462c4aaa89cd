import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../contract/doctor.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { picturesInUse } from '../pages/pictures.ts'

/** A picture kept less than this long ago, in milliseconds, may still get its bookmark. */
const GRACE_MS = 86_400_000

/** The schema that first held pictures. */
const SINCE = 100

/** Faults of pictures by their hashes, and unused pictures by their hashes and the names of their files. */
export interface PictureFaults {
  missing: number
  damaged: number
  unused: string[]
  files: string[]
}

/** Looks at every picture that is kept in the library, and at the folder of small copies beside it. */
export function pictureFaults(db: ReadConnection, folder: string, now: number): PictureFaults {
  if ((db.pragma('user_version', { simple: true }) as number) < SINCE) return NONE
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

const NONE: PictureFaults = { missing: 0, damaged: 0, unused: [], files: [] }

function strayFiles(pictures: string, inUse: Set<string>, now: number): string[] {
  if (!existsSync(pictures)) return []
  return readdirSync(pictures).filter(
    (name) => !inUse.has(name) && statSync(join(pictures, name)).mtimeMs < now - GRACE_MS
  )
}

/** Removes the pictures that are of no use. */
export function removeUnused(db: WriteConnection, { unused }: PictureFaults): void {
  const remove = db.prepare('DELETE FROM pictures WHERE hash = ?')
  for (const hash of unused) remove.run(hash)
}

/** Removes the small copies that are of no use. */
export function removeStrayFiles(folder: string, { files }: PictureFaults): void {
  for (const name of files) rmSync(join(folder, 'pictures', name), { force: true })
}

/** @param mended those of no use were removed */
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
