import type { Statement } from 'better-sqlite3'
import type { ReadConnection } from './connection.ts'

/** Texts vary in shape only, never in values; there are more shapes than anyone uses. */
const MOST_KEPT = 64

/** Prepares each SQL text once a connection, as long as it is among those in use. */
export function statements(db: Pick<ReadConnection, 'prepare'>): (sql: string) => Statement {
  const prepared = new Map<string, Statement>()
  return (sql) => {
    const known = prepared.get(sql)
    if (known) return known
    const statement = db.prepare(sql)
    if (prepared.size >= MOST_KEPT) prepared.clear()
    prepared.set(sql, statement)
    return statement
  }
}
