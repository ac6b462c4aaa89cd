/** What stands where Earmark's own files should, as far as only other processes and users show it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { earmark, json } from '../support/command-line.ts'
import { program, startEarmark, withoutKeychain } from '../support/earmark.ts'
import { putEmptyLibrary } from '../support/library.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('garbage in the lock keeps nobody out, and locks all the same', async () => {
  const data = tempFolder()
  putEmptyLibrary(data)
  writeFileSync(join(data, 'earmark.lock'), 'garbage '.repeat(1000))
  await startEarmark(data)
  writeFileSync(join(data, 'earmark.lock'), 'garbage '.repeat(1000))
  const { error } = await json(['serve', '--port', '0', '--data', data], 1)
  expect(error.message).toMatch(/already serving/)
  expect((await earmark(['add', 'https://a.example/', '--data', data])).code).toBe(0)
})

test.runIf(process.platform === 'linux')('a healthy library that may not be written is not blamed', async () => {
  // Not below a folder that only root may enter.
  const folder = mkdtempSync('/tmp/earmark-other-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  const file = putEmptyLibrary(data)
  const whole = readFileSync(file)
  chmodSync(file, 0o400)
  const command = asOther(data)
  for (const args of [
    ['serve', '--port', '0'],
    ['keys', 'list'],
    ['doctor', '--repair']
  ]) {
    const { status, stdout, stderr } = command([...args, '--data', data])
    expect([status, `${stdout}${stderr}`]).toEqual([1, expect.stringMatching(/read-only or belongs to another user/)])
    expect(`${stdout}${stderr}`).not.toMatch(/unexpectedly|damaged|restore/)
  }
  expect(readFileSync(file)).toEqual(whole)
  chmodSync(file, 0o600)
  expect(command(['keys', 'list', '--data', data]).status).toBe(0)
  expect(existsSync(file)).toBe(true)
})

/** Runs commands as a user whom modes apply to, which they do not to root. */
function asOther(data: string) {
  const root = process.getuid?.() === 0
  if (root) execFileSync('chown', ['-R', '65534:65534', data])
  const other = root ? { uid: 65534, gid: 65534 } : {}
  const env = { ...withoutKeychain, HOME: data }
  return (args: string[]) => spawnSync(process.execPath, [program, ...args], { env, ...other, encoding: 'utf8' })
}
