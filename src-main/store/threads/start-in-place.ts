import { asProblem } from '../connection.ts'
import type { Role, Thread } from './thread.ts'
import type { Work } from './work.ts'

/**
 * Works in this thread instead of one of its own, as the thread would: for a command, whose event loop nobody else
 * waits for and which is over before a thread would have started.
 *
 * @throws Problem when the library cannot be opened
 */
export async function startInPlace<Calls>(role: Role, file: string): Promise<Thread<Calls>> {
  const open = await openerOf(role)
  const { calls, afterwards, close } = attempt(() => open(file))
  let closed = false

  async function call(name: string, args: unknown[]): Promise<unknown> {
    // What could not cross to a thread fails here too.
    const given = structuredClone(args, { transfer: args.flat().filter((arg) => arg instanceof ArrayBuffer) })
    if (name === 'close') {
      closed = true
      return close()
    }
    try {
      return structuredClone(await (Reflect.get(calls, name) as (...values: unknown[]) => unknown)(...given))
    } catch (error) {
      throw asProblem(error)
    } finally {
      if (!closed) afterwards?.()
    }
  }

  return new Proxy({} as Thread<Calls>, {
    // A promise asks for `then`; this is not one.
    get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => call(name as string, args))
  })
}

async function openerOf(role: Role): Promise<(file: string) => Work> {
  switch (role) {
    case 'writing':
      return (await import('./writing.ts')).openWriting
    case 'reading':
      return (await import('./reading.ts')).openReading
    case 'restoring':
      return (await import('./restoring.ts')).openRestoring
    case 'examining':
      return (await import('./examining.ts')).openExamining
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asProblem(error)
  }
}
