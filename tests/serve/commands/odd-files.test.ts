/** What stands where Earmark's own files should, and what its commands say of it. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { earmark, json } from '../../support/command-line.ts'
import { callApi, testService } from '../../support/service.ts'
import { later, tempFolder } from '../../support/temp-folder.ts'

const atEnd = later()

const one = tempFolder(atEnd)
beforeAll(async () => {
  const service = await testService({ data: one }, atEnd)
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  await service.close()
})

function libraryOfOne(): string {
  const data = tempFolder()
  cpSync(one, data, { recursive: true, preserveTimestamps: true })
  return data
}

const countOf = async (data: string) => (await json(['search', 'a', '--data', data])).total

/** Exit 1, and one line that says so and blames no library. */
async function expectClear(args: string[], text: RegExp): Promise<void> {
  const { code, stderr } = await earmark(args)
  expect([code, stderr]).toEqual([1, expect.stringMatching(text)])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).not.toMatch(/unexpectedly|damaged/)
}

const ODD: [what: string, make: (file: string) => void][] = [
  ['a folder', (file) => mkdirSync(file)],
  ['a pipe', (file) => execFileSync('mkfifo', [file])]
]

test.each(ODD)('%s in the place of the lock is told, and the library is not blamed', async (_, make) => {
  const data = libraryOfOne()
  const lock = join(data, 'earmark.lock')
  rmSync(lock)
  make(lock)
  for (const command of [['serve'], ['keys', 'list'], ['doctor'], ['restore', '--newest']]) {
    await expectClear([...command, '--data', data], /lock/)
  }
  rmSync(lock, { recursive: true })
  expect(await countOf(data)).toBe(1)
})

test.each(ODD)('%s in the place of the library is told, and moved away by a restore', async (_, make) => {
  const data = libraryOfOne()
  const backup = join(tempFolder(), 'kept.sqlite')
  await json(['backup', backup, '--data', data])
  const file = join(data, 'library.sqlite')
  rmSync(file)
  make(file)
  for (const command of [
    ['serve', '--port', '0'],
    ['keys', 'list']
  ]) {
    await expectClear([...command, '--data', data], /not a regular file/)
  }
  expect((await earmark(['doctor', '--data', data])).code).toBe(1)
  await json(['restore', backup, '--data', data])
  expect(await countOf(data)).toBe(1)
})

test('a file in the place of the backups stops no service; a backup and doctor say so', async () => {
  const data = libraryOfOne()
  rmSync(join(data, 'backups'), { recursive: true, force: true })
  writeFileSync(join(data, 'backups'), 'Dear diary')
  expect(await countOf(data)).toBe(1)
  await expectClear(['backup', '--data', data], /“backups” is a file.*Move the file away/)
  const { findings } = await json(['doctor', '--data', data], 1)
  expect(findings).toContainEqual(expect.objectContaining({ check: 'backups', state: 'problem' }))
  expect(readFileSync(join(data, 'backups'), 'utf8')).toBe('Dear diary')
})
