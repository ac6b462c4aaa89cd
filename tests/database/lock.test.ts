import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockLibrary } from '../../src-main/database/lock.ts'
import { builtForTests, launchEarmark } from '../support/earmark.ts'
import { tempFolder } from '../support/temp-folder.ts'

const inUse = expect.objectContaining({ name: 'Problem', code: 'library-in-use' })

/** Another process that tries to take the lock, and its outcome. */
async function otherProcess(folder: string): Promise<{ child: ChildProcess; outcome: string }> {
  const { child, firstLine } = launchEarmark([folder], { file: builtForTests('lock-holder') })
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

test('a damaged library can be locked', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'library.sqlite'), 'Dear diary')
  lockLibrary(folder)()
  expect(readFileSync(join(folder, 'library.sqlite'), 'utf8')).toBe('Dear diary')
})
