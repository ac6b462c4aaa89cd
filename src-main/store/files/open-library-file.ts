import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Problem } from '../../contract/problem.ts'
import { APPLICATION_ID, asDamage, openWriteConnection, schemaVersion, type WriteConnection } from '../connection.ts'
import { makeFolder, removeDrafts } from './backups.ts'
import { syncFile, syncFolder } from './file-sync.ts'
import { assertFile } from './library-file.ts'
import { assertNotNewer, migrate } from './migrate.ts'

/**
 * Opens the library for writing, makes a new one where there is none, and brings an old one up to date with a backup
 * before the first step. A new library appears whole under its name or not at all, so an empty file is never ours.
 *
 * @throws Problem when the file is empty, damaged, foreign, or from a newer Earmark; it is left untouched
 */
export function openLibraryFile(file: string): WriteConnection {
  if (!existsSync(file)) {
    assertNoLeftovers(file)
    create(file)
  }
  assertOurs(file)
  assertNotNewer(storedVersion(file))
  let db: WriteConnection | undefined
  try {
    const opened = openWriteConnection(file)
    db = opened
    migrate(opened, (from) => backUp(opened, file, from))
    return opened
  } catch (error) {
    db?.close()
    throw asDamage(error)
  }
}

/** From the header's bytes, and only where a log may hold a newer value from SQLite, which leaves files of its own. */
function storedVersion(file: string): number {
  const log = `${file}-wal`
  return existsSync(log) && statSync(log).size > 0 ? schemaVersion(file) : readHeader(file).readInt32BE(60)
}

/** Looks at the header's bytes (sqlite.org/fileformat2.html, section 1.3), so that a foreign file is never touched. */
export function assertOurs(file: string): void {
  assertFile(file, 'write')
  const header = readHeader(file)
  if (statSync(file).size === 0) {
    throw new Problem('library-damaged', 'The library file is empty, so its bookmarks are lost. Restore a backup.')
  }
  const sqlite = header.toString('latin1', 0, 16) === 'SQLite format 3\0'
  if (!sqlite || header.readInt32BE(68) !== APPLICATION_ID) {
    throw new Problem('not-a-library', 'The library file is not an Earmark library. It was left as it is.')
  }
}

/** SQLite would replay a log that a lost library left behind into the new one. */
function assertNoLeftovers(file: string): void {
  if (!existsSync(`${file}-wal`)) return
  throw new Problem(
    'library-damaged',
    'The library file is missing, but its log is still there. Put the file back, or restore a backup.'
  )
}

function create(file: string): void {
  const draft = `${file}.new`
  for (const leftover of [draft, `${draft}-journal`, `${draft}-wal`, `${draft}-shm`]) rmSync(leftover, { force: true })
  const db = openWriteConnection(draft)
  migrate(db, () => {})
  db.close()
  renameSync(draft, file)
  syncFolder(dirname(file))
}

function backUp(db: WriteConnection, file: string, from: number): void {
  const folder = join(dirname(file), 'backups')
  makeFolder(folder)
  const target = join(folder, `before-migration-${from}.sqlite`)
  const draft = `${target}.tmp`
  removeDrafts(folder)
  db.prepare('VACUUM INTO ?').run(draft)
  syncFile(draft)
  renameSync(draft, target)
  syncFolder(folder)
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(100)
  const handle = openSync(file, 'r')
  readSync(handle, header, 0, header.length, 0)
  closeSync(handle)
  return header
}
