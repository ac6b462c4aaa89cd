import type { WriteConnection } from '../../database/connection.ts'
import { readable } from './damaged-indexes.ts'

/** Statements that may meet damage in one table: more means that hardly anything of it is left. */
const MOST_FAILURES = 4000

/** Rows between the highest number that can be read and the one that is assumed where none can. */
const FAR = 2 ** 40

/**
 * Copies what can be read of a damaged table that has row ids: around each damaged page, range by range, each half of
 * one that meets damage for itself. Each statement is for itself, because one that meets damage copies nothing.
 */
export function copyPieces(db: WriteConnection, table: string): void {
  const copy = db.prepare<[number, number]>(
    `INSERT OR IGNORE INTO main."${table}" SELECT * FROM damaged."${table}" NOT INDEXED WHERE rowid BETWEEN ? AND ?`
  )
  const isRead = (from: number, to: number) =>
    readable(() => {
      copy.run(from, to)
      return true
    }, false)
  const highest = readable(
    () => db.prepare<[], number | null>(`SELECT max(rowid) FROM damaged."${table}" NOT INDEXED`).pluck().get() ?? 0,
    FAR
  )
  const left: [from: number, to: number][] = [[0, highest]]
  let failures = 0
  for (let range = left.pop(); range && failures < MOST_FAILURES; range = left.pop()) {
    const [from, to] = range
    if (isRead(from, to)) continue
    failures += 1
    if (from === to) continue
    const middle = from + Math.floor((to - from) / 2)
    left.push([middle + 1, to], [from, middle])
  }
}

/** Copies what can be read of a table without row ids, by its primary key: from its beginning and from its end, up to the damage. */
export function copyEnds(db: WriteConnection, table: string, index: string): void {
  const names = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)
  const keys = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk').pluck()
  const put = db.prepare<unknown[]>(`INSERT OR IGNORE INTO main."${table}" VALUES (${names.map(() => '?').join(', ')})`)
  for (const direction of ['ASC', 'DESC']) {
    const order = keys.all(table).map((name) => `"${name}" ${direction}`)
    const rows: unknown[][] = []
    readable(() => {
      const read = db.prepare<[], unknown[]>(
        `SELECT * FROM damaged."${table}" INDEXED BY "${index}" ORDER BY ${order.join(', ')}`
      )
      for (const row of read.raw().iterate()) rows.push(row)
    }, undefined)
    db.transaction(() => {
      for (const row of rows) put.run(...row)
    })()
  }
}
