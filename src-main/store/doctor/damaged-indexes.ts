import Sqlite from 'better-sqlite3'
import type { WriteConnection } from '../../database/connection.ts'

/** A b-tree of a library attached as `damaged` that holds something of every row of a table. */
interface Index {
  table: string
  name: string
  /** The columns that tell the table's rows apart. */
  key: string
  /** It holds whole rows. */
  isWhole: boolean
  /** It is the table itself, which has no row ids. */
  isTable: boolean
}

/** Indexes that hold an entry for every row of a table, by the schema of the library that is written. */
export function indexesOf(db: WriteConnection, table: string): Index[] {
  const hasNoIds = db.prepare("SELECT wr FROM pragma_table_list(?) WHERE schema = 'main'").pluck().get(table) === 1
  const all = db.prepare<[string], Column>('SELECT name, pk FROM pragma_table_info(?)').all(table)
  const key = hasNoIds ? all.filter(({ pk }) => pk > 0).map(({ name }) => name) : ['rowid']
  const columns = db.prepare<[string], string>('SELECT name FROM pragma_index_xinfo(?) WHERE cid >= 0').pluck()
  return db
    .prepare<[string], { name: string; origin: string }>(
      'SELECT name, origin FROM pragma_index_list(?) WHERE partial = 0'
    )
    .all(table)
    .map(({ name, origin }) => ({
      table,
      name,
      key: key.join(', '),
      isWhole: all.every((column) => columns.all(name).includes(column.name)),
      isTable: hasNoIds && origin === 'pk'
    }))
}

interface Column {
  name: string
  pk: number
}

/** Returns the rows that can be read; `nothing` where SQLite finds damage on the way. */
export function readable<T>(read: () => T, nothing: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return nothing
    throw error
  }
}
