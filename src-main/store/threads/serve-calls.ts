import { parentPort } from 'node:worker_threads'
import { Problem, type ProblemCode } from '../../contract/problem.ts'
import { asProblem } from '../connection.ts'
import type { Work } from './work.ts'

/** The first message: what the thread works on. */
export interface ThreadStart {
  file: string
}

/** A call, by the name of what is to be done; `close` ends the thread. */
export interface ThreadCall {
  id: number
  name: string
  args: unknown[]
}

/** The answer to the call with the same id; id 0 says whether the library could be opened. */
export type ThreadAnswer =
  | { id: number; value: unknown }
  | { id: number; problem: { code: ProblemCode; message: string } }
  | { id: number; bug: string }

/** Answers the calls of the thread that started this one, one after the other; what takes turns, when it is done. */
export function serveCalls(open: (file: string) => Work): void {
  const port = parentPort
  if (!port) throw new Error('This runs in a worker thread.')
  const answer = (id: number, work: () => unknown) => {
    const result = attempt(id, work)
    if ('value' in result && result.value instanceof Promise) {
      result.value.then(
        (value) => port.postMessage({ id, value } satisfies ThreadAnswer),
        (error) => port.postMessage(failure(id, error))
      )
    } else port.postMessage(result)
  }
  let closed = false

  const begin = (file: string) => {
    const { calls, afterwards, close } = open(file)
    port.on('message', ({ id, name, args }: ThreadCall) => {
      if (name === 'close') {
        closed = true
        answer(id, () => void close())
        port.close()
        return
      }
      answer(id, () => (Reflect.get(calls, name) as (...values: unknown[]) => unknown)(...args))
      if (!closed) afterwards?.()
    })
  }
  port.once('message', ({ file }: ThreadStart) => answer(0, () => begin(file)))
}

function attempt(id: number, work: () => unknown): ThreadAnswer {
  try {
    return { id, value: work() }
  } catch (cause) {
    return failure(id, cause)
  }
}

function failure(id: number, cause: unknown): ThreadAnswer {
  const error = asProblem(cause)
  if (error instanceof Problem) return { id, problem: { code: error.code, message: error.message } }
  return { id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
