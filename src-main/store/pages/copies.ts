import { statSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PageCopy } from '../../contract/page-copy.ts'
import { Problem } from '../../contract/problem.ts'
import { listBackups } from '../../database/backups.ts'
import { folderOf, type ReadConnection, type WriteConnection } from '../../database/connection.ts'
import { readLibraryFile } from '../../database/library-file.ts'
import { exists, readRow, readRows, readValue, readValues } from '../../database/sql.ts'
import { replaceFile } from '../../integrations/files.ts'
import { replaceState } from '../bookmarks/bookmark-state.ts'
import { recordChange, type UndoStep } from '../bookmarks/undo-steps.ts'
import type { Written } from '../calls.ts'
import { findCopy, writeCopy } from './text-rows.ts'

/**
 * Copies of pages as they were: HTML files in a folder next to the library, named by their SHA-256. They are not in the
 * library, because each backup would then contain all of them. A file stays while the library or a backup refers to it.
 */
const FOLDER = 'copies'

/** How long a file without a reference stays, in ms, because its row may not be written yet. */
const GRACE_MS = 600_000

/** Returns the copy of the page of a bookmark, by the bookmark's id; `undefined` if there is none. */
export function findCopyOf(db: ReadConnection, id: string): (PageCopy & { isMissing: boolean }) | undefined {
  const rowId = rowIdOf(db, id)
  const copy = rowId === undefined ? undefined : findCopy(db, rowId)
  return copy && { ...copy, isMissing: isMissing(db, copy) }
}

/** Whether the file of a copy is missing or has another size. */
function isMissing(db: ReadConnection, { hash, size }: Pick<PageCopy, 'hash' | 'size'>): boolean {
  return statSync(fileOf(db, hash), { throwIfNoEntry: false })?.size !== size
}

/** Returns how many copies there are, and their size in bytes. */
export function measureCopies(db: ReadConnection): { count: number; bytes: number } {
  return (
    readRow<{ count: number; bytes: number }>(db)`
      SELECT count(*) AS count, ifnull(sum(size), 0) AS bytes FROM (SELECT size FROM page_copies GROUP BY hash)` ?? {
      count: 0,
      bytes: 0
    }
  )
}

/**
 * Writes the file of a copy, completely or not at all, and returns its hash.
 *
 * @throws Problem `disk-full`
 */
export async function keepCopyFile(db: ReadConnection, copy: Uint8Array<ArrayBuffer>): Promise<string> {
  // `createHash` would block the event loop, because a copy may be 20 MB.
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', copy)).toString('hex')
  await replaceFile(fileOf(db, hash), copy, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOSPC' || error.code === 'EDQUOT') throw new Problem('disk-full', 'The disk is full.')
    throw error
  })
  return hash
}

/** Returns the file of a bookmark's copy; `undefined` if there is no copy, or its file is missing. */
export async function readCopyFile(db: ReadConnection, id: string): Promise<Uint8Array | undefined> {
  const copy = findCopyOf(db, id)
  return copy && readFile(fileOf(db, copy.hash)).catch(() => undefined)
}

/** Replaces the copy of a bookmark. The file must already be written. Returns false if there is no such bookmark. */
export function saveCopy(db: WriteConnection, id: string, copy: PageCopy): Written<boolean> {
  const rowId = rowIdOf(db, id)
  if (rowId !== undefined) writeCopy(db, rowId, copy)
  return { answer: rowId !== undefined, events: [{ kind: 'details' }] }
}

/**
 * Deletes a bookmark's copy. Returns the undo step; `undefined` if there is no copy. The file stays while the deletion
 * can be undone.
 */
export function deleteCopy(db: WriteConnection, id: string, at: number): Written<number | undefined> {
  const rowId = rowIdOf(db, id)
  const replaced = rowId === undefined ? undefined : replaceState(db, rowId, { copy: null }, at)
  if (rowId === undefined || !replaced) return { answer: undefined, events: [] }
  const step: UndoStep = { id: null, at }
  recordChange(db, step, rowId, replaced)
  return { answer: step.id ?? undefined, events: [{ kind: 'details' }] }
}

/**
 * Removes the files that neither the library nor a backup refers to. If a backup cannot be read, no file is removed,
 * because that backup may still be restored.
 */
export async function pruneCopies(db: ReadConnection): Promise<void> {
  const folder = join(folderOf(db), FOLDER)
  const files = await readdir(folder).catch(() => [])
  const named = namedCopies(db)
  const unnamed = files.filter((name) => !named.has(name))
  if (unnamed.length === 0) return
  for (const { path } of listBackups(db)) {
    try {
      for (const name of readLibraryFile(path, namedCopies)) named.add(name)
    } catch {
      return
    }
  }
  for (const name of unnamed.filter((name) => !named.has(name))) {
    const age = Date.now() - (await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs
    if (age > GRACE_MS) await rm(join(folder, name), { force: true })
  }
}

/** Returns the names of the files that a library needs, also to undo a change. Libraries before schema 360 need none. */
function namedCopies(db: Pick<ReadConnection, 'prepare'>): Set<string> {
  if (!exists(db)`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'page_copies'`) return new Set()
  const hashes = readValues<string>(db)`
    SELECT hash FROM page_copies
    UNION SELECT before ->> '$.copy.hash' FROM undo_bookmarks WHERE before ->> '$.copy.hash' IS NOT NULL`
  return new Set(hashes.map(nameOf))
}

/** Returns the number of copies, and the number of copies whose file is missing or has another size. */
export function copyFaults(db: ReadConnection): { copies: number; missing: number } {
  const rows = readRows<Pick<PageCopy, 'hash' | 'size'>>(db)`SELECT hash, size FROM page_copies`
  return { copies: rows.length, missing: rows.filter((copy) => isMissing(db, copy)).length }
}

function rowIdOf(db: ReadConnection, id: string): number | undefined {
  return readValue<number>(db)`SELECT id FROM bookmarks WHERE public_id = ${id}`
}

function fileOf(db: ReadConnection, hash: string): string {
  return join(folderOf(db), FOLDER, nameOf(hash))
}

function nameOf(hash: string): string {
  return `${hash}.html`
}
