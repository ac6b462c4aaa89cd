import type { Database, RunResult, Statement } from 'better-sqlite3'

/**
 * Runs SQL on a connection. In a template, values are bound and never become part of the SQL.
 *
 *     const id = readValue<number>(db)`SELECT id FROM tags WHERE folded = ${folded}`
 *
 * SQL that is composed of parts is passed as a text, followed by the values to bind. A statement is prepared when a
 * connection first uses it, because preparing all of them takes longer than opening the library.
 */
type Connection = Pick<Database, 'prepare'>

type Template<Answer> = (sql: TemplateStringsArray, ...bound: unknown[]) => Answer

/** Returns the first row as an object, or `undefined` if there is none. */
export function readRow<Row>(db: Connection): Template<Row | undefined>
export function readRow<Row>(db: Connection, sql: string, ...bound: unknown[]): Row | undefined
export function readRow(db: Connection, sql?: string, ...bound: unknown[]): unknown {
  return ask((text, values) => prepare(db, text).get(...values), sql, bound)
}

/** Returns all rows as objects. */
export function readRows<Row>(db: Connection): Template<Row[]>
export function readRows<Row>(db: Connection, sql: string, ...bound: unknown[]): Row[]
export function readRows(db: Connection, sql?: string, ...bound: unknown[]): unknown {
  return ask((text, values) => prepare(db, text).all(...values), sql, bound)
}

/** Returns the first column of the first row, or `undefined` if there is none. */
export function readValue<Value>(db: Connection): Template<Value | undefined>
export function readValue<Value>(db: Connection, sql: string, ...bound: unknown[]): Value | undefined
export function readValue(db: Connection, sql?: string, ...bound: unknown[]): unknown {
  return ask((text, values) => preparePlucked(db, text).get(...values), sql, bound)
}

/** Returns the first column of every row. */
export function readValues<Value>(db: Connection): Template<Value[]>
export function readValues<Value>(db: Connection, sql: string, ...bound: unknown[]): Value[]
export function readValues(db: Connection, sql?: string, ...bound: unknown[]): unknown {
  return ask((text, values) => preparePlucked(db, text).all(...values), sql, bound)
}

/** Returns all rows as arrays of their columns. */
export function readTuples<Tuple extends unknown[]>(db: Connection): Template<Tuple[]>
export function readTuples<Tuple extends unknown[]>(db: Connection, sql: string, ...bound: unknown[]): Tuple[]
export function readTuples(db: Connection, sql?: string, ...bound: unknown[]): unknown {
  return ask((text, values) => prepareRaw(db, text).all(...values), sql, bound)
}

/** Runs a statement that changes rows, and returns how many it changed. */
export function run(db: Connection): Template<RunResult>
export function run(db: Connection, sql: string, ...bound: unknown[]): RunResult
export function run(db: Connection, sql?: string, ...bound: unknown[]): unknown {
  return ask((text, values) => prepare(db, text).run(...values), sql, bound)
}

/** Returns whether there is any row. */
export function exists(db: Connection): Template<boolean> {
  return (sql, ...bound) => preparePlucked(db, textOf(sql)).get(...bound) !== undefined
}

/** Runs an `INSERT` of one row and returns its row id. */
export function insert(db: Connection): Template<number> {
  return (sql, ...bound) => Number(prepare(db, textOf(sql)).run(...bound).lastInsertRowid)
}

/** Returns a function that calls `make` once for each connection, and then returns the same result for it. */
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

function ask<Answer>(answer: (sql: string, bound: unknown[]) => Answer, sql: string | undefined, bound: unknown[]) {
  if (sql !== undefined) return answer(sql, bound)
  const template: Template<Answer> = (strings, ...values) => answer(textOf(strings), values)
  return template
}

const texts = new WeakMap<TemplateStringsArray, string>()

/** Cached, because a template in the code always passes the same array of strings, whatever its values are. */
function textOf(strings: TemplateStringsArray): string {
  const known = texts.get(strings)
  if (known !== undefined) return known
  const text = strings.join('?')
  texts.set(strings, text)
  return text
}

/** Maximum number of prepared statements of a connection. There are about 230 fixed ones, and some that vary. */
const MAX_KEPT = 512

type Cache = WeakMap<Connection, Map<string, Statement>>

// A statement of better-sqlite3 has one form of result (objects, values or arrays), so each form has its own cache.
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
