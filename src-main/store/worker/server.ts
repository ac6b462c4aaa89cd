import { parentPort } from 'node:worker_threads'
import { Problem, type ProblemCode } from '../../contract/problem.ts'
import { asProblem } from '../../database/connection.ts'
import { openWork, type Role } from './work.ts'

/** The first message to a thread. */
export interface ThreadStart {
  role: Role
  file: string
}

/** A call by its name; `close` ends the thread. */
export interface ThreadCall<Args = unknown[]> {
  id: number
  name: string
  args: Args
}

/** The answer to the call with the same id; id 0 says whether the library could be opened. */
export type ThreadAnswer =
  | { id: number; value: unknown }
  | { id: number; problem: { code: ProblemCode; message: string } }
  | { id: number; bug: string }

/** Answers the calls of the thread that started this one, one after the other; what takes turns, when it is done. */
export function serve(): void {
  const port = parentPort
  if (!port) throw new Error('This runs in a worker thread.')
  const answer = (message: ThreadAnswer) => port.postMessage(message)

  port.once('message', async ({ role, file }: ThreadStart) => {
    try {
      const work = await openWork(role, file)
      let closed = false
      port.on('message', (call: ThreadCall<never[]>) => {
        if (closed) return // whoever called hears that the thread has ended
        closed = call.name === 'close'
        answerCall(closed ? () => work.close() : () => work.call(call.name, call.args), call.id, answer)
        if (closed) port.close()
        else work.afterwards?.()
      })
      answer({ id: 0, value: undefined })
    } catch (error) {
      answer(failure(0, error))
    }
  })
}

/** Answers at once what is done at once: the next call is not looked at before. */
function answerCall(work: () => unknown, id: number, answer: (message: ThreadAnswer) => void): void {
  try {
    const value = work()
    if (value instanceof Promise) {
      value.then(
        (value) => answer({ id, value }),
        (error) => answer(failure(id, error))
      )
    } else answer({ id, value })
  } catch (error) {
    answer(failure(id, error))
  }
}

function failure(id: number, cause: unknown): ThreadAnswer {
  const error = asProblem(cause)
  if (error instanceof Problem) return { id, problem: { code: error.code, message: error.message } }
  return { id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
