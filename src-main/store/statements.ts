import type { Database, RunResult, Statement } from 'better-sqlite3'

/**
 * Runs SQL on a connection. Each text is prepared once for a connection, when it is first used: there are hundreds, most
 * are never asked for, and preparing them all takes longer than opening the library.
 */
type Connection = Pick<Database, 'prepare'>

/** Texts a connection keeps prepared. There are some 230, and a few of varying shape: lists, searches, changes. */
const MAX_KEPT = 512

type Cache = WeakMap<Connection, Map<string, Statement>>

// better-sqlite3 keeps the form of its answers with the statement, so each form has its own.
const prepared: Cache = new WeakMap()
const plucked: Cache = new WeakMap()
const raw: Cache = new WeakMap()

function prepare(db: Connection, sql: string): Statement {
  return cached(prepared, db, sql) ?? keep(prepared, db, sql, db.prepare(sql))
}

function preparePlucked(db: Connection, sql: string): Statement {
  return cached(plucked, db, sql) ?? keep(plucked, db, sql, db.prepare(sql).pluck())
}

function prepareRaw(db: Connection, sql: string): Statement {
  return cached(raw, db, sql) ?? keep(raw, db, sql, db.prepare(sql).raw())
}

function cached(cache: Cache, db: Connection, sql: string): Statement | undefined {
  return cache.get(db)?.get(sql)
}

function keep(cache: Cache, db: Connection, sql: string, statement: Statement): Statement {
  const kept = cache.get(db) ?? new Map<string, Statement>()
  if (kept.size >= MAX_KEPT) kept.clear()
  cache.set(db, kept.set(sql, statement))
  return statement
}

/** Returns the first row as an object, or `undefined` when there is none. */
export function readRow<Row>(db: Connection, sql: string, ...bound: unknown[]): Row | undefined {
  return prepare(db, sql).get(...bound) as Row | undefined
}

/** Returns all rows as objects. */
export function readRows<Row>(db: Connection, sql: string, ...bound: unknown[]): Row[] {
  return prepare(db, sql).all(...bound) as Row[]
}

/** Returns the first column of the first row, or `undefined` when there is none. */
export function readValue<Value>(db: Connection, sql: string, ...bound: unknown[]): Value | undefined {
  return preparePlucked(db, sql).get(...bound) as Value | undefined
}

/** Returns the first column of every row. */
export function readValues<Value>(db: Connection, sql: string, ...bound: unknown[]): Value[] {
  return preparePlucked(db, sql).all(...bound) as Value[]
}

/** Returns all rows as arrays of their columns. */
export function readTuples<Tuple extends unknown[]>(db: Connection, sql: string, ...bound: unknown[]): Tuple[] {
  return prepareRaw(db, sql).all(...bound) as Tuple[]
}

/** Runs a statement that changes rows, and returns how many it changed. */
export function run(db: Connection, sql: string, ...bound: unknown[]): RunResult {
  return prepare(db, sql).run(...bound)
}

/** Makes something of a connection when it is first asked for, and returns the same from then on. */
export function perConnection<Db extends Connection, Made>(make: (db: Db) => Made): (db: Db) => Made {
  const made = new WeakMap<Db, { made: Made }>()
  return (db) => {
    const known = made.get(db)
    if (known) return known.made
    const first = { made: make(db) }
    made.set(db, first)
    return first.made
  }
}

/** Prepares each SQL text once, for a caller that sets the form of the answers itself. */
export function statements(db: Connection): (sql: string) => Statement {
  const kept: Cache = new WeakMap()
  return (sql) => cached(kept, db, sql) ?? keep(kept, db, sql, db.prepare(sql))
}
