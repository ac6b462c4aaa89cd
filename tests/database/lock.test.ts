import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockLibrary } from '../../src-main/database/lock.ts'
import { builtForTests, launchEarmark } from '../support/earmark.ts'
import { tempFolder } from '../support/temp-folder.ts'

const inUse = expect.objectContaining({ name: 'Problem', code: 'library-in-use' })

/** Another process that tries to take the lock, and its outcome. */
async function otherProcess(folder: string, ...more: string[]): Promise<{ child: ChildProcess; outcome: string }> {
  const { child, firstLine } = launchEarmark([folder, ...more], { file: builtForTests('lock-holder') })
  return { child, outcome: (await firstLine) ?? '' }
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

test('a process can lock a library once, and again after it is unlocked', () => {
  const folder = tempFolder()
  const unlock = lockLibrary(folder)
  expect(() => lockLibrary(folder)).toThrow(inUse)
  expect(() => lockLibrary(folder)).toThrow(inUse)
  lockLibrary(tempFolder())()
  unlock()
  lockLibrary(folder)()
})

test('a folder with the name of the lock’s temporary file is left alone', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'library.sqlite'), '')
  mkdirSync(join(folder, 'library.sqlite.same'))
  lockLibrary(folder)()
  expect(readdirSync(folder)).toContain('library.sqlite.same')
})

test('another process is refused until the lock is released, also after a refused attempt here', async () => {
  const folder = tempFolder()
  const unlock = lockLibrary(folder)
  expect(() => lockLibrary(folder)).toThrow(inUse)
  expect((await otherProcess(folder)).outcome).toBe('library-in-use')
  unlock()
  expect((await otherProcess(folder)).outcome).toBe('locked')
})

test('the lock of a killed process is released', async () => {
  const folder = tempFolder()
  const { child, outcome } = await otherProcess(folder)
  expect(outcome).toBe('locked')
  expect(() => lockLibrary(folder)).toThrow(inUse)
  await killed(child)
  lockLibrary(folder)()
})

test.each([
  ['deleted', (file: string) => rmSync(file)],
  [
    'replaced',
    (file: string) => {
      rmSync(file)
      writeFileSync(file, '')
    }
  ]
])('a library that another process has open is not locked again after its lock was %s', async (_, lose) => {
  const folder = tempFolder()
  const { child, outcome } = await otherProcess(folder, '--open')
  expect(outcome).toBe('locked')
  lose(join(folder, 'earmark.lock'))
  const log = readFileSync(join(folder, 'library.sqlite-wal'))
  expect(log.length).toBeGreaterThan(0)
  expect(() => lockLibrary(folder)).toThrow(inUse)
  expect(() => lockLibrary(folder)).toThrow(inUse)
  await killed(child)
  lockLibrary(folder)()
  // The log of the other process is kept for the next one that opens the library.
  expect(readFileSync(join(folder, 'library.sqlite-wal')).equals(log)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.includes('same'))).toEqual([])
})

test('a damaged library can be locked', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'library.sqlite'), 'Dear diary')
  lockLibrary(folder)()
  expect(readFileSync(join(folder, 'library.sqlite'), 'utf8')).toBe('Dear diary')
})
