import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockLibrary } from '../../../src-main/store/files/lock.ts'
import { builtForTests, launchEarmark } from '../../support/earmark.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const inUse = expect.objectContaining({ name: 'Problem', code: 'library-in-use' })

/** Another process that tries to take the lock, and what became of it. */
async function otherProcess(folder: string, ...more: string[]): Promise<{ child: ChildProcess; said: string }> {
  const { child, firstLine } = launchEarmark([folder, ...more], { file: builtForTests('lock-holder') })
  return { child, said: (await firstLine) ?? '' }
}

test('a library can be locked once in a process, and again when the lock is given back', () => {
  const folder = tempFolder()
  const unlock = lockLibrary(folder)
  expect(() => lockLibrary(folder)).toThrow(inUse)
  unlock()
  lockLibrary(folder)()
})

test('a refused attempt does not loosen the lock', () => {
  const folder = tempFolder()
  const unlock = lockLibrary(folder)
  expect(() => lockLibrary(folder)).toThrow(inUse)
  expect(() => lockLibrary(folder)).toThrow(inUse)
  unlock()
})

test('a folder with the name under which a library is looked at is left alone', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'library.sqlite'), '')
  mkdirSync(join(folder, 'library.sqlite.same'))
  lockLibrary(folder)()
  expect(readdirSync(folder)).toContain('library.sqlite.same')
})

test('libraries in two folders are locked apart', () => {
  const unlocks = [lockLibrary(tempFolder()), lockLibrary(tempFolder())]
  expect(unlocks).toHaveLength(2)
  for (const unlock of unlocks) unlock()
})

test('another process is refused while this one has the lock, even after an attempt here', async () => {
  const folder = tempFolder()
  const unlock = lockLibrary(folder)
  expect(() => lockLibrary(folder)).toThrow(inUse)
  expect((await otherProcess(folder)).said).toBe('library-in-use')
  unlock()
  expect((await otherProcess(folder)).said).toBe('locked')
})

test('a process that is killed gives its lock back', async () => {
  const folder = tempFolder()
  const { child, said } = await otherProcess(folder)
  expect(said).toBe('locked')
  expect(() => lockLibrary(folder)).toThrow(inUse)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
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
])('a library that another process has open is not opened again where the lock was %s', async (_, lose) => {
  const folder = tempFolder()
  const { child, said } = await otherProcess(folder, '--open')
  expect(said).toBe('locked')
  lose(join(folder, 'earmark.lock'))
  const log = readFileSync(join(folder, 'library.sqlite-wal'))
  expect(log.length).toBeGreaterThan(0)
  expect(() => lockLibrary(folder)).toThrow(inUse)
  expect(() => lockLibrary(folder)).toThrow(inUse)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  lockLibrary(folder)()
  // What the other one wrote is still where whoever opens the library finds it.
  expect(readFileSync(join(folder, 'library.sqlite-wal')).equals(log)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.includes('same'))).toEqual([])
})

test('a library that is damaged, or a folder, keeps nobody from the lock', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'library.sqlite'), 'Dear diary')
  lockLibrary(folder)()
  expect(readFileSync(join(folder, 'library.sqlite'), 'utf8')).toBe('Dear diary')
})
