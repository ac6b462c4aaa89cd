import { expect, onTestFinished, test } from 'vitest'
import { asProblem, openReadConnection, openWriteConnection } from '../../src-main/store/connection.ts'
import { putEmptyLibrary } from '../support/empty-library.ts'
import { tempFolder } from '../support/temp-folder.ts'

function connection() {
  const db = openReadConnection(putEmptyLibrary(tempFolder()))
  onTestFinished(() => void db.close())
  return db
}

test('a statement is prepared when it is first used, and told then where its SQL is wrong', () => {
  const wrong = connection().prepare('SELEKT 1')
  expect(() => wrong.get()).toThrow('near "SELEKT": syntax error')
})

test('it answers in the form that was asked for before', () => {
  const db = connection()
  expect(db.prepare('SELECT 1 AS one').get()).toEqual({ one: 1 })
  expect(db.prepare('SELECT 1 AS one').pluck().all()).toEqual([1])
  expect(db.prepare('SELECT ? AS a, ? AS b').raw().get(1, 2)).toEqual([1, 2])
  expect([...db.prepare('SELECT 1 AS one').iterate()]).toEqual([{ one: 1 }])
  expect(db.prepare('SELECT 1 AS one').columns()).toMatchObject([{ name: 'one' }])
})

test('it writes, once prepared again and again', () => {
  const db = openWriteConnection(putEmptyLibrary(tempFolder()))
  onTestFinished(() => void db.close())
  const insert = db.prepare('INSERT INTO organizations (public_id, name, folded, created_at) VALUES (?, ?, ?, 1)')
  expect([insert.run('a', 'A', 'a').changes, insert.run('b', 'B', 'b').changes]).toEqual([1, 1])
})

test('a table that is not there is damage', () => {
  const missing = connection().prepare('SELECT * FROM no_table')
  const error = (() => {
    try {
      return missing.get()
    } catch (cause) {
      return asProblem(cause)
    }
  })()
  expect(error).toMatchObject({ name: 'Problem', code: 'library-damaged' })
})
