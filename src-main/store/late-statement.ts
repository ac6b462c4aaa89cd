import type { Database, Statement } from 'better-sqlite3'

/**
 * Makes a connection prepare its statements when each is first used: there are hundreds, most are never asked for, and
 * preparing them all takes longer than opening the library.
 */
export function prepareWhenUsed(db: Database): void {
  const prepare = db.prepare.bind(db)
  const prepareLate = (sql: string): unknown => new LateStatement(() => prepare(sql))
  db.prepare = prepareLate as typeof db.prepare
}

/** Stands for a statement until it is used. What is wrong with its SQL is told then. */
class LateStatement implements Pick<Statement, 'get' | 'all' | 'run' | 'iterate' | 'columns'> {
  readonly #prepare: () => Statement
  #prepared: Statement | undefined
  #isPlucked = false
  #isRaw = false

  constructor(prepare: () => Statement) {
    this.#prepare = prepare
  }

  get(...values: unknown[]): unknown {
    return (this.#prepared ?? this.#prepareNow()).get(...values)
  }

  all(...values: unknown[]): unknown[] {
    return (this.#prepared ?? this.#prepareNow()).all(...values)
  }

  run(...values: unknown[]) {
    return (this.#prepared ?? this.#prepareNow()).run(...values)
  }

  iterate(...values: unknown[]) {
    return (this.#prepared ?? this.#prepareNow()).iterate(...values)
  }

  columns() {
    return (this.#prepared ?? this.#prepareNow()).columns()
  }

  pluck(): this {
    this.#isPlucked = true
    return this
  }

  raw(): this {
    this.#isRaw = true
    return this
  }

  #prepareNow(): Statement {
    const prepared = this.#prepare()
    if (this.#isPlucked) prepared.pluck()
    if (this.#isRaw) prepared.raw()
    this.#prepared = prepared
    return prepared
  }
}
