/**
 * The thread that owns the only writing connection. It answers one call after the other, each when its transaction is
 * synced to disk.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { Problem, type ProblemCode } from '../contract/problem.ts'
import { asProblem } from './connection.ts'
import { openLibraryFile } from './open-library-file.ts'
import { allWrites, type Writes } from './writes.ts'

/** A call, by the name of a write; `close` ends the thread. */
export interface WriterCall {
  id: number
  name: keyof Writes | 'close'
  args: unknown[]
}

/** The answer to the call with the same id; id 0 says whether the library could be opened. */
export type WriterAnswer =
  | { id: number; value: unknown }
  | { id: number; problem: { code: ProblemCode; message: string } }
  | { id: number; bug: string }

const port = parentPort
if (!port) throw new Error('The writer runs in a worker thread.')

function answer(id: number, work: () => unknown): void {
  port?.postMessage(attempt(id, work))
}

function attempt(id: number, work: () => unknown): WriterAnswer {
  try {
    return { id, value: work() }
  } catch (cause) {
    const error = asProblem(cause)
    if (error instanceof Problem) return { id, problem: { code: error.code, message: error.message } }
    return { id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** Indexes what a migration left unindexed, a batch between two messages, until the thread is told to close. */
function rebuild(writes: Writes): void {
  if (!closed && writes.rebuildSome()) setImmediate(rebuild, writes)
}

let closed = false

answer(0, () => {
  const db = openLibraryFile((workerData as { file: string }).file)
  const writes = allWrites(db)
  rebuild(writes)
  port.on('message', ({ id, name, args }: WriterCall) => {
    if (name === 'close') {
      closed = true
      answer(id, () => {
        db.close()
      })
      port.close()
      return
    }
    answer(id, () => (writes[name] as (...values: unknown[]) => unknown)(...args))
  })
})
