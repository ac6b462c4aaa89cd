import Sqlite from 'better-sqlite3'
import { Problem } from '../../contract/problem.ts'

/** Does what gives something its name. Throws Problem `taken` with this message when another has it. */
export function orTaken<T>(message: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_CONSTRAINT_UNIQUE') {
      throw new Problem('taken', message)
    }
    throw error
  }
}
