import { expect, onTestFinished, test, vi } from 'vitest'
import { asProblem, openReadConnection, openWriteConnection } from '../../src-main/store/connection.ts'
import {
  exists,
  insert,
  perConnection,
  readRow,
  readRows,
  readTuples,
  readValue,
  readValues,
  run
} from '../../src-main/store/statements.ts'
import { putEmptyLibrary } from '../support/library.ts'
import { tempFolder } from '../support/temp-folder.ts'

function connection() {
  const db = openReadConnection(putEmptyLibrary(tempFolder()))
  onTestFinished(() => void db.close())
  return db
}

test('a text is prepared once for a connection and a form of its answers', () => {
  const [db, other] = [connection(), connection()]
  const prepare = vi.spyOn(db, 'prepare')
  const sql = 'SELECT ? AS a, 2 AS b'
  for (const a of [1, 3]) {
    expect(readRow(db, sql, a)).toEqual({ a, b: 2 })
    expect(readRows(db, sql, a)).toEqual([{ a, b: 2 }])
    expect(readValue(db, sql, a)).toBe(a)
    expect(readValues(db, sql, a)).toEqual([a])
    expect(readTuples(db, sql, a)).toEqual([[a, 2]])
  }
  expect(prepare).toHaveBeenCalledTimes(3)
  expect(readRow(other, sql, 5)).toEqual({ a: 5, b: 2 })
})

test('a template binds what stands in it, and is prepared once wherever it stands', () => {
  const db = connection()
  const prepare = vi.spyOn(db, 'prepare')
  const ask = (text: string) => readTuples(db)`SELECT ${text}, ${1} WHERE ${text} <> ${"'; --"}`
  expect([ask("o'neill"), ask('?'), ask("'; --")]).toEqual([[["o'neill", 1]], [['?', 1]], []])
  expect(prepare).toHaveBeenCalledTimes(1)
})

test('more texts than are kept are answered all the same', () => {
  const db = connection()
  for (let n = 0; n < 1200; n++) expect(readValue(db, `SELECT ${n}`)).toBe(n)
  expect(readValue(db, 'SELECT 0')).toBe(0)
})

test('where there is no row, there is no value', () => {
  const db = connection()
  const none = 'SELECT 1 WHERE 0'
  expect([readRow(db, none), readValue(db, none), exists(db)`SELECT 1 WHERE 0`]).toEqual([undefined, undefined, false])
  expect([readRows(db, none), readValues(db, none), readTuples(db, none)]).toEqual([[], [], []])
})

test('writes say how many rows they changed, and which one they inserted', () => {
  const db = openWriteConnection(putEmptyLibrary(tempFolder()))
  onTestFinished(() => void db.close())
  const add = (id: string) =>
    insert(db)`INSERT INTO organizations (public_id, name, folded, created_at) VALUES (${id}, ${id}, ${id}, 1)`
  expect([add('a'), add('b')]).toEqual([1, 2])
  expect(run(db)`UPDATE organizations SET name = ${'C'}`.changes).toBe(2)
  expect(run(db, 'UPDATE organizations SET name = ?', 'D').changes).toBe(2)
})

test('a table that is not there is damage, told when it is asked', () => {
  const error = (() => {
    try {
      return readRows(connection(), 'SELECT * FROM no_table')
    } catch (cause) {
      return asProblem(cause)
    }
  })()
  expect(error).toMatchObject({ name: 'Problem', code: 'library-damaged' })
})

test('what is made for a connection is made once for it', () => {
  const make = vi.fn(() => ({}))
  const made = perConnection(make)
  const [one, other] = [connection(), connection()]
  expect(made(one)).toBe(made(one))
  expect(made(other)).not.toBe(made(one))
  expect(make).toHaveBeenCalledTimes(2)
})
