import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Problem } from '../contract/problem.ts'
import type { WriterAnswer, WriterCall } from './writer-thread.ts'
import type { Writes } from './writes.ts'

/** The writes as the rest of the process sees them: the same calls, answered once the change is on disk. */
export type Writer = {
  [Name in keyof Writes]: (...args: Parameters<Writes[Name]>) => Promise<ReturnType<Writes[Name]>>
} & { close(): Promise<void> }

/**
 * Starts the writing thread on a library file.
 *
 * @throws Problem when the library cannot be opened
 */
export async function startWriter(file: string): Promise<Writer> {
  // Beside this file: TypeScript in the sources, JavaScript once built.
  const program = new URL(`./writer-thread${extname(import.meta.filename)}`, import.meta.url)
  const thread = new Worker(program, { workerData: { file } })
  const waiting = new Map<number, (answer: WriterAnswer) => void>()
  let last = 0
  let ended: string | undefined

  thread.on('message', (answer: WriterAnswer) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  const failAll = (reason: string) => {
    ended ??= reason
    for (const [id, settle] of waiting) settle({ id, bug: reason })
    waiting.clear()
  }
  thread.on('error', (error) => failAll(`The writing thread failed: ${String(error)}`))
  thread.on('exit', () => failAll('The writing thread has ended.'))

  function expect(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (ended) return reject(new Error(ended))
      waiting.set(id, (answer) => {
        if ('problem' in answer) reject(new Problem(answer.problem.code, answer.problem.message))
        else if ('bug' in answer) reject(new Error(answer.bug))
        else resolve(answer.value)
      })
    })
  }

  function call(name: WriterCall['name'], args: unknown[]): Promise<unknown> {
    const id = ++last
    const answered = expect(id)
    thread.postMessage({ id, name, args } satisfies WriterCall)
    return answered
  }

  await expect(0)
  return new Proxy({} as Writer, {
    // A promise asks for `then`; the writer is not one.
    get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => call(name as WriterCall['name'], args))
  })
}
