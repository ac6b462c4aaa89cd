import { Problem } from '../contract/problem.ts'
import { asProblem } from './connection.ts'

/** What is known of damage in an open library, and what follows from it. */
export interface DamageWatch {
  isDamaged(): boolean
  mark(): void
  /** @throws Problem once damage is known: a restore would lose what is saved then */
  assertWritable(): void
  /** Passes calls on; damage that one of them meets is known from then on, and told as a Problem. */
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
    assertWritable() {
      if (!isDamaged) return
      throw new Problem(
        'library-damaged',
        'The library file is damaged, so nothing more is saved in it. Restore a backup, or run: earmark doctor --repair'
      )
    },
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
