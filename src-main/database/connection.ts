import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem } from '../contract/problem.ts'

declare const reads: unique symbol
declare const writes: unique symbol

/** A connection that can only read. */
export type ReadConnection = Pick<Sqlite.Database, 'name' | 'prepare' | 'pragma' | 'close'> & { [reads]: true }
/** The only connection that writes. Functions that read accept it too. */
export type WriteConnection = Sqlite.Database & { [reads]: true; [writes]: true }

/** `EMRK`, by which Earmark recognizes its own files (SQLite's header field at offset 68). */
export const APPLICATION_ID = 0x454d524b

/** Size of SQLite's page cache, in KiB, which SQLite expects as a negative number. */
const CACHE_KIB = -16_384

/** SQLite moves a log of this many pages (16 MB) into the file. After a kill, SQLite reads such a log within a second. */
const LOG_PAGES = 4000

/** A log smaller than this, in bytes, is not emptied, even if the disk is almost full. */
const SMALL_LOG_BYTES = 1024 * 1024

/** Opens the writing connection. Reads back the settings that saved data depends on. */
export function openWriteConnection(file: string): WriteConnection {
  const db = open(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = WAL')
    // The default of this SQLite build may lose committed rows on a power loss.
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    db.pragma('trusted_schema = OFF')
    db.pragma('cell_size_check = ON')
    db.pragma('journal_size_limit = 67108864')
    // Writes of indexes are spread over the whole file, and pages that were just written are often written again soon.
    db.pragma(`cache_size = ${CACHE_KIB}`)
    db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`)
    if (process.platform === 'darwin') {
      db.pragma('fullfsync = ON')
      db.pragma('checkpoint_fullfsync = ON')
    }
    assertPragmas(db, {
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      trusted_schema: 0,
      cell_size_check: 1,
      busy_timeout: 0,
      journal_size_limit: 67108864,
      cache_size: CACHE_KIB,
      wal_autocheckpoint: LOG_PAGES,
      ...(process.platform === 'darwin' ? { fullfsync: 1, checkpoint_fullfsync: 1 } : {})
    })
    return db as WriteConnection
  } catch (error) {
    db.close()
    throw asProblem(error)
  }
}

/** Opens a connection for reading a library that a writing connection already opened. */
export function openReadConnection(file: string): ReadConnection {
  const db = open(file, { readonly: true, fileMustExist: true, timeout: 1000 })
  try {
    db.pragma('query_only = ON')
    db.pragma('trusted_schema = OFF')
    db.pragma('mmap_size = 2147483648')
    assertPragmas(db, { query_only: 1, trusted_schema: 0, journal_mode: 'wal' })
    return db as unknown as ReadConnection
  } catch (error) {
    db.close()
    throw asProblem(error)
  }
}

/** Opens an empty database in memory, for temporary results. */
export function openMemory(): Sqlite.Database {
  return new Sqlite(':memory:')
}

/**
 * Returns the schema version of a library without changing the file. Opening the library for writing would already move
 * its write-ahead log into the file.
 */
export function schemaVersion(file: string): number {
  const db = open(file, { readonly: true, fileMustExist: true, timeout: 1000 })
  try {
    // A statement reads the schema, and throws if it is damaged. A writing connection would then move the log on closing.
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return db.pragma('user_version', { simple: true }) as number
  } catch (error) {
    throw asProblem(error)
  } finally {
    db.close()
  }
}

function assertPragmas(db: Sqlite.Database, expected: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(expected)) {
    const found = db.pragma(name, { simple: true })
    if (found !== value) throw new Error(`SQLite kept ${name} = ${found} where ${value} was asked for`)
  }
}

function open(file: string, options: Sqlite.Options): Sqlite.Database {
  try {
    return new Sqlite(file, options)
  } catch (error) {
    throw asProblem(error)
  }
}

/** Returns the data folder of an open library. */
export function folderOf(db: ReadConnection): string {
  return dirname(db.name)
}

/**
 * Runs a write on a disk that may be almost full. The log has up to 16 MB, and cannot be moved into the file when the
 * disk is full. So it is moved if less than twice its size is free on the disk, and again if a write finds no room.
 */
export function withRoom<T>(db: WriteConnection, write: () => T): T {
  if (logIsLarge(db)) emptyLog(db)
  try {
    return write()
  } catch (error) {
    const problem = asProblem(error)
    if (!(problem instanceof Problem) || problem.code !== 'disk-full' || !emptyLog(db)) throw error
    // The first attempt was rolled back.
    return write()
  }
}

/** Two system calls take about 10 µs, and a write to disk at least a hundred times as long. */
function logIsLarge(db: WriteConnection): boolean {
  const size = statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (size < SMALL_LOG_BYTES) return false
  const { bavail, bsize } = statfsSync(dirname(db.name))
  return bavail * bsize < 2 * size
}

/** Moves the log into the file. Returns false if that fails, such as on a full disk. */
function emptyLog(db: WriteConnection): boolean {
  try {
    db.pragma('wal_checkpoint(TRUNCATE)')
    return true
  } catch {
    return false
  }
}

/** Turns SQLite's errors about the disk or the file into Problems. Other errors are bugs and are returned unchanged. */
export function asProblem(error: unknown): unknown {
  const code = error instanceof Sqlite.SqliteError ? error.code : undefined
  if (!code) return error
  if (code === 'SQLITE_NOTADB') return new Problem('not-a-library', 'The library file is not an Earmark library.')
  const lacksTable = code === 'SQLITE_ERROR' && String(error).includes('no such table')
  if (code.startsWith('SQLITE_CORRUPT') || lacksTable)
    return new Problem('library-damaged', 'The library file is damaged.')
  if (/^SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE)/.test(code)) {
    return new Problem('disk-full', 'The disk is full. Nothing was saved; free some space and try again.')
  }
  if (/^SQLITE_(CANTOPEN|READONLY|PERM)/.test(code)) {
    return new Problem('data-folder-unusable', 'The library file cannot be opened for writing.')
  }
  return error
}

/**
 * Like `asProblem`, for errors while a library is opened. Any other error of SQLite then means that the file is damaged,
 * unless the file is locked.
 */
export function asDamage(error: unknown): unknown {
  const problem = asProblem(error)
  if (!(problem instanceof Sqlite.SqliteError) || problem.code.startsWith('SQLITE_BUSY')) return problem
  return new Problem('library-damaged', 'The library file is damaged.')
}
