import { expect, test } from 'vitest'
import { emptyLibrary } from '../library.ts'

test('a setting that was never written has its default', async () => {
  expect(await emptyLibrary().readSettings()).toMatchObject({ defaultVisibility: 'private' })
})

test('a setting is kept, and the others stay as they are', async () => {
  const { writeSettings, readSettings } = emptyLibrary()
  const before = await readSettings()
  writeSettings({ defaultVisibility: 'public' })
  writeSettings({})
  expect(await readSettings()).toEqual({ ...before, defaultVisibility: 'public' })
  writeSettings({ defaultVisibility: 'private' })
  expect(await readSettings()).toEqual(before)
})

test('a value that this version does not allow gives way to the default', async () => {
  const { db, readSettings } = emptyLibrary()
  const before = await readSettings()
  db.prepare("INSERT INTO settings VALUES ('theme', '\"sepia\"'), ('port', '6000')").run()
  expect(await readSettings()).toEqual(before)
})

test('a setting of another version of Earmark is no trouble', async () => {
  const { db, readSettings } = emptyLibrary()
  const before = await readSettings()
  db.prepare("INSERT INTO settings VALUES ('colorOfTheMoon', '\"pale\"')").run()
  expect(await readSettings()).toEqual(before)
})
