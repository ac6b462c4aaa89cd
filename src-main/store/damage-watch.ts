import { Problem } from '../contract/problem.ts'
import { asProblem } from './connection.ts'

/**
 * Let on all the same: who is let in and shut out. A restore ends all sessions but one, and keeps out who was shut out.
 */
const ALWAYS: unknown[] = ['close', 'createSession', 'endSession', 'revokeKey']

/** What is known of damage in an open library, and what follows from it. */
export interface DamageWatch {
  isDamaged(): boolean
  mark(): void
  /** The same calls, refused once damage is known: a restore would lose what they save. */
  refusing<Calls extends object>(writes: Calls): Calls
  /** The same calls; damage that one of them meets is known from then on, and told as a Problem. */
  watching<Calls extends object>(calls: Calls): Calls
}

/** @param onDamage called once */
export function watchDamage(onDamage: () => void): DamageWatch {
  let isDamaged = false

  function mark(): void {
    if (!isDamaged) onDamage()
    isDamaged = true
  }

  function fail(error: unknown): never {
    const problem = asProblem(error)
    if (isDamage(problem)) mark()
    throw problem
  }

  return {
    isDamaged: () => isDamaged,
    mark,
    refusing: (writes) =>
      new Proxy(writes, {
        get: (_, name) => (isDamaged && !ALWAYS.includes(name) ? refuse : Reflect.get(writes, name))
      }),
    watching<Calls extends object>(calls: Calls): Calls {
      const watched = Object.entries(calls).map(([name, call]) => [
        name,
        (...args: unknown[]) => (call as (...all: unknown[]) => Promise<unknown>)(...args).catch(fail)
      ])
      return Object.fromEntries(watched) as Calls
    }
  }
}

/** Whether an error says that the library is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof Problem && error.code === 'library-damaged'
}

async function refuse(): Promise<never> {
  throw new Problem(
    'library-damaged',
    'The library file is damaged, so nothing more is saved in it. Restore a backup, or run: earmark doctor --repair'
  )
}
