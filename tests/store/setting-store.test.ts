import { expect, test } from 'vitest'
import { emptyLibrary } from './library.ts'

test('a setting that was never written has its default', () => {
  expect(emptyLibrary().readSettings()).toMatchObject({ defaultVisibility: 'private' })
})

test('a setting is kept, and the others stay as they are', () => {
  const { writeSettings, readSettings } = emptyLibrary()
  const before = readSettings()
  writeSettings({ defaultVisibility: 'public' })
  writeSettings({})
  expect(readSettings()).toEqual({ ...before, defaultVisibility: 'public' })
  writeSettings({ defaultVisibility: 'private' })
  expect(readSettings()).toEqual(before)
})

test('a value that this version does not allow gives way to the default', () => {
  const { db, readSettings } = emptyLibrary()
  const before = readSettings()
  db.prepare("INSERT INTO settings VALUES ('theme', '\"sepia\"'), ('port', '6000')").run()
  expect(readSettings()).toEqual(before)
})

test('a setting of another version of Earmark is no trouble', () => {
  const { db, readSettings } = emptyLibrary()
  const before = readSettings()
  db.prepare("INSERT INTO settings VALUES ('colorOfTheMoon', '\"pale\"')").run()
  expect(readSettings()).toEqual(before)
})
