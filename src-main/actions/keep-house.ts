import type { Ports } from '../contract/ports.ts'
import { forgetOld } from './purge-trash.ts'

const HOUR_MS = 3_600_000

/**
 * Forgets what is old, at once and then every hour. What fails, for want of space, is tried again an hour later.
 *
 * @returns ends it, after what is under way
 */
export function keepHouse(ports: Ports, onError: (error: unknown) => void): () => Promise<void> {
  const clean = () => forgetOld(ports).catch(onError)
  let cleaning = clean()
  const timer = setInterval(() => {
    cleaning = cleaning.then(clean)
  }, HOUR_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await cleaning
  }
}
