import type { Worker } from 'node:worker_threads'
import { Problem } from '../../contract/problem.ts'
import type { ThreadAnswer, ThreadCall, ThreadStart } from './serve-calls.ts'

/** Calls as they are made from elsewhere. */
export type Answered<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never
}

/**
 * What a thread can do, as the rest of the process sees it: its calls, answered in the order they were made. Array
 * buffers among the arguments are handed over for good; all else is copied.
 */
export type Thread<Calls> = Answered<Calls> & { close(): Promise<void> }

/** What a thread is for. */
export type Role = 'writing' | 'reading' | 'restoring' | 'examining'

export type StartThread = typeof startThread

/** What a thread's newest objects take at most: the usual is as much again for each thread, and no faster. */
const YOUNG_MB = 12

/** @param role its program is `<role>-thread`, built beside what starts it */
function begin(role: Role): Worker {
  const program = new URL(`./${role}-thread.js`, import.meta.url)
  const threads = process.getBuiltinModule('node:worker_threads') // loaded with the first thread
  return new threads.Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } })
}

/**
 * Starts a thread on a library file.
 *
 * @throws Problem when the library cannot be opened
 */
export async function startThread<Calls>(role: Role, file: string): Promise<Thread<Calls>> {
  const thread = begin(role)
  const waiting = new Map<number, (answer: ThreadAnswer) => void>()
  let last = 0
  let ended: string | undefined

  thread.on('message', (answer: ThreadAnswer) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  const failAll = (reason: string) => {
    ended ??= reason
    for (const [id, answered] of waiting) answered({ id, bug: reason })
    waiting.clear()
  }
  thread.on('error', (error) => failAll(`The ${role} thread failed: ${String(error)}`))
  thread.on('exit', () => failAll(`The ${role} thread has ended.`))

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

  function call(name: string, args: unknown[]): Promise<unknown> {
    const id = ++last
    const answered = expect(id)
    const handedOver = args.flat().filter((arg) => arg instanceof ArrayBuffer)
    thread.postMessage({ id, name, args } satisfies ThreadCall, handedOver)
    return answered
  }

  thread.postMessage({ file } satisfies ThreadStart)
  await expect(0)
  return new Proxy({} as Thread<Calls>, {
    // A promise asks for `then`; the thread is not one.
    get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => call(name as string, args))
  })
}
