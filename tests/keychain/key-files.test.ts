import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openKeyFiles } from '../../src-main/keychain/keychain.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a key file has the secret and is closed to other users', async () => {
  const data = tempFolder()
  const file = await openKeyFiles(data).write('one', 'emk_secret')
  expect(readFileSync(file, 'utf8')).toBe('emk_secret\n')
  expect(modeOf(file)).toBe(0o600)
  expect(modeOf(join(data, 'keys'))).toBe(0o700)
})

test('an existing key file that others can read is closed to them', async () => {
  const data = tempFolder()
  mkdirSync(join(data, 'keys'))
  writeFileSync(join(data, 'keys/one.key'), 'old')
  chmodSync(join(data, 'keys/one.key'), 0o644)
  const file = await openKeyFiles(data).write('one', 'emk_secret')
  expect(modeOf(file)).toBe(0o600)
})

test('a key file is removed, also twice', async () => {
  const keyFiles = openKeyFiles(tempFolder())
  const file = await keyFiles.write('one', 'emk_secret')
  await keyFiles.remove('one')
  expect(existsSync(file)).toBe(false)
  await expect(keyFiles.remove('one')).resolves.toBeUndefined()
})

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}
