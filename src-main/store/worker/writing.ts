import { type WriteConnection, withRoom } from '../../database/connection.ts'
import { openLibraryFile } from '../../database/library-file.ts'
import type { WriterCall, Written } from '../calls.ts'
import { callNamed } from '../library.ts'
import { startBackground } from './background.ts'
import type { Work } from './work.ts'

/** Copies the library to a file, on this connection: what is written meanwhile does not make it begin anew. */
export const COPY = 'copyTo'

/**
 * Opens the only writing connection. It makes one write after the other, each answered when its transaction is synced to
 * disk, and in between does what was left to the background.
 */
export function openWriting(file: string): Work {
  const db = openLibraryFile(file)
  const background = startBackground(db)
  return {
    call(name, args) {
      if (name === COPY) return db.backup(String(args[0]))
      const write = callNamed(name)
      if (write.runsOn !== 'writer') throw new Error(`${name} is not a write.`)
      const written = withRoom(db, () => makeWrite(db, write, args))
      if (write.isImport) background.noteImport()
      return written
    },
    afterwards: background.afterCall,
    close() {
      background.stop()
      db.close()
    }
  }
}

/** Makes a write in a transaction of its own; that of an import is without SQLite's checks. */
export function makeWrite(
  db: WriteConnection,
  { run, isImport }: WriterCall<never[], unknown>,
  args: never[]
): Written<unknown> {
  const inTransaction = db.transaction(run)
  if (!isImport) return inTransaction(db, ...args)
  // Neither can be set while a transaction is open.
  db.pragma('ignore_check_constraints = ON')
  db.pragma('foreign_keys = OFF')
  try {
    return inTransaction(db, ...args)
  } finally {
    db.pragma('foreign_keys = ON')
    db.pragma('ignore_check_constraints = OFF')
  }
}
