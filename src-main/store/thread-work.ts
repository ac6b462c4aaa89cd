import type { LibraryEvent } from '../contract/change.ts'
import { openReadConnection, type WriteConnection, withRoom } from '../database/connection.ts'
import { openLibraryFile } from '../database/library-file.ts'
import type { WriterCall, Written } from './calls.ts'
import { startIndexing } from './indexing.ts'
import { findCall } from './library.ts'

/** The purpose of a thread: the only writing connection, a reading connection, or jobs on whole files. */
export type Role = 'writing' | 'reading' | 'jobs'

export type EmitAll = (events: LibraryEvent[]) => void

/** The functions of a thread after it has opened its connection. */
export interface Work {
  call(name: string, args: never[]): unknown
  afterCall?(): void
  close(): void
}

/**
 * @param emit receives the events of changes that the writing thread makes in the background
 * @throws Problem if the library cannot be opened
 */
export async function openWork(role: Role, file: string, emit: EmitAll): Promise<Work> {
  switch (role) {
    case 'writing':
      return openWriting(file, emit)
    case 'reading':
      return openReading(file)
    case 'jobs':
      return (await import('./jobs.ts')).openJobs()
  }
}

function openReading(file: string): Work {
  const db = openReadConnection(file)
  return {
    call(name, args) {
      const read = findCall(name)
      if (read.runsOn === 'writer') throw new Error(`${name} is a write.`)
      return read.run(db, ...args)
    },
    close: () => db.close()
  }
}

/** The call that copies the library to a file. Writes on the same connection do not restart the copy. */
export const COPY = 'copyTo'

/**
 * Opens the only writing connection. Writes run one after another, and each is answered when its transaction is synced to
 * disk. Indexing runs between them.
 */
function openWriting(file: string, emit: EmitAll): Work {
  const db = openLibraryFile(file)
  const indexing = startIndexing(db, emit)
  return {
    call(name, args) {
      if (name === COPY) return db.backup(String(args[0]))
      const write = findCall(name)
      if (write.runsOn !== 'writer') throw new Error(`${name} is not a write.`)
      const written = withRoom(db, () => makeWrite(db, write, args))
      if (write.isImport) indexing.noteImport()
      return written
    },
    afterCall: indexing.afterCall,
    close() {
      indexing.stop()
      db.close()
    }
  }
}

/** Runs a write in its own transaction. Imports check rows themselves, so SQLite's checks are off. */
export function makeWrite(
  db: WriteConnection,
  { run, isImport }: WriterCall<never[], unknown>,
  args: never[]
): Written<unknown> {
  const inTransaction = db.transaction(run)
  if (!isImport) return inTransaction(db, ...args)
  // These settings have no effect during a transaction.
  db.pragma('ignore_check_constraints = ON')
  db.pragma('foreign_keys = OFF')
  try {
    return inTransaction(db, ...args)
  } finally {
    db.pragma('foreign_keys = ON')
    db.pragma('ignore_check_constraints = OFF')
  }
}
