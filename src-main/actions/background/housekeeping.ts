import type { Ports } from '../../contract/ports.ts'
import { forgetOld } from '../bookmarks/purge-trash.ts'
import { keepBackups } from '../library/back-up-library.ts'
import { prunePictures } from '../pages/prune-pictures.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * Forgets what is old and prunes pictures, at once and then every hour, and makes the backups that are due, the first a
 * minute later, so that no short command waits for one. What fails, for want of space, is tried again an hour later.
 *
 * @returns ends it, after what is under way
 */
export function startHousekeeping(ports: Ports, onError: (error: unknown) => void): () => Promise<void> {
  const clean = () =>
    forgetOld(ports)
      .then(() => prunePictures(ports))
      .catch(onError)
  let cleaning = clean()
  const backUp = () => keepBackups(ports).catch(onError)
  const first = setTimeout(() => {
    cleaning = cleaning.then(backUp)
  }, MINUTE_MS)
  const timer = setInterval(() => {
    cleaning = cleaning.then(clean).then(backUp)
  }, HOUR_MS)
  first.unref()
  timer.unref()
  return async () => {
    clearTimeout(first)
    clearInterval(timer)
    await cleaning
  }
}
