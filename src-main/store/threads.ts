import type { Worker } from 'node:worker_threads'
import { Problem } from '../contract/problem.ts'
import { asProblem, openWriteConnection } from '../database/connection.ts'
import type { Jobs } from './jobs.ts'
import type { CallAnswer, ThreadAnswer, ThreadCall, ThreadStart } from './library-thread.ts'
import { type EmitAll, openWork, type Role } from './thread-work.ts'

/**
 * The interface of a thread for the rest of the process. Calls are answered in order, except asynchronous ones. Array
 * buffers among the arguments are transferred; everything else is copied.
 */
export interface Thread {
  call(name: string, args: unknown[]): Promise<unknown>
  close(): Promise<void>
}

/** @throws Problem if the library cannot be opened */
export type StartThread = (role: Role, file: string, emit?: EmitAll) => Promise<Thread>

/** Maximum heap for new objects of each thread, in MB. V8's default is several times as large, and not faster. */
const MAX_YOUNG_GENERATION_MB = 12

/**
 * Starts a thread on a library file.
 *
 * @param emit receives the events of changes that the thread makes in the background
 * @throws Problem if the library cannot be opened
 */
export async function startThread(role: Role, file: string, emit: EmitAll = () => {}): Promise<Thread> {
  const thread = startWorker()
  const waiting = new Map<number, (answer: CallAnswer) => void>()
  let lastId = 0
  let ended: string | undefined

  thread.on('message', (answer: ThreadAnswer) => {
    if ('events' in answer) return emit(answer.events)
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  const failAll = (reason: string) => {
    ended ??= reason
    for (const [id, onAnswer] of waiting) onAnswer({ id, bug: reason })
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

  async function call(name: string, args: unknown[]): Promise<unknown> {
    const id = ++lastId
    // If this throws because an argument cannot be copied, nothing waits for an answer.
    thread.postMessage({ id, name, args } satisfies ThreadCall, buffersIn(args))
    return answerTo(id)
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

function startWorker(): Worker {
  const program = new URL('./library-thread.js', import.meta.url)
  const threads = process.getBuiltinModule('node:worker_threads') // loaded with the first thread
  return new threads.Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB } })
}

/**
 * Does a thread's work on the current thread, for a command that ends before a thread would have started.
 *
 * @throws Problem if the library cannot be opened
 */
export async function startInPlace(role: Role, file: string, emit: EmitAll = () => {}): Promise<Thread> {
  const work = await openWork(role, file, emit).catch((error) => {
    throw asProblem(error)
  })
  let closed = false
  return {
    async call(name, args) {
      // Copied, so that code that works here also works with a thread.
      const copy = structuredClone(args, { transfer: buffersIn(args) }) as never[]
      try {
        return structuredClone(await work.call(name, copy))
      } catch (error) {
        throw asProblem(error)
      } finally {
        if (!closed) work.afterCall?.()
      }
    },
    async close() {
      closed = true
      work.close()
    }
  }
}

function buffersIn(args: unknown[]): ArrayBuffer[] {
  return args.flat().filter((arg) => arg instanceof ArrayBuffer)
}

export type Threads = ReturnType<typeof createThreads>

/** Starts each thread when it is first needed, once. If it fails to start, the next call tries again. */
export function createThreads(file: string, start: StartThread, emit?: EmitAll) {
  const started = new Map<'reading' | 'writing', Promise<Thread>>()
  let closed = false

  return {
    start,
    get(role: 'reading' | 'writing'): Promise<Thread> {
      const running = started.get(role)
      if (running) return running
      if (closed) return Promise.reject(new Error('The library is closed.'))
      const thread = start(role, file, emit)
      started.set(role, thread)
      thread.catch(() => started.delete(role))
      return thread
    },
    async close(role: 'reading' | 'writing'): Promise<void> {
      closed = true
      const thread = await started.get(role)?.catch(() => undefined)
      await thread?.close()
      // The last connection that can write moves the log into the file and removes it.
      if (!thread && role === 'writing') openWriteConnection(file).close()
    }
  }
}

/** Runs a job on its own thread, or in place. */
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
