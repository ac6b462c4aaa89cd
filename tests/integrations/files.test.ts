import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readForeignText, replaceFile } from '../../src-main/integrations/files.ts'
import { tempFolder } from '../support/temp-folder.ts'

const unix = process.platform !== 'win32'

test('a text is read with its byte order mark, a missing file as undefined', async () => {
  const file = join(tempFolder(), 'settings.json')
  expect(await readForeignText(file)).toBeUndefined()
  expect(await readForeignText(join(file, 'deeper'))).toBeUndefined()
  writeFileSync(file, '\ufeff{"ü": 1}')
  expect(await readForeignText(file)).toBe('\ufeff{"ü": 1}')
})

test.runIf(unix)('a pipe without a writer, a folder and a device are refused at once', async () => {
  const folder = tempFolder()
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const path of [pipe, folder, '/dev/zero']) {
    await expect(readForeignText(path)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(path)
    })
  }
})

test('a file of more than 8 MB is not read', async () => {
  const file = join(tempFolder(), 'large.json')
  writeFileSync(file, '')
  truncateSync(file, 8 * 1024 * 1024 + 1)
  await expect(readForeignText(file)).rejects.toMatchObject({ code: 'too-large' })
})

test('a text in Latin-1 is refused', async () => {
  const file = join(tempFolder(), 'settings.json')
  writeFileSync(file, Buffer.from('{"name": "Jörg"}', 'latin1'))
  await expect(readForeignText(file)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('UTF-8')
  })
})

test('a file is replaced with its new mode and no temporary file stays', async () => {
  const folder = tempFolder()
  const file = join(folder, 'deep/file.txt')
  await replaceFile(file, 'one', 0o600)
  await replaceFile(file, 'two', 0o640)
  expect(readFileSync(file, 'utf8')).toBe('two')
  expect(statSync(file).mode & 0o777).toBe(unix ? 0o640 : 0o666)
  expect(readdirSync(join(folder, 'deep'))).toEqual(['file.txt'])
})

test.runIf(unix)('prepared links with the names of temporary files are not followed', async () => {
  const folder = tempFolder()
  const [file, trap] = [join(folder, 'export.jsonl'), join(folder, 'trap')]
  writeFileSync(trap, 'theirs')
  for (const name of ['.tmp', '.earmark-new']) symlinkSync(trap, file + name)
  await replaceFile(file, 'ours', 0o600)
  expect([readFileSync(file, 'utf8'), readFileSync(trap, 'utf8')]).toEqual(['ours', 'theirs'])
})

test.runIf(unix)('links are followed to existing and missing files, circular links are refused', async () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'links'))
  symlinkSync('../dotfiles/file', join(folder, 'links/relative'))
  symlinkSync(join(folder, 'links/relative'), join(folder, 'twice'))
  await replaceFile(join(folder, 'twice'), 'text', 0o600)
  expect(readFileSync(join(folder, 'dotfiles/file'), 'utf8')).toBe('text')
  symlinkSync('circle', join(folder, 'circle'))
  await expect(replaceFile(join(folder, 'circle'), 'text', 0o600)).rejects.toThrow('circle')
})

test.runIf(unix && process.getuid?.() !== 0)('in a read-only folder the file is not changed', async () => {
  const folder = tempFolder()
  const file = join(folder, 'file')
  writeFileSync(file, 'before')
  chmodSync(folder, 0o500)
  await expect(replaceFile(file, 'after', 0o600)).rejects.toThrow()
  chmodSync(folder, 0o700)
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['before', ['file']])
})
