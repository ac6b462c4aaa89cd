import { openWriteConnection } from '../../database/connection.ts'
import type { StartThread, Thread } from './client.ts'

/** A writing thread that starts with its first call, unless it is told to before. */
export interface LateWriter extends Thread {
  /** @throws Problem when the library cannot be opened; the next call tries again */
  begin(): Promise<void>
}

/**
 * Starts the writing thread when it is first needed: a thread takes longer to start than all else that a service does
 * before it answers. For a library that is there and has nothing to be done to it first.
 */
export function startWriterLate(file: string, start: StartThread): LateWriter {
  let started: Promise<Thread> | undefined
  let closed = false

  function begun(): Promise<Thread> {
    if (closed && !started) return Promise.reject(new Error('The library is closed.'))
    started ??= start('writing', file).catch((error) => {
      started = undefined
      throw error
    })
    return started
  }

  return {
    async begin() {
      await begun()
    },
    call: async (name, args) => (await begun()).call(name, args),
    async close() {
      closed = true
      if (started) await (await started).close()
      // Who writes closes the log; where nobody did, that is still to be done.
      else openWriteConnection(file).close()
    }
  }
}
