import { existsSync, lstatSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem } from '../contract/problem.ts'

/** Without a reference, a lock would be garbage-collected, which frees it. */
const locks = new Set<Sqlite.Database>()

/**
 * Makes this process the only one that works on the library in `folder`. The lock is an open SQLite transaction, so
 * the operating system frees it however the process ends.
 *
 * @returns a function that frees the lock
 * @throws Problem `library-in-use` if another process has the lock, `data-folder-unusable` if the file cannot be locked
 */
export function lockLibrary(folder: string): () => void {
  const file = join(folder, 'earmark.lock')
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats && !stats.isFile()) throw unusable('is not a file')
  const db = beginExclusive(file) ?? emptyAndLock(file)
  const unlock = () => {
    locks.delete(db)
    db.close()
  }
  locks.add(db)
  return unlock
}

/** @returns `undefined` if another program wrote into the lock's file, which is empty otherwise */
function beginExclusive(file: string): Sqlite.Database | undefined {
  let db: Sqlite.Database | undefined
  try {
    db = new Sqlite(file, { timeout: 0 })
    db.pragma('journal_mode = MEMORY')
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db?.close()
    const code = error instanceof Sqlite.SqliteError ? error.code : ''
    if (code.startsWith('SQLITE_BUSY')) {
      const text = 'Earmark is running with this library. Stop it, for example with earmark stop, then try again.'
      throw new Problem('library-in-use', text)
    }
    // SQLite reads the file only after it got the lock.
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return undefined
    throw unusable('cannot be written')
  }
}

/** Empties the file in place, so that a process that starts at the same moment locks the same file. */
function emptyAndLock(file: string): Sqlite.Database {
  try {
    truncateSync(file)
  } catch {
    throw unusable('cannot be written')
  }
  const db = beginExclusive(file)
  if (!db) throw unusable('has other content')
  return db
}

function unusable(what: string): Problem {
  return new Problem(
    'data-folder-unusable',
    `earmark.lock in the data folder ${what}. Earmark did not open the library. Remove earmark.lock, then start Earmark again.`
  )
}

/**
 * The state of the library since Earmark last had it open: `never` opened here; `whole`, closed and not changed since;
 * `unclean`, still open when its process ended; `damaged`; or `changed` after it was closed.
 */
export type LastSeen = 'never' | 'whole' | 'unclean' | 'damaged' | 'changed'

/** `written`: the library is open, and has a log that is not empty. */
type Note = { state: 'open' | 'written' | 'damaged' } | { state: 'closed'; size: number; changedAt: number }

/** Stores the state in a file next to the library, to detect a missing library and to check a changed one. */
export function lastSeen(folder: string) {
  const file = join(folder, 'library.sqlite')
  const note = join(folder, 'library.seen')

  function write(facts: Note): void {
    try {
      writeFileSync(note, JSON.stringify(facts), { mode: 0o600 })
    } catch {
      // The disk is full. The library stays in use, and is checked at the next start.
    }
  }

  return {
    read(): LastSeen {
      if (!statSync(note, { throwIfNoEntry: false })) return 'never'
      const facts = parsed(note)
      if (!facts) return 'changed'
      if (facts.state === 'damaged') return 'damaged'
      if (facts.state !== 'closed') return 'unclean'
      const stats = statSync(file, { throwIfNoEntry: false })
      return stats?.size === facts.size && stats.mtimeMs === facts.changedAt ? 'whole' : 'changed'
    },
    /** Whether the last changes may be lost, because the log that contained them is missing or empty. */
    lostLog(): boolean {
      if (parsed(note)?.state !== 'written' || !existsSync(file)) return false
      return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
    },
    opened: () => write({ state: 'open' }),
    written: () => write({ state: 'written' }),
    damaged: () => write({ state: 'damaged' }),
    closed(): void {
      const stats = statSync(file, { throwIfNoEntry: false })
      if (stats) write({ state: 'closed', size: stats.size, changedAt: stats.mtimeMs })
    }
  }
}

/** Reads the note without a zod schema, because loading zod takes longer than opening the library. */
function parsed(note: string): Note | undefined {
  try {
    const facts: Note | null = JSON.parse(readFileSync(note, 'utf8'))
    return typeof facts?.state === 'string' ? facts : undefined
  } catch {
    return undefined
  }
}
