import type { Statement } from 'better-sqlite3'
import type { ReadConnection } from './connection.ts'

/** Prepares each SQL text once a connection. The texts are few: they vary in shape, never in values. */
export function statements(db: Pick<ReadConnection, 'prepare'>): (sql: string) => Statement {
  const prepared = new Map<string, Statement>()
  return (sql) => {
    const known = prepared.get(sql)
    if (known) return known
    const statement = db.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
}
