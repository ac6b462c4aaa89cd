import { openWriteConnection } from '../connection.ts'
import type { Writes } from '../families.ts'
import { type StartThread, startThread, type Thread } from './thread.ts'

/** The writes as the rest of the process sees them, answered once the change is on disk. */
export type Writer = Thread<Writes & Copies>

/** Copies the library to a file, bit by bit between other calls. */
interface Copies {
  copyTo(file: string): Promise<unknown>
}

/**
 * Starts the writing thread on a library file.
 *
 * @throws Problem when the library cannot be opened
 */
export function startWriter(file: string, start: StartThread = startThread): Promise<Writer> {
  return start<Writes & Copies>('writing', file)
}

/** A writer that starts with its first call, unless it is told to before. */
export interface LateWriter {
  writer: Writer
  /** @throws Problem when the library cannot be opened; the next call tries again */
  begin(): Promise<void>
}

/**
 * Starts the writing thread when it is first needed: a thread takes longer to start than all else that a service does
 * before it answers. For a library that is there and has nothing to be done to it first.
 */
export function startWriterLate(file: string, start: StartThread): LateWriter {
  let started: Promise<Writer> | undefined
  let closed = false

  function begun(): Promise<Writer> {
    if (closed && !started) return Promise.reject(new Error('The library is closed.'))
    started ??= startWriter(file, start).catch((error) => {
      started = undefined
      throw error
    })
    return started
  }

  async function close(): Promise<void> {
    closed = true
    if (started) await (await started).close()
    // Who writes closes the log; where nobody did, that is still to be done.
    else openWriteConnection(file).close()
  }

  async function call(name: string, args: unknown[]): Promise<unknown> {
    if (name === 'close') return close()
    return (Reflect.get(await begun(), name) as (...all: unknown[]) => unknown)(...args)
  }

  return {
    writer: new Proxy({} as Writer, {
      // A promise asks for `then`; this is not one.
      get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => call(name as string, args))
    }),
    begin: async () => void (await begun())
  }
}
