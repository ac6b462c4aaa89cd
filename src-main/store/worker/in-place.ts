import { asProblem } from '../../database/connection.ts'
import { buffersIn, type Thread } from './client.ts'
import { openWork, type Role } from './work.ts'

/**
 * Works in this thread instead of one of its own, as the thread would: for a command, whose event loop nobody else
 * waits for and which is over before a thread would have started.
 *
 * @throws Problem when the library cannot be opened
 */
export async function startInPlace(role: Role, file: string): Promise<Thread> {
  const work = await openWork(role, file).catch((error) => {
    throw asProblem(error)
  })
  let closed = false
  return {
    async call(name, args) {
      // What could not cross to a thread fails here too.
      const given = structuredClone(args, { transfer: buffersIn(args) }) as never[]
      try {
        return structuredClone(await work.call(name, given))
      } catch (error) {
        throw asProblem(error)
      } finally {
        if (!closed) work.afterwards?.()
      }
    },
    async close() {
      closed = true
      work.close()
    }
  }
}
