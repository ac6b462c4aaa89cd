import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { lockLibrary } from '../../src-main/store/files/lock.ts'
import { tempFolder } from '../support/temp-folder.ts'

const inUse = expect.objectContaining({ name: 'Problem', code: 'library-in-use' })

// Tries to take the lock, says what became of it and, where it has it, keeps it until it is ended.
const PROGRAM = `
  const { lockLibrary } = await import(process.argv[1])
  try {
    globalThis.unlock = lockLibrary(process.argv[2]) // a lock that nothing holds on to may be collected
    console.log('locked')
    setInterval(() => {}, 1000)
  } catch (error) {
    console.log(error.code)
  }`

/** Another process that tries to take the lock, and what became of it. */
async function otherProcess(folder: string): Promise<{ child: ChildProcess; said: string }> {
  const lock = new URL('../../src-main/store/files/lock.ts', import.meta.url).href
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, lock, folder], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = await once(createInterface(child.stdout), 'line')
  return { child, said }
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
