import type { Worker } from 'node:worker_threads'
import { Problem } from '../../contract/problem.ts'
import type { Jobs } from './jobs.ts'
import type { ThreadAnswer, ThreadCall, ThreadStart } from './server.ts'
import type { Role } from './work.ts'

/**
 * A thread as the rest of the process sees it. Calls are answered in the order they were made. Array buffers among the
 * arguments are handed over for good; all else is copied.
 */
export interface Thread {
  call(name: string, args: unknown[]): Promise<unknown>
  close(): Promise<void>
}

/** @throws Problem when the library cannot be opened */
export type StartThread = (role: Role, file: string) => Promise<Thread>

/** Memory for a thread's newest objects. Node's default is several times as much for each thread, and no faster. */
const YOUNG_MB = 12

function startProgram(): Worker {
  const program = new URL('./library-thread.js', import.meta.url)
  const threads = process.getBuiltinModule('node:worker_threads') // loaded with the first thread
  return new threads.Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } })
}

/**
 * Starts a thread on a library file.
 *
 * @throws Problem when the library cannot be opened
 */
export async function startThread(role: Role, file: string): Promise<Thread> {
  const thread = startProgram()
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

  function answerTo(id: number): Promise<unknown> {
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
    const answered = answerTo(id)
    thread.postMessage({ id, name, args } satisfies ThreadCall, buffersIn(args))
    return answered
  }

  thread.postMessage({ role, file } satisfies ThreadStart)
  await answerTo(0)
  return {
    call,
    async close() {
      await call('close', [])
    }
  }
}

/** Returns the array buffers among arguments, which are handed over to where a call runs. */
export function buffersIn(args: unknown[]): ArrayBuffer[] {
  return args.flat().filter((arg) => arg instanceof ArrayBuffer)
}

/** Does a job on whole files on a thread that is started for it, or in place. */
export async function runJob<Name extends keyof Jobs>(
  start: StartThread,
  name: Name,
  ...args: Parameters<Jobs[Name]>
): Promise<Awaited<ReturnType<Jobs[Name]>>> {
  const thread = await start('jobs', '')
  try {
    return (await thread.call(name, args)) as Awaited<ReturnType<Jobs[Name]>>
  } finally {
    await thread.close()
  }
}
