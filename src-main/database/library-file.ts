import { accessSync, closeSync, constants, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem } from '../contract/problem.ts'
import { makeFolder, removeDrafts, syncFile, syncFolder } from './backups.ts'
import {
  APPLICATION_ID,
  asDamage,
  openWriteConnection,
  type ReadConnection,
  schemaVersion,
  type WriteConnection
} from './connection.ts'
import { assertSupported, migrate } from './migrations.ts'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'

/**
 * Opens the library for writing, creates it if there is none, and upgrades an older one after a backup. A new library
 * appears complete under its name or not at all, so an empty file is always a damaged library.
 *
 * @throws Problem if the file is empty, damaged, foreign, or of a version that is not supported; it is not changed then
 */
export function openLibraryFile(file: string): WriteConnection {
  if (!existsSync(file)) {
    assertNoLeftovers(file)
    create(file)
  }
  assertOurs(file)
  assertSupported(storedVersion(file))
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

/** Reads the header only, unless there is a log, which may contain a newer version. SQLite itself would create files. */
function storedVersion(file: string): number {
  const log = `${file}-wal`
  return existsSync(log) && statSync(log).size > 0 ? schemaVersion(file) : readHeader(file).readInt32BE(60)
}

/** Checks the header (sqlite.org/fileformat2.html, section 1.3), so that a foreign file is never changed. */
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

const RIGHTS = { read: constants.R_OK, write: constants.R_OK | constants.W_OK }

/**
 * Must run before a file is opened: opening a pipe blocks forever, and missing rights are not damage.
 *
 * @throws Problem `not-a-library`, or `data-folder-unusable` without the right to read or write it
 */
export function assertFile(file: string, right: keyof typeof RIGHTS): void {
  if (!statSync(file).isFile()) throw new Problem('not-a-library', 'The library file is not a regular file.')
  try {
    accessSync(file, RIGHTS[right])
  } catch {
    throw new Problem(
      'data-folder-unusable',
      'The library file is read-only or belongs to another user. Earmark did not change it. Change its owner or ' +
        'permissions, then start Earmark again.'
    )
  }
}

/** SQLite would replay the log of a lost library into a new one. */
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

/**
 * Checks all pages of a library file with its log, and its tables. It changes nothing.
 *
 * @returns the number of bookmarks outside the trash
 * @throws Problem `not-a-library`, `library-damaged`, `store-too-new` or `store-too-old`
 */
export function checkLibraryFile(file: string): number {
  return readLibraryFile(file, (db) => {
    assertSupported(db.pragma('user_version', { simple: true }) as number)
    if (!isWhole(db)) throw new Problem('library-damaged', 'The library file is damaged.')
    return db.prepare('SELECT count(*) FROM bookmarks WHERE deleted_at IS NULL').pluck().get() as number
  })
}

/**
 * Reads a library file, such as a backup, which may be damaged. It changes nothing.
 *
 * @throws Problem `not-a-library` or `library-damaged`, and any error of `read`
 */
export function readLibraryFile<Answer>(file: string, read: (db: Sqlite.Database) => Answer): Answer {
  const log = `${file}-wal`
  const hadLog = existsSync(log)
  if (existsSync(file)) assertFile(file, 'read')
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 1000 })
    try {
      db.pragma('trusted_schema = OFF')
      if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
        throw new Problem('not-a-library', 'This file is not an Earmark library.')
      }
      return read(db)
    } finally {
      db.close()
      if (!hadLog && existsSync(log)) removeEmptyLog(file)
    }
  } catch (error) {
    throw asDamage(error)
  }
}

/** Whether all pages are valid and, in a library of the current version, all tables are those of the schema. */
export function isWhole(db: ReadConnection | Sqlite.Database): boolean {
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') return false
  const version = db.pragma('user_version', { simple: true })
  return version === SCHEMA_VERSION ? tablesOf(db) === currentTables() : version !== 0
}

/**
 * Removes the empty log that reading creates. SQLite does that when the last connection with write access closes; if a
 * service has started since, its log stays.
 */
function removeEmptyLog(file: string): void {
  try {
    const db = new Sqlite(file, { fileMustExist: true, timeout: 0 })
    try {
      db.pragma('schema_version')
    } finally {
      db.close()
    }
  } catch {
    // The file is damaged or read-only. An empty log does no harm.
  }
}

interface Table {
  type: string
  name: string
  sql: string | null
}

/** Returns the definitions of all tables, indexes and triggers, without SQLite's own. */
function tablesOf(db: Pick<Sqlite.Database, 'prepare'>): string {
  const all = db.prepare<[], Table>('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
  const virtual = all.filter(({ sql }) => sql?.startsWith('CREATE VIRTUAL')).map(({ name }) => `${name}_`)
  // SQLite's version decides how it defines its own tables, and it adds statistics at any time.
  const ours = all.filter(({ name }) => !['sqlite_', ...virtual].some((prefix) => name.startsWith(prefix)))
  return JSON.stringify(ours.map((table) => ({ ...table, sql: table.sql && withoutLayout(table.sql) })))
}

/** Removes what differs between a column of `CREATE TABLE` and one of `ALTER TABLE`: comments, spaces and quotes. */
function withoutLayout(sql: string): string {
  return sql
    .replace(/--.*/g, '')
    .replace(/["\s]+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')
    .trim()
}

function currentTables(): string {
  const db = new Sqlite(':memory:')
  try {
    db.exec(SCHEMA)
    return tablesOf(db)
  } finally {
    db.close()
  }
}
