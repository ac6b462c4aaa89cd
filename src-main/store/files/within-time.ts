import type { Problem } from '../../contract/problem.ts'

/**
 * Waits so long, and no longer, for what cannot be stopped, such as a disk that does not answer.
 *
 * @param ms how long, in milliseconds
 * @throws what `late` gives once the time is over
 */
export async function withinTime<T>(work: Promise<T>, ms: number, late: () => Problem): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  // What comes of it later is nobody's any more.
  work.catch(() => {})
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
