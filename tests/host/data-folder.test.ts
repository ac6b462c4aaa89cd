import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { prepareDataFolder } from '../../src-main/host/data-folder.ts'
import { tempFolder } from '../support/temp-folder.ts'

const modeOf = (folder: string) => statSync(folder).mode & 0o777

test('a missing folder is made, and an empty one taken, closed to others', () => {
  const made = prepareDataFolder(join(tempFolder(), 'a/b'))
  expect(modeOf(made)).toBe(0o700)
  const empty = tempFolder()
  chmodSync(empty, 0o755)
  expect(modeOf(prepareDataFolder(empty))).toBe(0o700)
})

test('a folder with other files that others can read is refused, and left as it is', () => {
  const folder = join(tempFolder(), 'documents')
  mkdirSync(folder)
  writeFileSync(join(folder, 'letter.txt'), 'Dear')
  chmodSync(folder, 0o755)
  expect(() => prepareDataFolder(folder)).toThrow(/contains other files/)
  expect(modeOf(folder)).toBe(0o755)
})

test('no folder, and one that cannot be made, are clear problems', () => {
  const file = join(tempFolder(), 'file')
  writeFileSync(file, '')
  for (const folder of ['', join(file, 'below')]) {
    expect(() => prepareDataFolder(folder)).toThrow(expect.objectContaining({ code: 'data-folder-unusable' }))
  }
})

// Only root can make what is another user's, and be a third one for a moment.
test.runIf(process.getuid?.() === 0)('another user’s folder that may be written is a clear problem', () => {
  // Not below a folder that is root's alone.
  const around = mkdtempSync('/tmp/earmark-theirs-')
  onTestFinished(() => rmSync(around, { recursive: true }))
  chmodSync(around, 0o755)
  const folder = join(around, 'theirs')
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
