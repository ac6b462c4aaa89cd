/** The program of the library's threads. The first message gives the role of the thread, each later one is a call. */
import { parentPort } from 'node:worker_threads'
import type { LibraryEvent } from '../contract/change.ts'
import { Problem, type ProblemCode } from '../contract/problem.ts'
import { asProblem } from '../database/connection.ts'
import { openWork, type Role } from './thread-work.ts'

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

/** The answer to the call with the same id. Id 0 reports whether the library was opened. */
export type CallAnswer =
  | { id: number; value: unknown }
  | { id: number; problem: { code: ProblemCode; message: string } }
  | { id: number; bug: string }

/** An answer, or the events of changes in the background. */
export type ThreadAnswer = CallAnswer | { events: LibraryEvent[] }

const port = parentPort
if (!port) throw new Error('This program runs in a worker thread.')
const answer = (message: ThreadAnswer) => port.postMessage(message)

port.once('message', async ({ role, file }: ThreadStart) => {
  try {
    const work = await openWork(role, file, (events) => answer({ events }))
    let closed = false
    port.on('message', (call: ThreadCall<never[]>) => {
      if (closed) return // the other side reports that the thread has ended
      closed = call.name === 'close'
      answerCall(closed ? () => work.close() : () => work.call(call.name, call.args), call.id)
      if (closed) port.close()
      else work.afterCall?.()
    })
    answer({ id: 0, value: undefined })
  } catch (error) {
    answer(failure(0, error))
  }
})

/** A call without a promise is answered before the next message is read. */
function answerCall(work: () => unknown, id: number): void {
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
