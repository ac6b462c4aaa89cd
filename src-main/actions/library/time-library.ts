import type { Library } from '../../store/open-library.ts'

/** Told of a call that took long, by its name alone; in milliseconds, the wait for its turn among them. */
export type OnSlow = (call: string, ms: number) => void

/** A library that tells of every call that takes longer than `most` milliseconds, however it ends. */
export function timeLibrary(library: Library, most: number, onSlow: OnSlow): Library {
  const timed = Object.entries(library).map(([name, call]: [string, (...args: unknown[]) => unknown]) => [
    name,
    (...args: unknown[]) => {
      const begun = performance.now()
      const told = () => {
        const ms = performance.now() - begun
        if (ms > most) onSlow(name, Math.round(ms))
      }
      const answer = call(...args)
      if (answer instanceof Promise) void answer.then(told, told)
      else told()
      return answer
    }
  ])
  return Object.fromEntries(timed) as Library
}
