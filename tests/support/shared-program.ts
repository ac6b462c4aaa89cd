import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Running, runProgram, startProgram } from './program.ts'

/** One service for a whole file, with a key that may do everything. */
export interface Shared extends Running {
  key: string
  /** Ends the service and removes its library. */
  remove(): Promise<void>
}

/** For `beforeAll`; the file's `afterAll` calls `remove()`. */
export async function startSharedProgram(): Promise<Shared> {
  const data = mkdtempSync(join(tmpdir(), 'earmark-test-'))
  const running = await startProgram(data, [], { afterwards: () => {} })
  const key = await createKey(data, 'shared')
  return {
    ...running,
    key,
    async remove() {
      await running.end('SIGTERM')
      rmSync(data, { recursive: true, force: true })
    }
  }
}

/** Makes a key with the command line and gives its secret. */
export async function createKey(data: string, name: string, options: string[] = []): Promise<string> {
  const { stdout } = await runProgram(['keys', 'create', '--name', name, '--json', '--data', data, ...options])
  return (JSON.parse(stdout) as { key: string }).key
}
