import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { prepareDataFolder } from '../../src-main/host/data-folder.ts'
import { tempFolder } from '../support/temp-folder.ts'

const modeOf = (folder: string) => statSync(folder).mode & 0o777

test('a missing folder is created and an empty one used, closed to other users', () => {
  const created = prepareDataFolder(join(tempFolder(), 'a/b'))
  expect(modeOf(created)).toBe(0o700)
  const empty = tempFolder()
  chmodSync(empty, 0o755)
  expect(modeOf(prepareDataFolder(empty))).toBe(0o700)
})

test('a readable folder with other files is refused and not changed', () => {
  const folder = join(tempFolder(), 'documents')
  mkdirSync(folder)
  writeFileSync(join(folder, 'letter.txt'), 'Dear')
  chmodSync(folder, 0o755)
  expect(() => prepareDataFolder(folder)).toThrow(/contains other files/)
  expect(modeOf(folder)).toBe(0o755)
})

test('an empty path and a folder that cannot be created are problems', () => {
  const file = join(tempFolder(), 'file')
  writeFileSync(file, '')
  for (const folder of ['', join(file, 'below')]) {
    expect(() => prepareDataFolder(folder)).toThrow(expect.objectContaining({ code: 'data-folder-unusable' }))
  }
})

// Only root can create a folder of another user and act as a third one.
test.runIf(process.getuid?.() === 0)('a writable folder of another user is a problem', () => {
  // Not below a folder that only root can enter.
  const parent = mkdtempSync('/tmp/earmark-theirs-')
  onTestFinished(() => rmSync(parent, { recursive: true }))
  chmodSync(parent, 0o755)
  const folder = join(parent, 'theirs')
  mkdirSync(folder)
  writeFileSync(join(folder, 'library.sqlite'), '')
  chmodSync(folder, 0o777)
  chownSync(folder, 12_345, 12_345)
  process.seteuid?.(65_534)
  try {
    expect(() => prepareDataFolder(folder)).toThrow(
      expect.objectContaining({
        code: 'data-folder-unusable',
        message: expect.stringMatching(/another user.*12345.*--data/)
      })
    )
  } finally {
    process.seteuid?.(0)
  }
  expect(modeOf(folder)).toBe(0o777)
})
